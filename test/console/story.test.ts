import { describe, expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import { accountId, ownId, payoutId, users } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'

type Opened = Awaited<ReturnType<typeof openConsole>>

/** Asks for a payout, and returns the path of the request. */
const pay = async ({ api, sandbox }: Opened, changes: object = {}): Promise<string> => {
  const body = { ...payoutRequest(), ...changes }
  await api.post('/payment/api/v1/payout', body).catch(() => undefined)
  return `/?request=${sandbox.requests().at(-1)?.id}`
}

const loseNext = ({ api }: Opened) => api.make('/_sandbox/next', { then: { drop: 'after' } })

const newestPayout = ({ sandbox }: Opened): string =>
  `/payouts/${sandbox.tables.payouts.list('all', '').at(-1)?.id}`

test('the page of a request shows its changes, the money, and the steps still to come', async () => {
  const opened = await openConsole({ scenarios: ['magic-values'] })
  const details = { ...payoutRequest().recipient_details, recipient_account_number: '0000000004' }
  const { text } = await opened.visitor.look(await pay(opened, { recipient_details: details }))
  expect(text).toMatch(
    /What it changed Payout 1,500\.00 NGN to .*: made .* status PAYOUT_PROCESSED .* Money Ada Okafor −1,550\.00 NGN Still to come .*: Failed, in 1 h/,
  )
})

describe('attempts for different sums', () => {
  test('have the sum of their payout as title, and each its own', async () => {
    const opened = await openConsole()
    await pay(opened, { amount: '777' })
    const repeat = await pay(opened, { amount: '778' })
    const { html, text } = await opened.visitor.look(repeat)
    expect(html).toMatch(/<h1[^>]*>.*777\.00/)
    expect(html).not.toMatch(/<h1[^>]*>.*778\.00/)
    expect(text).toContain('777.00 NGN to Marina Test Bank for Ada Okafor Processed 2 attempts')
    expect(text).toContain('Attempt 2 of 2 for 778.00 NGN, 1 payout made. It paid nothing: Invalid')
    expect(text).toMatch(
      /Attempt 2 for 778\.00 NGN is refused This request, got 400: Invalid customer_payout_id: .* with another amount\./,
    )
  })

  test('show the newest reason in the list if all were refused', async () => {
    const opened = await openConsole()
    const first = await pay(opened, { amount: '15.001' })
    await pay(opened, { amount: '100', currency: 'XYZ' })
    const { html, text } = await opened.visitor.look(first)
    expect(html).toMatch(/<h1[^>]*>.*15\.001/)
    expect(text).toMatch(/100\.00 XYZ .* 2 attempts, 0 payouts: Invalid currency: got "XYZ"/)
    expect(text).toContain('Attempt 1 for 15.001 NGN is refused')
  })
})

test('a planned failure is neither called unplanned nor shown twice', async () => {
  const opened = await openConsole({ scenarios: ['payout-fails-and-refunds'] })
  await pay(opened)
  const { html, text } = await opened.visitor.look(newestPayout(opened))
  expect(text).toContain('Pending since 09:00:00, and it moves to Failed in 30 s, by')
  expect(text).not.toContain('Nothing is planned')
  expect(text).toMatch(/09:00:30 Failed, in 30 s Planned by .* or Processed Possible at any time/)
  expect(html.match(/class="step planned failed"/g)).toHaveLength(1)
})

test('a transfer that was moved along its plan announces only what is ahead', async () => {
  const { api, visitor, sandbox } = await openConsole({ scenarios: ['happy-path'] })
  const transfer = { user_id: users.ada, account_id: accountId(1), source_amount: '13' }
  await api.make('/_sandbox/transfers', { ...transfer, source_currency: 'USD' })
  const path = `/transfers/${sandbox.tables.transfers.list('all', '').at(-1)?.id}`
  for (const _ of ['funds', 'conversion']) await api.make(`/_sandbox${path}/advance`, {})
  const { text } = await visitor.look(path)
  expect(text).toMatch(/Conversion processed since .*, and it moves to Payment submitted in/)
  expect((await visitor.look('/payments')).text).not.toContain('moves to Funds received')
})

test('a payout that was processed before its plan announces nothing', async () => {
  const opened = await openConsole({ scenarios: ['payout-pending-then-processed'] })
  await pay(opened)
  const path = newestPayout(opened)
  expect((await opened.visitor.look(path)).text).toContain('Processed, in')
  await opened.api.make(`/_sandbox${path}/advance`, { to: 'PAYOUT_PROCESSED' })
  expect((await opened.visitor.look(path)).text).not.toContain('Processed, in')
})

test('a processed payout that a plan returns says when', async () => {
  const opened = await openConsole({ scenarios: ['magic-values', 'happy-path'] })
  const { recipient_details } = payoutRequest()
  const to = { ...recipient_details, recipient_account_number: '0000000004' }
  await pay(opened, { recipient_details: to })
  const { text } = await opened.visitor.look(newestPayout(opened))
  expect(text).toMatch(
    /Processed at [\d:]+, at once, and it moves to Failed in 1 h, by scenario magic-values/,
  )
})

test('a move of the clock stays at its place in the list after its undo', async () => {
  const opened = await openConsole()
  await pay(opened)
  await opened.api.make('/_sandbox/clock/advance', { by: '1h' })
  await opened.api.make('/_sandbox/undo', {})
  const { text } = await opened.visitor.look('/')
  expect(text).toMatch(/went back to an earlier state 10:00 .* moved the clock 09:00 .* Processed/)
})

test('a deposit that a restore took back keeps its amount, though a payout has its id now', async () => {
  const opened = await openConsole()
  const { api } = opened
  await api.make('/_sandbox/snapshots', { name: 'before' })
  const address = 'adaPolygon'
  const { body } = await api.post<{ id: string }>('/_sandbox/deposits', { address, amount: '12.5' })
  await api.make('/_sandbox/snapshots/before/restore')
  await pay(opened)
  expect(newestPayout(opened)).toBe(`/payouts/${body.id}`)
  const { text } = await opened.visitor.look('/')
  expect(text).toContain('deposited 12.50 USDC to')
})

describe('a payment that an undo took back', () => {
  test('says so in the list and as the chosen request', async () => {
    const opened = await openConsole()
    const path = await pay(opened)
    await opened.api.make('/_sandbox/undo', {})
    const { text } = await opened.visitor.look(path)
    expect(text).toContain('It made the payout. An undo, a restore or a reset took it back.')
    expect(text).toContain('for Ada Okafor 200 Taken back')
  })

  test('stays taken back when the client asks for it again', async () => {
    const opened = await openConsole()
    await pay(opened)
    await opened.api.make('/_sandbox/undo', {})
    const { text } = await opened.visitor.look(await pay(opened))
    expect(text).toMatch(
      /Attempt 2 makes the payout .* Attempt 1 made the payout, taken back since/,
    )
  })
})

test('a lost payment that was paid again with a new id says so', async () => {
  const opened = await openConsole()
  await loseNext(opened)
  const first = await pay(opened)
  const payout = newestPayout(opened)
  await pay(opened, { customer_payout_id: ownId(2) })
  const again = 'with a new id. The other payment: 1,500.00 NGN to Marina Test Bank'
  for (const path of [first, payout]) {
    const { html, text } = await opened.visitor.look(path)
    expect(text).toContain(again)
    expect(html).toContain(`href="${newestPayout(opened)}"`)
    expect(text).not.toContain('No second attempt yet')
  }
  const { text } = await opened.visitor.look('/')
  expect(text).toMatch(/Paid twice: 1,500.00 NGN, .* after the answer was lost, with a new id/)
})

test('a failed payout advises to pay again only until a later one pays its bill', async () => {
  const opened = await openConsole({ scenarios: ['happy-path'] })
  await opened.api.make('/_sandbox/next', { operation: 'createPayout', then: { fail: true } })
  await pay(opened)
  const failed = newestPayout(opened)
  expect((await opened.visitor.look(failed)).text).toContain('Failed for good: pay again with')
  await pay(opened, { customer_payout_id: ownId(3) })
  const { html, text } = await opened.visitor.look(failed)
  expect(text).toContain('Failed for good, and paid again: 1,500.00 NGN to Marina Test Bank')
  expect(text).not.toContain('pay again with')
  expect(html).toContain(`href="${newestPayout(opened)}"`)
})

describe('a record of the fixtures', () => {
  test('says that it does not move until somebody moved it', async () => {
    const { api, visitor } = await openConsole()
    const path = `/payouts/${payoutId(3)}`
    const { text } = await visitor.look(path)
    expect(text).toContain('Pending since 08:40:27, and it does not move, from the fixtures.')
    expect(text).toMatch(/Now 09:00:00 Came with the fixtures/)
    await api.make(`/_sandbox${path}/advance`, { to: 'PAYOUT_PROCESSED' })
    expect((await visitor.look(path)).text).toMatch(
      /Processed A control call .* Came with the fixtures/,
    )
  })

  test('names the day of its end', async () => {
    const { visitor } = await openConsole()
    expect((await visitor.look(`/payouts/${payoutId(2)}`)).text).toContain(
      'Failed on 11 May, 17:02',
    )
  })
})

test('the sentence about a rule fits each response that it touched', async () => {
  const opened = await openConsole()
  await opened.api.make('/_sandbox/next', { then: { delay_ms: 1 } })
  const { text } = await opened.visitor.look(await pay(opened))
  expect(text).toContain('Your armed call 1 delayed or changed the response.')
  await opened.api.make('/_sandbox/next', { then: { respond: { status: 503 } } })
  expect((await opened.visitor.look(await pay(opened))).text).toContain(
    'Your armed call 2 made, delayed or changed the response.',
  )
})
