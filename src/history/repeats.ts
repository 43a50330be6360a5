import type { DomainEvent, Entry } from '../kernel/entry.js'

/** Idempotent repeats, by event. `createdBy` is the event of the creation. */
const REPEATS: Readonly<Record<string, { noun: string; createdBy: string; nothing: string }>> = {
  'payout.repeated': {
    noun: 'payout',
    createdBy: 'payout.created',
    nothing: 'nothing was paid again',
  },
  'wallet.repeated': {
    noun: 'wallet',
    createdBy: 'wallet.created',
    nothing: 'no second wallet was created',
  },
}

/**
 * Finds the request that created a record; undefined if it was no request or is no longer in the
 * journal.
 */
export type FindCreator = (createdBy: string, id: string) => string | undefined

export const findCreatorAmong =
  (entries: Iterable<Entry>): FindCreator =>
  (createdBy, id) => {
    for (const entry of entries) {
      if (entry.events.some((it) => it.type === createdBy && it.id === id))
        return findRequestId(entry)
    }
    return undefined
  }

const findRequestId = ({ cause }: Entry): string | undefined =>
  cause.kind === 'request' ? cause.request : undefined

/** `same payout as request …, nothing was paid again`; undefined for other events. */
export const describeRepeat = (
  { type, id }: DomainEvent,
  findCreator?: FindCreator,
): string | undefined => {
  const repeat = REPEATS[type]
  if (!repeat) return undefined
  const creator = findCreator?.(repeat.createdBy, id)
  const first = creator === undefined ? 'before' : `request ${creator}`
  return `same ${repeat.noun} as ${first}, ${repeat.nothing}`
}
