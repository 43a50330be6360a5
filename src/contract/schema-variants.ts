import type * as z from 'zod'
import {
  type AssumptionId,
  defaultReading,
  type ReadingLookup,
  type ReadingOf,
} from '../assumptions/ids.js'

/** Tells whether something may be read in a certain way. */
export type ReadingSource = <Id extends AssumptionId>(id: Id, reading: ReadingOf<Id>) => boolean

/** Only the readings that are chosen. */
export const chosenBy =
  (read: ReadingLookup): ReadingSource =>
  (id, reading) =>
    read(id) === reading

/** Only the defaults. */
export const chosenByDefault: ReadingSource = chosenBy(defaultReading)

/** Every reading, as for a document that says no more than the contract. */
export const anyReading: ReadingSource = () => true

/** Null too, in a reading other than the default: the type stays that of the default, and AsRead adds null. */
export const nullableIf = <S extends z.ZodType>(isNullable: boolean, schema: S): S =>
  isNullable ? (schema.nullable() as z.ZodType as S) : schema

/** An answer as it is read: some readings put null where the document has a value, or leave it out. */
export type AsRead<T> = T extends object ? { readonly [K in keyof T]?: AsRead<T[K]> | null } : T

/**
 * What the contract leaves open about the shape of a request. Requests are held against the default
 * schema; only where one does not fit is asked whether another reading lets it pass.
 */
export interface SchemaVariants {
  /** The assumptions by which something in a request does not fit; undefined where the contract leaves no doubt. */
  readonly assumptionFor: (
    issue: z.core.$ZodIssue,
    value: unknown,
    read: ReadingLookup,
  ) => AssumptionId | readonly AssumptionId[] | undefined
  /** The assumptions that make another schema. */
  readonly ids: readonly AssumptionId[]
  /** The schema under these readings. */
  readonly schema: (read: ReadingLookup) => z.ZodType
  /** What a reading that is stricter than the default has against a request that fits, in words. */
  readonly extraCheck?: (parsed: unknown, read: ReadingLookup) => string | undefined
}
