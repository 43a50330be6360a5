import type { Tables } from '../../domain/schema.js'
import type { Noun } from '../language/fields.js'
import type { CreationOrder } from './creation-order.js'
import type { LoggedRequest } from './logged-request.js'

/** What expectations are held against: the records of a world, and the exchanges of its request log. */
export interface VerificationInput {
  readonly tables: Tables
  /** The lowest number of a record that the fixtures did not bring. */
  readonly firstOwn: (noun: Noun) => number
  readonly exchanges: () => readonly LoggedRequest[]
  /** How many exchanges the request log holds no more, since it has no room for them; infinite when it is off. */
  readonly evictedCount: number
  readonly order: () => CreationOrder
  /** The rules that have fired in this world, and how often. */
  readonly fired: () => readonly { readonly rule: string; readonly times: number }[]
}
