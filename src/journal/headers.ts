import { lastFour } from '../secrets.js'

/** Headers as they came: names and values by turns, a line each, or those of a request in process. */
export type KeptHeaders = Headers | string

let lastRaw: readonly string[] = []
let lastKept = ''

/**
 * Keeps the names and values that Node gives; no header has a line break in it. Most clients send the
 * same ones again and again: these are kept once.
 */
export const keepHeaders = (raw: readonly string[]): KeptHeaders => {
  if (!isSame(raw, lastRaw)) {
    lastRaw = raw
    lastKept = raw.join('\n')
  }
  return lastKept
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** A value shorter than this would be told by its last four characters. */
const SHORTEST_TOLD = 16

const redactKey = (value: string): string =>
  value.length < SHORTEST_TOLD ? '…' : `…${lastFour(value)}`

/** How headers that carry secrets are shown. */
const REDACTED: Readonly<Record<string, (value: string) => string>> = {
  'x-api-key': redactKey,
  authorization: () => '…',
  'proxy-authorization': () => '…',
  cookie: () => '…',
  'set-cookie': () => '…',
}

/** Headers by their names in lower case, without secrets. Of one that came twice both values are shown. */
export const showHeaders = (
  headers: Iterable<readonly [string, string]>,
): Record<string, string> => {
  const values = new Map<string, string>()
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    const shown = (Object.hasOwn(REDACTED, name) && REDACTED[name]?.(value)) || value
    const before = values.get(name)
    values.set(name, before === undefined ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(values)
}

/** The same as text. */
export const linesOf = (headers: KeptHeaders): string =>
  typeof headers === 'string' ? headers : [...headers].flat().join('\n')

export function* pairsOf(headers: KeptHeaders): Iterable<readonly [string, string]> {
  if (headers instanceof Headers) yield* headers
  else {
    const lines = headers.split('\n')
    for (let i = 0; i + 1 < lines.length; i += 2) yield [lines[i] ?? '', lines[i + 1] ?? '']
  }
}
