import { type Condition, type Conditions, isOperators } from './conditions.js'

/** A whole value in a condition, and its place. */
export interface Literal {
  readonly place: readonly PropertyKey[]
  readonly value: unknown
}

/** Values that a condition accepts: alone, in a list, or by `eq` or `in`. */
export const acceptedLiterals = (condition: Condition | undefined): Literal[] => {
  if (condition === undefined) return []
  if (Array.isArray(condition)) return condition.map((value, i) => ({ place: [i], value }))
  if (typeof condition !== 'object' || condition === null) return [{ place: [], value: condition }]
  if (!isOperators(condition)) return []
  const { eq, in: any } = condition
  // Runs on conditions that may still be malformed.
  const listed = Array.isArray(any) ? any : []
  return [
    ...(eq === undefined ? [] : [{ place: ['eq'], value: eq }]),
    ...listed.map((value, i) => ({ place: ['in', i], value })),
  ]
}

/** All values of a condition, also those that it excludes. */
const namedIn = (condition: Condition | undefined): Literal[] => {
  const through = acceptedLiterals(condition)
  if (typeof condition !== 'object' || condition === null || !isOperators(condition)) return through
  const { ne } = condition
  return ne === undefined ? through : [...through, { place: ['ne'], value: ne }]
}

/** A text that the field can never have, with its place and the accepted values. */
export interface UnknownValue {
  readonly path: readonly PropertyKey[]
  readonly accepted: string
  /** Whether the name of the field is unknown, rather than its value. */
  readonly isKey?: true
}

/** Texts in a condition that its field can never have. */
export const unknownValuesIn = (
  conditions: Conditions,
  field: string,
  accepted: string,
  isWord: (text: string) => boolean,
): UnknownValue[] =>
  namedIn(conditions[field])
    .filter(({ value }) => typeof value === 'string' && !isWord(value))
    .map(({ place }) => ({ path: [field, ...place], accepted }))
