import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../../kernel/entry.js'
import { FORMAT } from './stored-state.js'
import { formatCommit, formatHeader, parseLine, parseWal, withChecksum } from './wal-records.js'

const commitOf = (...inputs: unknown[]) => ({
  id: 'default',
  head: undefined,
  entries: inputs.map(
    (input): Entry => ({
      seq: 1,
      at: '2026-01-01T00:00:00.000Z',
      cause: { kind: 'library' },
      command: 'x',
      input,
      events: [],
      changes: [],
    }),
  ),
})

const header = formatHeader({ format: FORMAT, snapshot: { id: 'a', crc: '00000000', size: 0 } })

test('a record returns whatever JSON an entry holds, lone surrogates and reserved names included', () => {
  const values = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constant('\ud800 \udc00'),
  )
  fc.assert(
    fc.property(values, (input) => {
      const line = formatCommit(commitOf(input))
      expect(line.endsWith('\n')).toBe(true)
      expect(line.indexOf('\n')).toBe(line.length - 1)
      const parsed = parseLine(withChecksum(line).subarray(0, -1))
      const { entries } = commitOf(JSON.parse(JSON.stringify(input)))
      expect(parsed).toEqual({ value: { world: 'default', entries } })
    }),
  )
})

test('the checksum of a record detects every change of a single byte', () => {
  const bytes = withChecksum(formatCommit(commitOf({ a: 'é' }))).subarray(0, -1)
  for (let at = 0; at < bytes.length; at++) {
    const spoiled = Buffer.from(bytes)
    spoiled[at] = (spoiled[at] ?? 0) ^ 4
    expect(parseLine(spoiled)).toMatch(/checksum/)
  }
})

test('each of several records has a checksum of its own', () => {
  const lines = [1, 'é', null].map((input) => formatCommit(commitOf(input)))
  const alone = lines.map((line) => withChecksum(line))
  expect(withChecksum(lines.join(''))).toEqual(Buffer.concat(alone))
  expect(withChecksum('')).toEqual(Buffer.alloc(0))
})

test('a commit of several records counts only when its last one is whole', () => {
  const long = withChecksum(header + formatCommit(commitOf(...Array(2_500).keys())))
  const lines = long.toString().split('\n')
  expect(lines).toHaveLength(1 + 3 + 1)
  expect(parseWal(long, 'j').records.flatMap(({ entries }) => entries)).toHaveLength(2_500)
  const cut = Buffer.from(`${lines.slice(0, 3).join('\n')}\n`)
  expect(parseWal(cut, 'j')).toMatchObject({ records: [], torn: cut.length - header.length })
})

test('a journal without a header is refused', () => {
  for (const text of ['', '{"sum":"12']) {
    expect(() => parseWal(Buffer.from(text), 'j')).toThrow('j:1: its first line is not whole')
  }
  expect(() => parseWal(Buffer.from('12'), 'j')).toThrow('j:1: it is no journal of Sandramp')
})
