import { type Condition, isOperators } from './conditions.js'

/** A value that a condition names as a whole, and where within the condition it stands. */
export interface Named {
  readonly place: readonly PropertyKey[]
  readonly value: unknown
}

/** The values that a condition lets through: those that it names by itself, in a list, or by `eq` or `in`. */
export const letThrough = (condition: Condition | undefined): Named[] => {
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
export const namedIn = (condition: Condition | undefined): Named[] => {
  const through = letThrough(condition)
  if (typeof condition !== 'object' || condition === null || !isOperators(condition)) return through
  const { ne } = condition
  return ne === undefined ? through : [...through, { place: ['ne'], value: ne }]
}

/** Texts that a condition on a few words names though there are none such. */
export const strangeWords = (
  condition: Condition | undefined,
  isWord: (text: string) => boolean,
): Named[] => namedIn(condition).filter(({ value }) => typeof value === 'string' && !isWord(value))
