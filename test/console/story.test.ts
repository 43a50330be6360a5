import { expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import { payoutRequest } from '../support/requests.js'

type Opened = Awaited<ReturnType<typeof openConsole>>

/** Asks for a payout, and returns the path of the request. */
const pay = async ({ api, sandbox }: Opened, changes: object = {}): Promise<string> => {
  const body = { ...payoutRequest(), ...changes }
  await api.post('/payment/api/v1/payout', body).catch(() => undefined)
  return `/?request=${sandbox.requests().at(-1)?.id}`
}

test('a move of the clock stays at its place in the list after its undo', async () => {
  const opened = await openConsole()
  await pay(opened)
  await opened.api.make('/_sandbox/clock/advance', { by: '1h' })
  await opened.api.make('/_sandbox/undo', {})
  const { text } = await opened.visitor.look('/')
  expect(text).toMatch(/took back the last step 10:00 .* moved the clock 09:00 .* Processed/)
})
