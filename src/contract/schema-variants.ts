import type * as z from 'zod'
import {
  type AssumptionId,
  defaultReading,
  type ReadingLookup,
  type ReadingOf,
} from '../assumptions/ids.js'

export type ReadingSource = <Id extends AssumptionId>(id: Id, reading: ReadingOf<Id>) => boolean

export const chosenBy =
  (read: ReadingLookup): ReadingSource =>
  (id, reading) =>
    read(id) === reading

export const chosenByDefault: ReadingSource = chosenBy(defaultReading)

/** For documents that contain no more than the contract. */
export const anyReading: ReadingSource = () => true

/**
 * Nullable under a reading other than the default. The type stays that of the default; `AsRead`
 * adds null.
 */
export const nullableIf = <S extends z.ZodType>(isNullable: boolean, schema: S): S =>
  isNullable ? (schema.nullable() as z.ZodType as S) : schema

/** A response under any reading: values may be null or absent. */
export type AsRead<T> = T extends object ? { readonly [K in keyof T]?: AsRead<T[K]> | null } : T

/**
 * Open questions about the shape of a request. The default schema validates first; other readings
 * matter only for a request that it rejects.
 */
export interface SchemaVariants {
  /** The assumptions behind an issue; undefined if the contract leaves no doubt. */
  readonly assumptionFor: (
    issue: z.core.$ZodIssue,
    value: unknown,
    read: ReadingLookup,
  ) => AssumptionId | readonly AssumptionId[] | undefined
  readonly ids: readonly AssumptionId[]
  /** Asked only where one of `ids` has another reading than the default. */
  readonly schema: (read: ReadingLookup) => z.ZodType
  /** The objection of a stricter reading to a request that passes the default schema. */
  readonly extraCheck?: (parsed: unknown, read: ReadingLookup) => string | undefined
}
