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

test.each<[string, Entry[], number[]]>([
  ['buildLineage of no entries is empty', [], []],
  ['buildLineage contains all entries', entries(['world.begin', 'a', 'b']), [1, 2, 3]],
  ['buildLineage starts after a reset', entries(['world.begin', 'a', 'world.begin', 'b']), [3, 4]],
  [
    'buildLineage skips undone entries',
    entries(['world.begin', 'a', 'b', ['world.undo', 2], 'c']),
    [1, 2, 5],
  ],
  [
    'buildLineage skips entries of several undos',
    entries(['world.begin', 'a', 'b', ['world.undo', 2], ['world.undo', 1], 'c']),
    [1, 6],
  ],
  [
    'buildLineage continues before an undone reset',
    entries(['world.begin', 'a', 'world.begin', 'b', ['world.undo', 2], 'c']),
    [1, 2, 6],
  ],
  [
    'buildLineage continues from a restored snapshot',
    entries(['world.begin', 'snapshot.take', 'a', ['snapshot.restore', 2], 'b']),
    [1, 2, 4, 5],
  ],
  [
    'buildLineage ignores `after` of other commands',
    entries(['world.begin', 'a', ['b', 1], 'c']),
    [1, 2, 3, 4],
  ],
  ['buildLineage contains only kept entries', entries(['b', ['world.undo', 4], 'c'], 7), [9]],
])('%s', (_, list, expected) => {
  expect(seqsOf(list)).toEqual(expected)
})
