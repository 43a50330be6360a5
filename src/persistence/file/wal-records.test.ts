import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../../kernel/entry.js'
import { readJournal } from './read-journal.js'
import { entryRecord, parseRecord, withChecksum } from './wal-records.js'

const entryOf = (input: unknown): Entry => ({
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  cause: { kind: 'library' },
  command: 'x',
  input,
  events: [],
  changes: [],
})

test('gives back whatever JSON an entry holds, lone surrogates and names of JavaScript’s own too', () => {
  const values = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constant('\ud800 \udc00'),
  )
  fc.assert(
    fc.property(values, (input) => {
      const line = entryRecord('default', entryOf(input))
      expect(line.endsWith('\n')).toBe(true)
      expect(line.indexOf('\n')).toBe(line.length - 1)
      const opened = parseRecord(withChecksum(line).subarray(0, -1))
      const again = JSON.parse(JSON.stringify(input))
      expect(opened).toEqual({ value: { world: 'default', entry: entryOf(again) } })
    }),
  )
})

test('sees every change of a single byte', () => {
  const bytes = withChecksum(entryRecord('default', entryOf({ a: 'é' }))).subarray(0, -1)
  for (let at = 0; at < bytes.length; at++) {
    const spoiled = Buffer.from(bytes)
    spoiled[at] = (spoiled[at] ?? 0) ^ 4
    expect(parseRecord(spoiled)).toMatch(/checksum/)
  }
})

test('seals each of several lines by itself', () => {
  const lines = [1, 'é', null].map((input) => entryRecord('default', entryOf(input)))
  const alone = lines.map((line) => withChecksum(line))
  expect(withChecksum(lines.join(''))).toEqual(Buffer.concat(alone))
  expect(withChecksum('')).toEqual(Buffer.alloc(0))
})

test('reads no line out of a journal that has none', () => {
  for (const text of ['', '{"sum":"12']) {
    expect(() => readJournal(Buffer.from(text), 'j')).toThrow('j:1: its first line is not whole')
  }
  expect(() => readJournal(Buffer.from('12'), 'j')).toThrow('j:1: it is no journal of Sandramp')
})
