import type * as z from 'zod'
import type { AssumptionId, ReadingOf } from '../assumptions/ids.js'
import { DEFAULTS, type Readings } from '../assumptions/use.js'

export type ReadingSource = <Id extends AssumptionId>(id: Id, reading: ReadingOf<Id>) => boolean

export const chosenBy =
  (readings: Readings): ReadingSource =>
  (id, reading) =>
    readings.of(id) === reading

export const chosenByDefault: ReadingSource = chosenBy(DEFAULTS)

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
