import { escapeInvisible } from './text.js'

/** Undefined for a text that is not JSON. */
export const parseIfJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The parser quotes a part of the text, which may have line breaks and control characters. */
export const jsonErrorMessage = (error: unknown): string =>
  escapeInvisible((error as Error).message.replace(/\s+/g, ' '))

/** Returns the value at a path, or undefined. Inherited properties do not count. */
export const getAt = (value: unknown, path: readonly PropertyKey[]): unknown => {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<PropertyKey, unknown>)[key]
  }
  return at
}

export const exceedsDepth = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => exceedsDepth(inner, levels - 1)))

const TELLING = ['status', 'code']

/** The fields that differ, by dotted path, with both values. The most telling come first. */
export function* findDifferences(
  a: unknown,
  b: unknown,
  path: readonly string[] = [],
): Generator<{ readonly path: string; readonly a: unknown; readonly b: unknown }> {
  if (JSON.stringify(a) === JSON.stringify(b)) return
  if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b)) {
    return yield { path: path.join('.'), a, b }
  }
  for (const name of new Set([...TELLING, ...Object.keys(a), ...Object.keys(b)])) {
    yield* findDifferences(a[name], b[name], [...path, name])
  }
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
