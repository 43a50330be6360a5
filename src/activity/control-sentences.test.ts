import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld } from '../../test/support/domain-world.js'
import { addresses, userId } from '../../test/support/fixture-ids.js'
import type { CommandRecord } from '../kernel/command-record.js'
import { scenariosFolder } from '../lib/paths.js'
import {
  agoText,
  auditedText,
  chosenSentence,
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

describe('nextCallSentence', () => {
  const call = { operation: 'createPayout', user_id: null, left: 1, then: { drop: 'after' } }

  test('names operation, outcome and times', () => {
    expect(nextCallSentence(tables, call)).toBe(
      'The next createPayout pays, and loses its response, once',
    )
    expect(nextCallSentence(tables, { ...call, operation: null, left: null })).toBe(
      'The next call does its work, and loses its response, always',
    )
    expect(nextCallSentence(tables, { ...call, user_id: userId(1), left: 3 })).toBe(
      'The next createPayout of Ada Okafor pays, and loses its response, 3 times',
    )
  })

  test('shows a step of your own as it is', () => {
    expect(nextCallSentence(tables, { ...call, then: { respond: { status: 418 } } })).toBe(
      'The next createPayout gets {"respond":{"status":418}}, once',
    )
  })
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
    expect(toast('undo', { now })).toEqual({
      kind: 'redo',
      text: 'Taken back: Your test credited 5.00 EUR to Ada Okafor. The clock is at 09:00:02.',
    })
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

  test('counts what was deleted', () => {
    expect(toast('deleteWorlds', { deleted: 1 }).text).toBe('1 world is deleted.')
    expect(toast('clearRequests', { deleted: 20 }).text).toBe('20 requests are deleted.')
  })
})

test('nextOutcomes offers moves only for operations that make a record that moves', () => {
  const count = (operation?: string) => nextOutcomes(operation).world.length
  expect([count('createPayout'), count('createUser'), count('initiateOfframp')]).toEqual([4, 2, 3])
  expect([count('getTransferStatus'), count(undefined)]).toEqual([0, 0])
})

test('controlSentence begins with the armed call, and says what is planned', () => {
  expect(say(controlSentence([], 2, 0, 0, { nextDue: undefined, now: 0 }))).toBe(
    '2 scenarios on, the clock is paused, 0 steps planned.',
  )
  expect(say(controlSentence(['A', 'B'], 2, 60, 3, { nextDue: 1_000, now: 0 }))).toBe(
    'A, and 1 more wait. 2 scenarios on, the clock is running at 60×, 3 steps planned, the first in 1 s.',
  )
})

test('agoText counts the entries since, and laterSteps those ahead', () => {
  expect(laterSteps(1)).toBe('1 more step planned after these.')
  expect([agoText(0), agoText(2)]).toEqual(['now', '2 entries ago'])
})

test('SCENARIO_GROUPS has each bundled scenario once', () => {
  const files = readdirSync(scenariosFolder).filter((it) => it.endsWith('.yaml'))
  const names = files.map((it) => it.replace('.yaml', ''))
  expect(SCENARIO_GROUPS.flatMap(([, it]) => it).sort()).toEqual(names.sort())
})

test('scenarioSentence says whether it is on, and how often it fired', () => {
  expect(say(scenarioSentence('A trap.', 0, 2))).toBe(
    'It is on, first of all. Its rules fired 2 times. A trap.',
  )
  expect(say(scenarioSentence('A trap.', -1, 2))).toBe('It is off. A trap.')
})

test('worldsSentence sums the problems up', () => {
  const problem = { kind: 'bad', word: 'Looks paid twice', text: '', records: [] } as const
  expect(say(worldsSentence(61, []))).toBe('61 worlds. None of those in memory has a problem.')
  expect(say(worldsSentence(61, [[problem]]))).toBe(
    '61 worlds. With a problem: 1 of those in memory (looks paid twice).',
  )
})

test('deletionNote and deletionsNote say how much goes', () => {
  expect(say(deletionsNote(3))).toMatch(/^Of the 3 worlds, those by key that fit both go/)
  expect(say(deletionNote(tables, 1))).toBe(
    '3 payouts, 12 transfers and 1 request go with it. Its key opens a new world.',
  )
})

test('chosenSentence names the chosen worlds, and what is missing to compare them', () => {
  expect(say(chosenSentence([]))).toBe('Tick two worlds to see where they part.')
  expect(say(chosenSentence(['one']))).toBe('1 chosen: one. Tick another to compare them.')
  expect(say(chosenSentence(['one', 'two']))).toBe('2 chosen: one, two.')
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
    ['a rule', { fault: 'next-1/0' }, 'A got 200, B got 200 (Next call).'],
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
    const nothing = { equal: true, first: null, setup: [], requests: [], records: [], balances: [] }
    expect(say(compareSentence(nothing))).toBe('Nothing differs but times and ids.')
  })
})

test('questionsSentence says how many your requests relied on', () => {
  expect(say(questionsSentence(83, 0, 0))).toBe(
    'The contract leaves 83 questions open. Your requests relied on none of them.',
  )
  expect(say(questionsSentence(83, 6, 3))).toBe(
    'The contract leaves 83 questions open. Your requests relied on 6 of them, 3 with a high risk. Ask the operator about these first.',
  )
})

test('reliedNote says of how many requests a card lists the newest', () => {
  expect(reliedNote(2, 2)).toBe('Requests of yours that relied on it')
  expect(reliedNote(8, 23)).toBe('The newest 8 of 23 requests of yours that relied on it')
})

test('ledgerSentence says whether it balances', () => {
  expect(say(ledgerSentence(0))).toMatch(/^Balanced\./)
  expect(say(ledgerSentence(2))).toBe('Not balanced: 2 errors. See the first of them below.')
})

test('auditedText says how old the figures are', () => {
  expect(auditedText(14, 0)).toBe('14 assets audited now')
  expect(auditedText(14, 3)).toBe('14 assets audited 3 entries ago')
})
