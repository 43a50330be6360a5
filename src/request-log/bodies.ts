import { exceedsDepth } from '../lib/nesting.js'
import type { Redact } from './redact.js'

/** Characters of a body that the request log stores. */
export const MAX_BODY = 16 * 1024

/** Deeper JSON is shown as text, because formatting needs stack for each level. */
export const MAX_DEPTH = 100

/** A body that was too long to store whole. */
interface TruncatedBody {
  /** Without data URIs, cut at the limit. */
  readonly text: string
  /** Number of dropped characters. */
  readonly more: number
  /** Size of the whole body. */
  readonly bytes: number
}

/** The text, or the start of a long one. Undefined without a body. */
export type CapturedBody = string | TruncatedBody | undefined

/** A secret can cross the limit with each letter escaped. */
const MARGIN = 256

/** Redacts a body and truncates a long one. `value` is its parsed JSON, if it is JSON. */
export const captureBody = (text: string, value: unknown, redact: Redact): CapturedBody => {
  if (text.length <= MAX_BODY) return redactBody(text, redact)
  const whole = value === undefined ? text : withoutUris(text)
  const redacted = redact(whole.slice(0, MAX_BODY + MARGIN))
  // A slice would keep the whole text in memory; a copy does not.
  const head = Buffer.from(redacted.slice(0, MAX_BODY)).toString()
  const rest = Math.max(0, whole.length - MAX_BODY - MARGIN)
  const more = Math.max(0, redacted.length - MAX_BODY) + rest
  return { text: head, more, bytes: Buffer.byteLength(text) }
}

/** Redacts only strings of JSON. Data URIs stay, because base64 can look like a key. */
const redactBody = (text: string, redact: Redact): string => {
  // Most bodies have no semicolon, and this search is much faster than the pattern.
  if (!text.includes(';') || !/"data:/i.test(text)) {
    const redacted = redact(text)
    if (redacted === text) return text
  }
  if (parsed(text) === undefined) return redact(text)
  return eachString(text, (written) => (isUri(written) ? written : redact(written)))
}

/** The body as text. */
export const bodyText = (body: CapturedBody): string | undefined => {
  if (typeof body === 'object') {
    return body.more > 0 ? `${body.text}… (${body.more} more characters)` : body.text
  }
  if (body === undefined || !body.includes('data:')) return body
  return parsed(body) === undefined ? body : withoutUris(body)
}

/** Parsed JSON; text if it is malformed or truncated. */
export const bodyValue = (body: CapturedBody): unknown => {
  const text = bodyText(body)
  if (text === undefined) return null
  const value = parsed(text)
  return value === undefined || exceedsDepth(value, MAX_DEPTH) ? text : value
}

/** Size of the whole body in bytes. */
export const bodyBytes = (body: CapturedBody): number =>
  typeof body === 'object' ? body.bytes : Buffer.byteLength(body ?? '')

/** Replaces data URIs in the text itself: parsing and formatting would change numbers. */
const withoutUris = (json: string): string =>
  eachString(json, (written) => (isUri(written) ? withoutUri(written) : written))

const isUri = (written: string): boolean => /^"data:/i.test(written)

/** Replaces the strings of a JSON text in their escaped form. */
const eachString = (json: string, change: (written: string) => string): string => {
  const parts: string[] = []
  let end = 0
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', end)) {
    parts.push(json.slice(end, at))
    end = endOfString(json, at) + 1
    parts.push(change(json.slice(at, end)))
  }
  parts.push(json.slice(end))
  return parts.join('')
}

/** Returns the index of the closing quote. A regular expression would use stack for each escape. */
const endOfString = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end
}

const isEscaped = (json: string, at: number): boolean => {
  let before = at
  while (json[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

const withoutUri = (written: string): string => {
  const text = JSON.parse(written) as string
  const short = elided(text)
  return short === text ? written : JSON.stringify(short)
}

/** `data:image/png;base64,… (12345 characters)` */
const elided = (text: string): string => {
  const label = /^data:[^,]{0,100},/i.exec(text)?.[0]
  return label === undefined ? text : `${label}… (${text.length - label.length} characters)`
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
