import { truncate } from '../../lib/text.js'
import { type Conditions, isNested, type Kind } from '../language/conditions.js'
import {
  compileCheck,
  createFieldReader,
  type FieldReader,
  kindIn,
  nameIn,
} from '../language/match.js'

/** A field with another value than expected. */
export interface Difference {
  readonly field: string
  /** The condition in the expectation. */
  readonly wanted: unknown
  /** The value in the record; null if absent. */
  readonly came: unknown
}

export interface Comparison {
  readonly held: number
  readonly differs: readonly Difference[]
}

/** Compares field by field; nested fields by dotted paths. */
export const compare = (
  conditions: Conditions,
  reader: FieldReader,
  fields: Kind | undefined,
  prefix = '',
): Comparison => {
  let held = 0
  const differs: Difference[] = []
  for (const [name, condition] of Object.entries(conditions)) {
    const field = `${prefix}${name}`
    const value = reader(nameIn(fields, name))
    const kind = kindIn(fields, name)
    if (
      isNested(condition) &&
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value)
    ) {
      const inner = compare(condition, createFieldReader(value), kind, `${field}.`)
      held += inner.held
      differs.push(...inner.differs)
    } else if (compileCheck(condition, kind)(value)) held++
    else differs.push({ field, wanted: condition, came: truncateValue(value) })
  }
  return { held, differs }
}

const MAX_TEXT = 200

/** Truncates long values for reports. */
const truncateValue = (value: unknown): unknown => {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_TEXT ? truncate(text, MAX_TEXT) : value
}
