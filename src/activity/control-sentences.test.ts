import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld } from '../../test/support/domain-world.js'
import { addresses, userId } from '../../test/support/fixture-ids.js'
import type { CommandRecord } from '../kernel/command-record.js'
import { scenariosFolder } from '../lib/paths.js'
import {
  agoText,
  auditedText,
  compareSentence,
  controlSentence,
  deletionNote,
  deletionsNote,
  laterSteps,
  ledgerSentence,
  nextCallSentence,
  nextOutcomes,
  questionsSentence,
  reliedNote,
  SCENARIO_GROUPS,
  scenarioSentence,
  toastAfter,
  worldsSentence,
} from './control-sentences.js'
import { type Prose, toPlainText } from './record-sentences.js'

const { tables } = fixtureWorld()
const say = (prose: Prose) => toPlainText(prose)

const call = { operation: 'createPayout', user_id: null, left: 1, then: { drop: 'after' } }
const ofAda = { ...call, user_id: userId(1), left: 3 }
const running = { nextDue: 1_000, now: 0 }
const high =
  'Your requests relied on 6 of them, 3 with a high risk. Ask the operator about these first.'

test.each<[string, Prose | string]>([
  ['The next createPayout pays, and loses its response, once', nextCallSentence(tables, call)],
  [
    'The next call does its work, and loses its response, always',
    nextCallSentence(tables, { ...call, operation: null, left: null }),
  ],
  [
    'The next createPayout of Ada Okafor pays, and loses its response, 3 times',
    nextCallSentence(tables, ofAda),
  ],
  [
    '2 scenarios on, the clock is paused, 0 steps planned.',
    controlSentence([], 2, 0, 0, { nextDue: undefined, now: 0 }),
  ],
  [
    'A, and 1 more is armed. 2 scenarios on, the clock is running at 60×, 3 steps planned, the first in 1 s.',
    controlSentence(['A', 'B'], 2, 60, 3, running),
  ],
  ['1 more step planned after these.', laterSteps(1)],
  ['2 entries ago', agoText(2)],
  ['It is on, first of all. Its rules fired 2 times. A trap.', scenarioSentence('A trap.', 0, 2)],
  ['It is off. A trap.', scenarioSentence('A trap.', -1, 2)],
  [
    '61 worlds. With a problem: 1. Left unfinished: 2.',
    worldsSentence({ total: 61, with_problems: 1, unfinished: 2 }),
  ],
  ['Of the 3 worlds, those by key that fit both go for good.', deletionsNote(3)],
  [
    '3 payouts, 12 transfers and 1 request go with it. Its key opens a new world.',
    deletionNote(tables, 1),
  ],
  [
    'The contract leaves 83 questions open. Your requests relied on none of them.',
    questionsSentence(83, 0, 0),
  ],
  [`The contract leaves 83 questions open. ${high}`, questionsSentence(83, 6, 3)],
  ['Requests of yours that relied on it', reliedNote(2, 2)],
  ['The newest 8 of 23 requests of yours that relied on it', reliedNote(8, 23)],
  ['Not balanced: 2 errors. See the first of them below.', ledgerSentence(2)],
  ['14 assets audited now', auditedText(14, 0)],
  ['14 assets audited 3 entries ago', auditedText(14, 3)],
])('the console says: %s', (expected, said) => {
  expect(typeof said === 'string' ? said : say(said)).toBe(expected)
})

describe('toastAfter', () => {
  const entries: CommandRecord[] = []
  const world = fixtureWorld({ record: (entry) => entries.push(entry) })
  const toast = (operation: string, result: object) =>
    toastAfter(world.tables, operation, result, { entry: entries.at(-1), taken: undefined }, true)
  const now = '2026-06-15T09:00:02.000Z'
  const credit = () =>
    world.run('balance.credit', { user_id: userId(1), currency: 'EUR', amount: '5' }, BY)

  test('describes the entry of the action, and offers to undo it', () => {
    credit()
    expect(toast('creditUser', {})).toEqual({
      kind: 'undo',
      text: 'Your test credited 5.00 EUR to Ada Okafor.',
    })
  })

  test('names what an undo took back, and offers to redo it', () => {
    credit()
    const taken = 'Your test credited 5.00 EUR to Ada Okafor. The clock is at 09:00:02.'
    expect(toast('undo', { now })).toEqual({ kind: 'redo', text: `Taken back: ${taken}` })
    expect(toast('redo', { now }).text).toMatch(/^Done again: Your test credited 5\.00 EUR/)
  })

  test('names the armed call, and the last entry that followed a move of the clock', () => {
    const call = { operation: 'createPayout', user_id: null, left: 1, then: { drop: 'after' } }
    expect(toast('armNextCall', call).text).toBe(
      'The next createPayout pays, and loses its response, once.',
    )
    credit()
    const advanced = (count: number) =>
      toast('advanceClock', { now, count, fired: entries.slice(entries.length - count) }).text
    expect(advanced(0)).toBe('The clock is at 09:00:02. Nothing was due.')
    expect(advanced(1)).toBe('The clock is at 09:00:02. Your test credited 5.00 EUR to Ada Okafor.')
    expect(advanced(2)).toMatch(/ 2 entries followed, the last: Your test credited 5\.00 EUR/)
  })

  test('says what a deposit started, or why it matched nothing', () => {
    const deposit = (address: string) =>
      toast('receiveDeposit', world.run('deposit.receive', { address, amount: '100' }, BY)).text
    expect(deposit(addresses.adaEur)).toBe(
      'Your test deposited 100.00 USDC to 0xC4…4eb7. It started 100.00 USDC → 84.00 EUR.',
    )
    expect(deposit('nowhere')).toBe(
      'Your test deposited 100.00 USDC to nowhere. No offramp and no wallet has this address.',
    )
  })

  test.each([
    ['deleteWorlds', 1, '1 world is deleted.'],
    ['clearRequests', 20, '20 requests are deleted.'],
  ])('counts what %s deleted', (operation, deleted, text) => {
    expect(toast(operation, { deleted }).text).toBe(text)
  })
})

test('nextOutcomes offers moves only for operations that make a record that moves', () => {
  const count = (operation?: string) => nextOutcomes(operation).world.length
  expect([count('createPayout'), count('createUser'), count('initiateOfframp')]).toEqual([4, 2, 3])
  expect([count('getTransferStatus'), count(undefined)]).toEqual([0, 0])
})

test('SCENARIO_GROUPS has each bundled scenario once', () => {
  const files = readdirSync(scenariosFolder).filter((it) => it.endsWith('.yaml'))
  const names = files.map((it) => it.replace('.yaml', ''))
  expect(SCENARIO_GROUPS.flatMap(([, it]) => it).sort()).toEqual(names.sort())
})

describe('compareSentence', () => {
  const payout = (customer_payout_id: string, changes: object = {}) => ({
    ...{ method: 'POST', path: '/', fault: null, operation: 'createPayout', status: 200 },
    request: { amount: '7.00', customer_payout_id },
    response: { id: 'payout 1', status: 'PAYOUT_PENDING' },
    ...changes,
  })
  type Compared = Parameters<typeof compareSentence>[0]
  const compare = (
    requests: readonly Pick<Compared['requests'][number], 'a' | 'b'>[],
    kind: 'setup' | 'request' | 'record' | 'balance' = 'request',
    ends: Partial<Pick<Compared, 'records' | 'balances'>> = {},
  ) => {
    const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
    const all = requests.map((it, i) => ({ ...it, n: i + 1, same: isSame(it.a, it.b) }))
    const first = { kind, a: null, b: null }
    const rest = { equal: false, setup: [], records: [], balances: [] }
    return say(compareSentence({ first, requests: all, ...rest, ...ends }))
  }
  const same = { a: payout('id 1'), b: payout('id 1') }

  test.each([
    ['a field of the request', { request: { amount: '8.00' } }, 'A has amount 7.00, B 8.00.'],
    ['the HTTP status', { status: 502 }, 'A got 200, B got 502.'],
    ['a missing answer', { status: null }, 'A got 200, B got no answer.'],
    ['a rule', { fault: 'next-1/0' }, 'A got 200, B got 200 (Your armed call 1).'],
    [
      'the answer',
      { response: { id: 'payout 2', status: 'PAYOUT_FAILED' } },
      'A has status PAYOUT_PENDING, B PAYOUT_FAILED.',
    ],
  ])('names %s that differs', (_, changes, expected) => {
    const a = payout('id 1', { request: { amount: '7.00' } })
    const b = { ...a, ...changes }
    expect(compare([{ a, b }])).toContain(`They part at request 1, createPayout: ${expected}`)
  })

  test('says who made no such request', () => {
    expect(compare([{ a: payout('id 1'), b: null }])).toContain('A got 200, B made none.')
  })

  test('ends with the difference in records and money', () => {
    const records = [
      { noun: 'payouts' as const, a: 2, b: 1, same: false, different: [] },
      { noun: 'users' as const, a: 1, b: 3, same: false, different: [] },
    ]
    const balance = { of: 'Ada Okafor', same: false }
    const balances = [
      { ...balance, asset: 'NGN', a: '3450.00', b: '5000.00' },
      { ...balance, asset: 'USDC@polygon', a: '1.5', b: null },
    ]
    const requests = [{ a: payout('id 1'), b: null }]
    expect(compare(requests, 'request', { records, balances })).toMatch(
      /A ends with 1 payout more, 2 users fewer, 1,550.00 NGN less for Ada Okafor, and 1.50 USDC on polygon more for Ada Okafor\.$/,
    )
    expect(compare(requests, 'request', { records, balances: [...balances, ...balances] })).toMatch(
      /, and more differences below\.$/,
    )
    expect(compare(requests)).toMatch(/ Both end with the same money and as many records\.$/)
  })

  test('begins with the set-up, and with what differs without a request', () => {
    expect(compare([{ a: payout('id 1'), b: null }], 'setup')).toMatch(
      /^They are set up differently, so they may differ from the start\. They part at request 1/,
    )
    expect(compare([same], 'record')).toMatch(/^Requests and answers are the same\. The records/)
    expect(compare([same], 'balance')).toContain('Balances differ.')
  })
})
