import { expect, test } from 'vitest'
import type { Entry } from '../kernel/entry.js'
import { buildLineage } from './lineage.js'

/** Entries numbered from 1 on, or from another number. */
const entries = (commands: readonly (string | [string, number])[], first = 1): Entry[] =>
  commands.map((it, i) => {
    const [command, after] = typeof it === 'string' ? [it] : it
    return {
      seq: first + i,
      at: '2026-06-15T09:00:00.000Z',
      cause: { kind: 'library' },
      command,
      input: after === undefined ? {} : { after },
      events: [],
      changes: [],
    }
  })

const seqsOf = (list: readonly Entry[]) => buildLineage(list).map(({ seq }) => seq)

test('buildLineage skips undone entries, and ignores `after` of other commands', () => {
  const list = entries(['world.begin', 'a', 'b', ['world.undo', 2], ['c', 1]])
  expect(seqsOf(list)).toEqual([1, 2, 5])
  expect(seqsOf([])).toEqual([])
})

test('buildLineage contains only kept entries', () => {
  expect(seqsOf(entries(['b', ['world.undo', 4], 'c'], 7))).toEqual([9])
})
