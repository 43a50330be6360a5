import type { Tables } from '../../domain/schema.js'
import type { Noun } from '../language/fields.js'
import type { CreationOrder } from './creation-order.js'
import type { LoggedRequest } from './logged-request.js'

/** The records and exchanges that expectations are about. */
export interface VerificationInput {
  readonly tables: Tables
  /** The lowest number of a record that is not from the fixtures. */
  readonly firstOwn: (noun: Noun) => number
  readonly exchanges: () => readonly LoggedRequest[]
  /** Evicted exchanges; infinite if the log is off. */
  readonly evictedCount: number
  readonly order: () => CreationOrder
  /** The steps of a rule, `<scenario>/<rule>`; none if the world no longer has it. */
  readonly findSteps: (rule: string) => readonly object[]
  /** How often each rule has fired. */
  readonly fired: () => readonly { readonly rule: string; readonly times: number }[]
}
