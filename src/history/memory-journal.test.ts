import { describe, expect, test } from 'vitest'
import type { Entry } from '../kernel/entry.js'
import { MemoryJournal } from './memory-journal.js'

const journalUpTo = (last: number): MemoryJournal => {
  const journal = new MemoryJournal()
  for (let seq = 1; seq <= last; seq++) {
    journal.add({ seq } as Entry)
  }
  return journal
}

const seqs = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq)

describe('MemoryJournal', () => {
  test('has the machine time of an entry that replaced a dropped one', () => {
    const journal = new MemoryJournal()
    journal.add({ seq: 1 } as Entry, 100)
    journal.add({ seq: 2 } as Entry, 200)
    journal.drop()
    journal.add({ seq: 2 } as Entry, 300)
    expect([journal.machineTimeOf(1), journal.machineTimeOf(2)]).toEqual([100, 300])
    expect(seqs(journal.all())).toEqual([1, 2])
  })

  test('keeps its number after its only entry was dropped', () => {
    const journal = new MemoryJournal(7)
    journal.add({ seq: 8 } as Entry)
    journal.drop()
    expect([journal.oldest, journal.newest]).toEqual([8, 7])
    expect([6, 7, 8].map((seq) => journal.hasAllAfter(seq))).toEqual([false, true, false])
    expect(journal.all()).toEqual([])
  })

  test('returns the next entries after a number up to the limit', () => {
    const journal = journalUpTo(5)
    expect(seqs(journal.oldestAfter(0, 2))).toEqual([1, 2])
    expect(seqs(journal.oldestAfter(3, 9))).toEqual([4, 5])
    expect(seqs(journal.oldestAfter(5, 9))).toEqual([])
    expect(seqs(journalUpTo(12_345).oldestAfter(2_400, 3))).toEqual([2_401, 2_402, 2_403])
  })

  test('reports its range, and whether it still has all entries after a number', () => {
    const empty = new MemoryJournal()
    expect([empty.oldest, empty.newest, empty.hasAllAfter(0), empty.hasAllAfter(1)]).toEqual([
      0,
      0,
      true,
      false,
    ])
    const journal = journalUpTo(12_345)
    expect([journal.oldest, journal.newest]).toEqual([2_346, 12_345])
    const known = [2_344, 2_345, 12_345, 12_346].map((seq) => journal.hasAllAfter(seq))
    expect(known).toEqual([false, true, true, false])
  })

  test('misses nothing before its first entry, whatever its number', () => {
    const journal = new MemoryJournal()
    for (let seq = 3; seq <= 10_002; seq++) journal.add({ seq } as Entry)
    expect([journal.oldest, journal.hasAllAfter(0)]).toEqual([3, true])
    expect(seqs(journal.oldestAfter(0, 2))).toEqual([3, 4])
    journal.add({ seq: 10_003 } as Entry)
    expect([2, 3].map((seq) => journal.hasAllAfter(seq))).toEqual([false, true])
  })

  test('returns the machine time of its entries', () => {
    const journal = new MemoryJournal()
    for (let seq = 1; seq <= 10_005; seq++) journal.add({ seq } as Entry, 1_000 + seq)
    expect([5, 6, 10_005, 10_006].map((seq) => journal.machineTimeOf(seq))).toEqual([
      undefined,
      1_006,
      11_005,
      undefined,
    ])
    expect(journalUpTo(3).machineTimeOf(2)).toBe(undefined)
  })
})
