import type { DomainEvent, Entry } from '../kernel/entry.js'
import type { MemoryJournal } from './memory-journal.js'

/** Idempotent repeats by the fact that states them. */
const REPEATS: Readonly<Record<string, { noun: string; made: string; nothing: string }>> = {
  'payout.repeated': { noun: 'payout', made: 'payout.created', nothing: 'nothing was paid again' },
  'wallet.repeated': {
    noun: 'wallet',
    made: 'wallet.created',
    nothing: 'no second wallet was made',
  },
}

/** Finds the request that made a record; undefined when no request did, or the journal lost it. */
export type FindCreator = (made: string, id: string) => string | undefined

/** Searches the journal backwards from an entry: a repeat mostly follows soon. */
export const creatorBefore =
  (journal: MemoryJournal, seq: number): FindCreator =>
  (made, id) => {
    const maker = journal.findBefore(seq, ({ events }) =>
      events.some((it) => it.type === made && it.id === id),
    )
    return maker && findRequestId(maker)
  }

/** The same among entries at hand, of which one record was made by one. */
export const creatorAmong =
  (entries: Iterable<Entry>): FindCreator =>
  (made, id) => {
    for (const entry of entries) {
      if (entry.events.some((it) => it.type === made && it.id === id)) return findRequestId(entry)
    }
    return undefined
  }

const findRequestId = ({ cause }: Entry): string | undefined =>
  cause.kind === 'request' ? cause.request : undefined

/** `same payout as request …, nothing was paid again`; undefined for a fact that is no repeat. */
export const describeRepeat = (
  { type, id }: DomainEvent,
  findMaker?: FindCreator,
): string | undefined => {
  const repeat = REPEATS[type]
  if (!repeat) return undefined
  const maker = findMaker?.(repeat.made, id)
  const first = maker === undefined ? 'before' : `request ${maker}`
  return `same ${repeat.noun} as ${first}, ${repeat.nothing}`
}

/** What the entries of a request say of a repeat; undefined when it repeated nothing. */
export const findRepeat = (
  journal: MemoryJournal,
  from: number,
  to: number,
): string | undefined => {
  if (to < from || !journal.follows(from - 1)) return undefined
  for (const { seq, events } of journal.next(from - 1, to - from + 1)) {
    for (const event of events) {
      const words = describeRepeat(event, creatorBefore(journal, seq))
      if (words !== undefined) return words
    }
  }
  return undefined
}
