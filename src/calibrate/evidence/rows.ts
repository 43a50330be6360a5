import type { OperationId } from '../../../generated/api-types.js'
import type { AssumptionId, ReadingOf } from '../../assumptions/ids.js'
import { type Exchange, isOk } from '../exchange.js'
import type { Answered, Traffic } from '../traffic.js'

/** Records that exchanges fit only these readings. None: the service does what no reading has. */
export type Say<Reading extends string> = (
  readings: Reading | readonly Reading[],
  why: string,
  ...shown: readonly Exchange[]
) => void

/** The readings of another question that its own evidence leaves. */
export type Left = <Id extends AssumptionId>(id: Id) => readonly ReadingOf<Id>[]

export type Find<Reading extends string> = (t: Traffic, say: Say<Reading>, left: Left) => void

export interface Evidence<Reading extends string> {
  /** The requests that would show it. */
  readonly needs: string
  readonly find: Find<Reading>
  /** Whether nothing that a client can see depends on it. */
  readonly isMoot?: (left: Left) => boolean
}

export type EvidenceOf<Id extends AssumptionId> = {
  readonly [Each in Id]: Evidence<ReadingOf<Each>>
}

type Map<Reading extends string> = Readonly<Record<string, Reading | readonly Reading[]>>

const lookUp = <Reading extends string>(map: Map<Reading>, value: string) =>
  Object.hasOwn(map, value) ? (map[value] ?? []) : []

type Words = readonly (readonly [word: string | null | undefined, x: Exchange])[]

/** Words of answers; of those that show none, undefined. */
export const seen =
  <const Reading extends string>(map: Map<Reading>, words: (t: Traffic) => Words): Find<Reading> =>
  (t, say) => {
    for (const [word, x] of words(t)) if (word) say(lookUp(map, word), word, x)
  }

interface Odd<Reading extends string> {
  readonly operation: OperationId
  readonly isOdd: (x: Exchange, t: Traffic) => boolean
  /** The fields in which the plain request differs. */
  readonly fields: readonly string[] | ((x: Exchange) => readonly string[])
  readonly accepted: Reading | readonly Reading[]
  readonly refused: Reading | readonly Reading[]
  readonly fits?: (x: Exchange, plain: Answered) => boolean
}

/** Refusals that have other causes than the form of a request. */
const ELSEWHERE = [401, 403, 404, 409]

/** An odd request that was accepted decides alone; a refused one with its plain pair, which was accepted. */
export const accepts =
  <const Reading extends string>(...rows: readonly Odd<Reading>[]): Find<Reading> =>
  (t, say) => {
    for (const { operation, isOdd, fields, accepted, refused, fits } of rows)
      for (const x of t.of(operation)) {
        if (!isOdd(x, t)) continue
        if (t.isNew(x)) say(accepted, 'accepted', x)
        if (isOk(x) || ELSEWHERE.includes(x.status) || t.isTaken(x)) continue
        const list = typeof fields === 'function' ? fields(x) : fields
        const plain = t.control(x, list, (y) => !isOdd(y, t) && fits?.(x, y) !== false)
        if (plain)
          say(x.status === 400 ? refused : [], 'refused, and accepted without it', x, plain)
      }
  }
