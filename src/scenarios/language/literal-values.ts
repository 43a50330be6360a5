import { type Condition, type Conditions, isOperators } from './conditions.js'

/** A value that a condition names as a whole, and where within the condition it stands. */
export interface Literal {
  readonly place: readonly PropertyKey[]
  readonly value: unknown
}

/** The values that a condition lets through: those that it names by itself, in a list, or by `eq` or `in`. */
export const acceptedLiterals = (condition: Condition | undefined): Literal[] => {
  if (condition === undefined) return []
  if (Array.isArray(condition)) return condition.map((value, i) => ({ place: [i], value }))
  if (typeof condition !== 'object' || condition === null) return [{ place: [], value: condition }]
  if (!isOperators(condition)) return []
  const { eq, in: any } = condition
  // Conditions are looked at before anybody knows whether they are well formed.
  const listed = Array.isArray(any) ? any : []
  return [
    ...(eq === undefined ? [] : [{ place: ['eq'], value: eq }]),
    ...listed.map((value, i) => ({ place: ['in', i], value })),
  ]
}

/** All values that a condition names, those that it keeps out too. */
const namedIn = (condition: Condition | undefined): Literal[] => {
  const through = acceptedLiterals(condition)
  if (typeof condition !== 'object' || condition === null || !isOperators(condition)) return through
  const { ne } = condition
  return ne === undefined ? through : [...through, { place: ['ne'], value: ne }]
}

/** A text that is none of those that a field can hold: where it stands, and what is accepted there. */
export interface UnknownValue {
  readonly path: readonly PropertyKey[]
  readonly accepted: string
  /** Whether the name of a field is the trouble, rather than its value. */
  readonly isKey?: true
}

/** Texts that conditions name in a field though it can hold none such. */
export const unknownValuesIn = (
  conditions: Conditions,
  field: string,
  accepted: string,
  isWord: (text: string) => boolean,
): UnknownValue[] =>
  namedIn(conditions[field])
    .filter(({ value }) => typeof value === 'string' && !isWord(value))
    .map(({ place }) => ({ path: [field, ...place], accepted }))
