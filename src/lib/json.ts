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
