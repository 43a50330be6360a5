import { expect, test } from 'vitest'
import { ConsoleVisit } from '../support/console-visit.js'
import { users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'

test('a ledger that is too long for each look is shown as it was proved last', async () => {
  const { sandbox } = await openOwnSandbox()
  const visitor = new ConsoleVisit(sandbox)
  const credit = () =>
    sandbox.run('balance.credit', { user_id: users.ada, currency: 'NGN', amount: '1' })
  const health = async () => / The ledger [^.]*\./.exec((await visitor.look('/')).text)?.[0]
  expect(await health()).toBe(' The ledger balances.')
  for (let i = 0; i < 4_100; i++) credit()
  expect(await health()).toMatch(/^ The ledger balanced at entry \d+\.$/)
  await visitor.look('/ledger')
  const proved = sandbox.entries().at(-1)?.seq.toLocaleString('en')
  credit()
  expect(await health()).toBe(` The ledger balanced at entry ${proved}.`)
  await visitor.submit('/console/reset', {})
  expect(await health()).toBe(' The ledger balances.')
})
