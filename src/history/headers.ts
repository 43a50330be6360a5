import type { Redact, Redactor } from './redact.js'

/** Redacted headers: names and values in turn, one per line. */
export type CapturedHeaders = string

let lastRaw: readonly string[] = []
let lastKept = ''
let lastRedact: Redactor | undefined

/**
 * Redacts headers in Node's form: names and values in turn. Headers contain no line breaks.
 * Repeated headers of a client are stored once.
 */
export const captureHeaders = (raw: readonly string[], redact: Redactor): CapturedHeaders => {
  if (redact !== lastRedact || !isSame(raw, lastRaw)) {
    lastRedact = redact
    lastRaw = raw
    lastKept = raw
      .map((text, i) => (i % 2 === 1 ? redacted(raw[i - 1] ?? '', text, redact) : text))
      .join('\n')
  }
  return lastKept
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const HIDDEN = new Set(['authorization', 'proxy-authorization', 'cookie'])

const redacted = (given: string, value: string, redact: Redactor): string => {
  const name = given.toLowerCase()
  if (HIDDEN.has(name)) return '…'
  // A misnamed header such as api-key carries a key too.
  return name === 'x-api-key' ? redact.maskKey(value) : redact(value)
}

export const captureResponseHeaders = (
  headers: Readonly<Record<string, string>>,
  redact: Redact,
): CapturedHeaders => {
  let lines = ''
  for (const name in headers) {
    const line = `${name}\n${headers[name] ?? ''}`
    lines += lines === '' ? line : `\n${line}`
  }
  return redact(lines)
}

/** By lower case name; repeated headers as a list. */
export const showHeaders = (
  headers: Iterable<readonly [string, string]>,
): Record<string, string> => {
  const values = new Map<string, string>()
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(values)
}

export function* toPairs(headers: CapturedHeaders): Iterable<readonly [string, string]> {
  const lines = headers.split('\n')
  for (let i = 0; i + 1 < lines.length; i += 2) yield [lines[i] ?? '', lines[i + 1] ?? '']
}

export const NO_HEADERS: Readonly<Record<string, string>> = {}
