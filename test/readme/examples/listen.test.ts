import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../../src/index.js'

let sandbox: Sandbox
let url: string

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' })
  url = (await sandbox.listen()).url
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

test('the total balances list every token on every chain', async () => {
  const answer = await fetch(`${url}/payment/api/v1/custody-wallet/total-balances`, {
    headers: { 'x-api-key': 'SandrampReadOnlyKey0000000000001' },
  })
  expect(await answer.json()).toHaveLength(11)
})
