import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { startTransfer } from '../support/control.js'
import * as fixed from '../support/fixture-ids.js'
import { BEGINNING, transferId, users } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { payoutRequest, walletRequest } from '../support/requests.js'
import type { Payout } from '../support/wire.js'

interface Step {
  readonly seq: number
  readonly command: string
  readonly cause: { readonly kind: string; readonly request?: string }
  readonly events: readonly { readonly id: string; readonly cause?: object }[]
  readonly refused?: object
  readonly sentence: string
  readonly because: number | null
  readonly changes: readonly object[]
}

interface Why {
  readonly complete: boolean
  readonly begins_at: string
  readonly entries: readonly Step[]
  readonly next: readonly object[]
}

let api: Client

beforeEach(async () => {
  api = await openOwnSandbox()
})

const ask = (id: string) => api.read<Why>(`/_sandbox/records/${id}/why`)

const sentences = ({ entries }: Why) => entries.map(({ sentence }) => sentence)

const moved = (to: string) =>
  sentence(String.raw`Scenario happy-path marked it as ${to} \(happy-path\.yaml:\d+\)`)
const sentence = (text: string) => expect.stringMatching(new RegExp(`^${text}$`))

test('a transfer: who started it, and each step that led to the next', async () => {
  const { id } = await startTransfer(api)
  api.sandbox.advance({ until: 'idle' })
  const why = await ask(id)
  expect(why).toMatchObject({ complete: true, begins_at: BEGINNING })
  expect(sentences(why)).toEqual([
    sentence(
      String.raw`A control call started a transfer of 500\.00 USD for Ada Okafor \(request [-0-9a-f]{36}\)`,
    ),
    moved('Funds received'),
    moved('Conversion processed'),
    moved('Payment submitted'),
    moved('Payment processed'),
  ])
  const seqs = why.entries.map(({ seq }) => seq)
  expect(why.entries.map(({ because }) => because)).toEqual([null, ...seqs.slice(0, -1)])
  for (const { events } of why.entries) {
    expect(events.length).toBeGreaterThan(0)
    for (const event of events) expect(event.id).toBe(id)
  }
})

test('a transfer that was moved by hand, whose rule then found the way closed', async () => {
  const { id } = await startTransfer(api)
  const body = { to: 'FAILED', reason: 'account_closed' }
  const answer = await api.post(`/_sandbox/transfers/${id}/advance`, body)
  api.sandbox.advance({ until: 'idle' })
  const why = await ask(id)
  const request = answer.headers.get('x-request-id')
  expect(sentences(why).slice(0, 3)).toEqual([
    sentence('A control call started .*'),
    `A control call marked it as Failed: account_closed (request ${request})`,
    sentence(
      'Refused: Scenario happy-path marked it as Funds received .*: transfer .* cannot become .*',
    ),
  ])
  const [first, , refused, passed, next] = why.entries
  expect(refused).toMatchObject({ because: first?.seq, refused: { code: 'illegal' }, events: [] })
  expect(passed).toMatchObject({ command: 'timer.pass', because: first?.seq, events: [] })
  expect(next).toMatchObject({ command: 'transfer.move', because: passed?.seq })
})

test('a payout: the request, and the rule within it', async () => {
  const answer = await api.post<Payout>('/payment/api/v1/payout', payoutRequest())
  const [{ id }] = api.sandbox.tables.payouts.page('all', '', 0, 1) as unknown as [{ id: string }]
  const why = await ask(id)
  const request = answer.headers.get('x-request-id')
  expect(sentences(why)).toEqual([
    sentence(
      `Your client made a payout of 1,500\\.00 NGN for Ada Okafor \\(request ${request}\\)\\. Scenario happy-path marked it as Processed .*`,
    ),
  ])
  const [, moved] = why.entries[0]?.events ?? []
  expect(moved?.cause).toMatchObject({ kind: 'rule', subject: id, scenario: 'happy-path', step: 0 })
})

test('a pending payout: the step that is planned, and the credit of a rule', async () => {
  const eur = (amount: number) => ({ credit: { currency: 'EUR', amount } })
  await api.post('/_sandbox/scenarios?activate=true', {
    name: 'late-bonus',
    title: 'A payout waits, is processed and gives a bonus',
    rules: [
      {
        when: 'payout.created',
        then: [eur(1), { after: '10m', move: 'PAYOUT_PROCESSED' }, eur(2)],
      },
    ],
  })
  await api.post('/payment/api/v1/payout', payoutRequest())
  const [{ id }] = api.sandbox.tables.payouts.page('all', '', 0, 1) as unknown as [{ id: string }]
  const pending = await ask(id)
  const rule = String.raw`\(late-bonus \(posted\):1\)`
  expect(sentences(pending)).toEqual([
    sentence(`Your client made .*\\. Scenario late-bonus credited 1.00 EUR to Ada Okafor ${rule}`),
  ])
  expect(pending.next).toEqual([
    expect.objectContaining({
      due: '2026-06-15T09:10:00.000Z',
      command: 'payout.move',
      input: { id, to: 'PAYOUT_PROCESSED' },
      scenario: 'late-bonus',
      rule: 0,
      sentence: sentence(`Scenario late-bonus will mark it as Processed ${rule}`),
    }),
  ])
  api.sandbox.advance('10m')
  const done = await ask(id)
  expect(sentences(done).slice(1)).toEqual([
    sentence(`Scenario late-bonus marked it as Processed ${rule}`),
    sentence(`Scenario late-bonus credited 2.00 EUR to Ada Okafor ${rule}`),
  ])
  expect(done.next).toEqual([])
})

describe('records of the fixtures', () => {
  test.each([
    ['users', users.ada],
    ['consents', fixed.consentId(1)],
    ['accounts', fixed.accountId(1)],
    ['wallets', fixed.walletId(1)],
    ['instructions', '44444444-4444-4444-8444-000000000001'],
    ['offramps', fixed.offrampId(1)],
    ['transfers', transferId(1)],
    ['payouts', fixed.payoutId(1)],
    ['deposits', fixed.depositId(1)],
    ['api-keys', 'aaaaaaaa-aaaa-4aaa-8aaa-000000000001'],
  ])('%s say so, after a reset too', async (_, id) => {
    const api = await openSandbox()
    const why = await ask(id)
    expect(why).toMatchObject({ complete: true, entries: [{ cause: { kind: 'fixtures' } }] })
    expect(sentences(why)).toEqual(['It came with the fixtures'])
    expect(why.entries[0]?.changes).toMatchObject([{ id, did: 'made' }])
    api.sandbox.reset()
    expect(await ask(id)).toEqual(why)
  })
})

test('a request: the entries that it caused, each in words', async () => {
  const id = (await api.post('/payment/api/v1/payout', payoutRequest())).headers.get('x-request-id')
  expect(await ask(id ?? '')).toMatchObject({
    complete: true,
    entries: [
      { command: 'payout.create', sentence: sentence(`Your client made .* \\(request ${id}\\).*`) },
    ],
    next: [],
  })
  const read = (await api.get(`/payment/api/v1/fx-audit/status/${transferId(1)}`)).headers.get(
    'x-request-id',
  )
  expect(await ask(read ?? '')).toMatchObject({ complete: true, entries: [], next: [] })
  expectRefusal(await api.get(`/_sandbox/records/${fixed.NOBODY}/why`), 404, '4040', 'no record')
})

test('a request: each record that it touched, before and after, and what it planned', async () => {
  api = await openOwnSandbox({ scenarios: ['payout-pending-then-processed'] })
  const made = await api.post<Payout>('/payment/api/v1/payout', payoutRequest())
  const why = await ask(made.headers.get('x-request-id') ?? '')
  expect(why).toMatchObject({
    entries: [{ changes: [{ noun: 'payouts', id: made.body.id, did: 'made' }] }],
    next: [{ sentence: expect.stringMatching(/ will mark .* as Processed /) }],
  })
  const moved = await api.post(`/_sandbox/payouts/${made.body.id}/advance`, { to: 'PAYOUT_FAILED' })
  const request = moved.headers.get('x-request-id')
  const failing = (await ask(made.body.id)).entries.find(({ cause }) => cause.request === request)
  expect(failing?.changes).toEqual([
    {
      noun: 'payouts',
      id: made.body.id,
      did: 'changed',
      fields: expect.arrayContaining([
        { path: 'status', before: 'PAYOUT_PENDING', after: 'PAYOUT_FAILED' },
      ]),
    },
  ])
})

test('a payout and a wallet: each repeat, with the request that it repeats', async () => {
  const twice = async (path: string, body: object) => {
    const [first, again] = [await api.post<Payout>(path, body), await api.post<Payout>(path, body)]
    const requests = [first, again].map(({ headers }) => headers.get('x-request-id'))
    return { id: first.body.id, requests }
  }
  const payout = await twice('/payment/api/v1/payout', payoutRequest())
  expect(sentences(await ask(payout.id)).at(-1)).toBe(
    `Your client asked again for it: nothing was paid again (request ${payout.requests[1]})`,
  )
  const wallet = await twice('/payment/api/v1/custody-wallet', walletRequest())
  expect(sentences(await ask(wallet.id)).at(-1)).toBe(
    `Your client asked again for it: no second wallet was created (request ${wallet.requests[1]})`,
  )
})
