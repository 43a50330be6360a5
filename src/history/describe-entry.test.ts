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

test('describeEntry describes rules that fired on a request or counted it', () => {
  const fired = { type: 'rule.fired', id: 'bad-day/0', source: 'bad-day.yaml:2' }
  expect(describe('rule.fire', [fired])).toBe(
    'bad-day/0 (bad-day.yaml:2) stepped in, by a library call',
  )
  expect(describe('rule.fire', [])).toBe('counted it and let it pass, by a library call')
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
