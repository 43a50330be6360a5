import { expect, test } from 'vitest'
import type { Cause, DomainEvent, Entry } from '../kernel/entry.js'
import { describeCause, describeEntry } from './describe-entry.js'

const describe = (
  command: string,
  events: readonly DomainEvent[],
  more: Partial<Entry> = {},
): string => {
  const cause: Cause = { kind: 'library' }
  const entry = { seq: 1, at: '', cause, command, input: {}, events, changes: [], ...more }
  return describeEntry(entry, events)
}

test.each<[DomainEvent, string]>([
  [{ type: 'user.created', id: 'a' }, 'created'],
  [
    { type: 'transfer.moved', id: 'a', from: 'PENDING', to: 'FAILED' },
    'moved from PENDING to FAILED',
  ],
  [
    { type: 'transfer.moved', id: 'a', from: 'PENDING', to: 'FAILED', reason: 'closed' },
    'moved from PENDING to FAILED (closed)',
  ],
  [{ type: 'world.forked', id: 'a', from: 'b' }, 'forked'],
  [
    { type: 'balance.credited', id: 'a', amount: '1.50', currency: 'EUR' },
    'credited with 1.50 EUR',
  ],
  [{ type: 'api_key.set', id: 'a' }, 'changed'],
  [{ type: 'clock.set', id: 'clock', now: '2026', mode: 'manual' }, 'set to 2026, manual,'],
])('describeEvent describes %j: %s', (event, words) => {
  expect(describe('some.command', [event])).toBe(`${words} by a library call`)
})

test('describeEntry joins several events, and names a command without events', () => {
  const facts = ['a.made', 'a.moved'].map((type) => ({ type, id: 'a' }))
  expect(describe('a.make', facts)).toBe('made and moved by a library call')
  expect(describe('a.make', [])).toBe('changed by a.make, by a library call')
})

test('describeEntry names the rule that left a record unchanged', () => {
  const events = [
    { type: 'a.made', id: 'a' },
    { type: 'rule.fired', id: 'stuck/0', subject: 'a', source: 'stuck.yaml:3' },
  ]
  expect(describe('a.make', events)).toBe(
    'made by a library call and left unchanged by rule stuck/0 (stuck.yaml:3)',
  )
})

test('describeEntry names the rule whose steps ran within the command once', () => {
  const cause = {
    kind: 'rule',
    subject: 'a',
    scenario: 's',
    rule: 1,
    step: 0,
    source: 's.yaml:4',
  } as const
  const events = [
    { type: 'a.made', id: 'a' },
    { type: 'a.moved', id: 'a', cause },
    { type: 'a.closed', id: 'a', cause: { ...cause, step: 1 } },
  ]
  expect(describe('a.make', events)).toBe(
    'made by a library call and moved and closed by rule 1 of s (s.yaml:4)',
  )
})

test('describeEntry describes rules that fired on a request or counted it', () => {
  const fired = { type: 'rule.fired', id: 'bad-day/0', source: 'bad-day.yaml:2' }
  expect(describe('rule.fire', [fired])).toBe(
    'bad-day/0 (bad-day.yaml:2) stepped in, by a library call',
  )
  expect(describe('rule.fire', [])).toBe('counted it and let it pass, by a library call')
})

test('describeEntry names the command of a refusal', () => {
  const refused = { code: 'illegal', message: 'it is final' } as const
  const ask = (input: object) => describe('user.move', [], { refused, input })
  expect(ask({ to: 'active' })).toBe(
    'user.move to active by a library call was refused: it is final',
  )
  expect(ask({})).toBe('user.move by a library call was refused: it is final')
})

test.each<[Cause, string]>([
  [{ kind: 'request', request: 'r', operation: 'createUser' }, 'by request r (createUser)'],
  [
    { kind: 'read', request: 'r', operation: 'getTransferStatus' },
    'by the read of request r (getTransferStatus)',
  ],
  [{ kind: 'control', request: 'r', operation: 'undo' }, 'by hand: control call undo, request r'],
  [{ kind: 'boot' }, 'by boot'],
])('describeCause describes %j: %s', (cause, words) => expect(describeCause(cause)).toBe(words))
