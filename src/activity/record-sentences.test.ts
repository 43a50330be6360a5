import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld } from '../../test/support/domain-world.js'
import { payoutId, userId } from '../../test/support/fixture-ids.js'
import { worldKey } from '../../test/support/worlds.js'
import { getPayout } from '../domain/payouts.js'
import type { CommandRecord } from '../kernel/command-record.js'
import type { Cause } from '../kernel/entry.js'
import type { Timer } from '../kernel/timer-records.js'
import { CONTROL_TEXTS } from './control-sentences.js'
import { entrySentence } from './entry-sentences.js'
import {
  depositsSentence,
  missingWorld,
  movingSentence,
  noMatch,
  partialSearch,
  paymentSentence,
  RECORD_TEXTS,
  timeText,
  toPlainText,
  unknownPage,
  usersSentence,
} from './record-sentences.js'
import { REQUEST_TEXTS } from './request-sentences.js'

const CALL = { kind: 'control', request: 'r', operation: 'x' } as const
const YOU: Cause = { ...CALL, by: 'console' }
const PENDING = payoutId(3)

const open = () => {
  const entries: CommandRecord[] = []
  const world = fixtureWorld({ record: (entry) => entries.push(entry) })
  const newest = () => entries.at(-1) as CommandRecord
  const describePayout = (attempts = 1, id = PENDING) => {
    const payout = getPayout(world.tables, id)
    return toPlainText(
      paymentSentence(world.tables, payout, world.now, undefined, undefined, attempts),
    )
  }
  const createPayout = (customer_payout_id: string) => {
    const to = { bank_name: 'Rhine', recipient_account_number: '1', account_holder_name: 'Ada' }
    const input = { user_id: userId(1), currency: 'EUR', amount: '10', recipient_details: to }
    return world.run('payout.create', { ...input, customer_payout_id }, BY)
  }
  return { world, newest, createPayout, describePayout }
}

describe('entrySentence', () => {
  test('names who did what', () => {
    const { world, newest, createPayout } = open()
    world.run('balance.credit', { user_id: userId(1), currency: 'EUR', amount: '5000' }, YOU)
    expect(toPlainText(entrySentence(world.tables, newest()))).toBe(
      'You credited 5,000.00 EUR to Ada Okafor',
    )
    world.run('balance.credit', { user_id: userId(1), currency: 'EUR', amount: '1' }, CALL)
    expect(toPlainText(entrySentence(world.tables, newest()))).toMatch(/^A control call credited/)
    world.run('payout.move', { id: PENDING, to: 'PAYOUT_PROCESSED' }, BY)
    expect(toPlainText(entrySentence(world.tables, newest()))).toMatch(
      /^Your test marked 12,500\.00 KES to .* as Processed$/,
    )
    const request = { kind: 'request', request: 'r', operation: 'createPayout' } as const
    world.run('rule.fire', { rule: 'next-1/0', source: 'then.drop', counts: [] }, request)
    expect(toPlainText(entrySentence(world.tables, newest()))).toBe(
      'Your client met your armed call 1',
    )
    createPayout('a')
    createPayout('a')
    expect(toPlainText(entrySentence(world.tables, newest()))).toMatch(
      /asked again for 10\.00 EUR to Rhine: nothing was paid again$/,
    )
    const set = { ...CALL, operation: 'setClock' }
    world.run('clock.set', { mode: 'manual', speed: 0 }, set)
    expect(toPlainText(entrySentence(world.tables, newest()))).toMatch(/paused the clock$/)
    for (const _ of world.advancing(world.now + 1)) expect.fail()
    world.run('clock.set', { mode: 'manual', speed: 0 }, set)
    expect(toPlainText(entrySentence(world.tables, newest()))).toMatch(/moved the clock$/)
  })

  test('names the scenarios that were turned on or off, and the operation of an armed call', () => {
    const { world, newest } = open()
    const activate = (...names: string[]) => {
      world.run('scenarios.activate', { names: [...names, 'happy-path'] }, YOU)
      return toPlainText(entrySentence(world.tables, newest()))
    }
    expect(activate('outage', 'magic-values')).toBe(
      'You turned on outage and turned on magic-values',
    )
    expect(activate('magic-values')).toBe('You turned off outage')
    const readBack = newest().toJSON()
    expect(toPlainText(entrySentence(world.tables, readBack))).toBe('You changed the scenarios')
    const call = {
      operation: 'createPayout',
      user_id: null,
      times: 1,
      then: {},
      yaml: '',
      rules: [],
    }
    world.run('next.arm', call, YOU)
    expect(toPlainText(entrySentence(world.tables, newest()))).toBe(
      'You armed the next createPayout',
    )
  })
})

test('each sentence of a page has at most twenty words', () => {
  const texts = [RECORD_TEXTS, REQUEST_TEXTS, CONTROL_TEXTS].flatMap((it) => Object.values(it))
  const sentences = texts.flatMap((it) => toPlainText(it).split(/(?<=\.) /))
  expect(sentences.length).toBeGreaterThan(30)
  expect(sentences.filter((it) => !/^[A-Z]/.test(it) || it.split(' ').length > 20)).toEqual([])
})

test('sentences about missing things name what to do', () => {
  expect(toPlainText(noMatch('payout', '/payouts'))).toBe('No payout matches. Show all')
  expect(toPlainText(missingWorld('x', false))).toMatch(/^No world has the id x\. .* All worlds$/)
  expect(toPlainText(missingWorld(worldKey(1), true))).toMatch(/^The address contains a key\./)
  expect(unknownPage('GET', '/x')).toMatch(/^The console has no GET \/x\. Paths of the service/)
  expect(partialSearch(20_000)).toContain('the newest 20,000 records')
})

describe('paymentSentence', () => {
  test('says since when a payout is pending, and that nothing is planned', () => {
    expect(open().describePayout()).toBe(
      'For Ben Kariuki. Pending since 08:40:27, and it waits until you move it.',
    )
  })

  test('says when it was processed, and how often a client asked', () => {
    const { world, describePayout } = open()
    world.run('payout.move', { id: PENDING, to: 'PAYOUT_PROCESSED' }, BY)
    expect(describePayout(2)).toBe(
      'For Ben Kariuki. Processed at 09:00:00, 19 min 32 s after it was made. Asked for twice, paid once.',
    )
  })

  test('says why it failed and what was returned', () => {
    const { world, describePayout } = open()
    world.run('payout.move', { id: PENDING, to: 'PAYOUT_FAILED', reason: 'account_closed' }, BY)
    expect(describePayout()).toBe(
      'Failed for good: pay again with a new customer_payout_id. For Ben Kariuki. Failed at 09:00:00: account_closed. The money returned.',
    )
    expect(describePayout(2)).toMatch(/account_closed\. Asked for twice\. The money returned\.$/)
  })

  test('does not advise to pay a bill again that an equal payout before may have paid', () => {
    const { world, createPayout, describePayout } = open()
    const [first, second] = [createPayout('a'), createPayout('b')]
    world.run('payout.move', { id: second.id, to: 'PAYOUT_FAILED' }, BY)
    expect(describePayout(1, second.id)).toMatch(
      /^Failed for good, but asked for before\. Pay again only if this is another bill than 10\.00 EUR to Rhine\. /,
    )
    world.run('payout.move', { id: first.id, to: 'PAYOUT_FAILED' }, BY)
    expect(describePayout(1, second.id)).toMatch(/^Failed for good: pay again with a new/)
  })
})

test('timeText names the day if it is another', () => {
  const now = Date.parse('2026-06-15T09:00:00.000Z')
  expect(timeText('2026-06-15T08:00:00.000Z', now)).toBe('at 08:00:00')
  expect(timeText('2026-05-11T17:02:00.000Z', now)).toBe('on 11 May, 17:02')
})

test('the sentences of lists count what needs a look', () => {
  expect(toPlainText(movingSentence([], 4, [], 0))).toBe('4 are waiting for you.')
  const returned = (...hours: number[]): string => {
    const timers = hours.map(
      (it) => ({ due: it * 3_600_000, plan: { steps: [] } }) as never as Timer,
    )
    return toPlainText(movingSentence([], 0, timers, 0))
  }
  expect(returned(1)).toBe('1 will be returned, in 1 h.')
  expect(returned(30)).toBe('1 will be returned tomorrow.')
  expect(returned(30, 80)).toBe('2 will be returned, the first tomorrow.')
  expect(toPlainText(usersSentence(1, 8))).toBe('1 of 8 users is active.')
  expect(toPlainText(depositsSentence(0, 3))).toBe('Each deposit has found its address.')
  expect(toPlainText(depositsSentence(2, 3))).toMatch(/^2 of 3 deposits matched no address/)
})
