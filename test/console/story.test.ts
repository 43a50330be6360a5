import { describe, expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import { payoutId } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'

type Opened = Awaited<ReturnType<typeof openConsole>>

/** Asks for a payout, and returns the path of the request. */
const pay = async ({ api, sandbox }: Opened, changes: object = {}): Promise<string> => {
  const body = { ...payoutRequest(), ...changes }
  await api.post('/payment/api/v1/payout', body).catch(() => undefined)
  return `/?request=${sandbox.requests().at(-1)?.id}`
}

const newestPayout = ({ sandbox }: Opened): string =>
  `/payouts/${sandbox.tables.payouts.list('all', '').at(-1)?.id}`

test('a move of the clock stays at its place in the list after its undo', async () => {
  const opened = await openConsole()
  await pay(opened)
  await opened.api.make('/_sandbox/clock/advance', { by: '1h' })
  await opened.api.make('/_sandbox/undo', {})
  const { text } = await opened.visitor.look('/')
  expect(text).toMatch(/took back the last step 10:00 .* moved the clock 09:00 .* Processed/)
})

test('a planned failure is neither called unplanned nor shown twice', async () => {
  const opened = await openConsole({ scenarios: ['payout-fails-and-refunds'] })
  await pay(opened)
  const { html, text } = await opened.visitor.look(newestPayout(opened))
  expect(text).toContain('Pending since 09:00:00, and it moves to Failed in 30 s, by')
  expect(text).not.toContain('Nothing is planned')
  expect(text).toMatch(/09:00:30 Failed Planned by .* or Processed Possible at any time/)
  expect(html.match(/class="step planned failed"/g)).toHaveLength(1)
})

describe('a record of the fixtures', () => {
  test('says that it does not move until somebody moved it', async () => {
    const { api, visitor } = await openConsole()
    const path = `/payouts/${payoutId(3)}`
    const { text } = await visitor.look(path)
    expect(text).toContain('Pending since 08:40:27, and it does not move, from the fixtures.')
    expect(text).toMatch(/Now 09:00:00 From the fixtures/)
    await api.make(`/_sandbox${path}/advance`, { to: 'PAYOUT_PROCESSED' })
    expect((await visitor.look(path)).text).toMatch(/Processed A control call .* From the fixtures/)
  })

  test('names the day of its end', async () => {
    const { visitor } = await openConsole()
    expect((await visitor.look(`/payouts/${payoutId(2)}`)).text).toContain(
      'Failed on 11 May, 17:02',
    )
  })
})
