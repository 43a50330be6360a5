import { endOfString, exceedsDepth } from '../lib/json-path.js'
import type { Redact } from './redact.js'

/** How much of a body the request log keeps, in characters. */
export const MAX_BODY = 16 * 1024

/** A nesting beyond this is shown as text: showing a value takes stack for each level. */
export const MAX_DEPTH = 100

/** What is kept of a body that was too long to be kept whole. */
export interface TruncatedBody {
  /** Data URIs are elided in it, and it is cut where the limit is. */
  readonly text: string
  /** How many characters were cut off. */
  readonly more: number
  /** The size of the body itself. */
  readonly bytes: number
}

/** A body as the log holds it: its own text, or what is left of a long one. Undefined when there is none. */
export type CapturedBody = string | TruncatedBody | undefined

/** A secret that begins before the limit may end behind it, each letter as an escape. */
const MARGIN = 256

const AS_IT_IS: Redact = (text) => text

/**
 * Keeps a body without secrets, and reduces a long one, so that it is not held in memory; `value` is what it
 * says, when it is JSON.
 */
export const captureBody = (
  text: string | undefined,
  value?: unknown,
  redact: Redact = AS_IT_IS,
): CapturedBody => {
  if (text === undefined) return undefined
  if (text.length <= MAX_BODY) return redactBody(text, redact)
  const whole = value === undefined ? text : withoutUris(text)
  const redacted = redact(whole.slice(0, MAX_BODY + MARGIN))
  // A slice would hold on to all of the text that it was cut from; a copy does not.
  const head = Buffer.from(redacted.slice(0, MAX_BODY)).toString()
  const rest = Math.max(0, whole.length - MAX_BODY - MARGIN)
  const more = Math.max(0, redacted.length - MAX_BODY) + rest
  return { text: head, more, bytes: Buffer.byteLength(text) }
}

/** In JSON only strings are redacted. Data URIs stay: their base64, behind a semicolon, may look like a key. */
const redactBody = (text: string, redact: Redact): string => {
  // Most bodies have no semicolon, and the search for one is many times as fast as the pattern.
  if (!text.includes(';') || !/"data:/i.test(text)) {
    const redacted = redact(text)
    if (redacted === text) return text
  }
  if (parsed(text) === undefined) return redact(text)
  return eachString(text, (written) => (isUri(written) ? written : redact(written)))
}

/** What a reader sees of a body as text. */
export const bodyText = (body: CapturedBody): string | undefined => {
  if (typeof body === 'object') {
    return body.more > 0 ? `${body.text}… (${body.more} more characters)` : body.text
  }
  if (body === undefined || !body.includes('data:')) return body
  return parsed(body) === undefined ? body : withoutUris(body)
}

/** What a reader sees of a body: its JSON, or text when it is malformed or was cut. */
export const bodyValue = (body: CapturedBody): unknown => {
  const text = bodyText(body)
  if (text === undefined) return null
  const value = parsed(text)
  return value === undefined || exceedsDepth(value, MAX_DEPTH) ? text : value
}

/** The size of the body itself, in bytes. */
export const bodyBytes = (body: CapturedBody): number =>
  typeof body === 'object' ? body.bytes : Buffer.byteLength(body ?? '')

/** The same JSON with data URIs elided. All else stays as it was written: read and written again, numbers change. */
const withoutUris = (json: string): string =>
  eachString(json, (written) => (isUri(written) ? withoutUri(written) : written))

const isUri = (written: string): boolean => /^"data:/i.test(written)

/** The same JSON with its strings changed, each as it is written. */
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
