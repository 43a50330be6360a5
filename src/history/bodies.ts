import { exceedsDepth, parseIfJson } from '../lib/json.js'
import type { Redact } from './redact.js'

/** Characters of a body that the request log stores. */
export const MAX_BODY = 16 * 1024

/** Deeper JSON is shown as text, because formatting needs stack for each level. */
const MAX_DEPTH = 100

/** A body that is not stored as it was received. */
interface ChangedBody {
  /** Redacted, without data URIs, cut at the limit; or a note in place of bytes. */
  readonly text: string
  /** Number of dropped characters. */
  readonly more: number
  /** Size of the whole body; -1 if it was not read to its end. */
  readonly bytes: number
}

/** The text as it was received, or the changed one. Undefined without a body. */
export type CapturedBody = string | ChangedBody | undefined

const UNREAD: CapturedBody = { text: '… (not read to its end)', more: 0, bytes: -1 }

/** Compressed bytes and other encodings can hide secrets, so the log shows only their size. */
const asSize = (bytes: number): CapturedBody => ({
  text: `… (${bytes} bytes that are not text)`,
  more: 0,
  bytes,
})

/** The body of a request in progress. Bytes are those of a body that is not UTF-8. */
export const receivedBody = (body: string | Buffer | undefined): CapturedBody => {
  if (body === undefined) return UNREAD
  return typeof body === 'string' ? body || undefined : asSize(body.byteLength)
}

/** A secret can cross the limit with each letter escaped. */
const MARGIN = 256

/** Redacts a body and truncates a long one. */
export const captureBody = (text: string, redact: Redact): CapturedBody => {
  // UTF-16 separates the letters of a key, so the redactor would not find it.
  if (text.includes('\0')) return asSize(Buffer.byteLength(text))
  const whole = withoutUris(text)
  if (whole.length > MAX_BODY) return truncateBody(text, whole, redact)
  const redacted = redactBody(whole, redact)
  // The console sends the body again with its images, if they are short.
  if (redacted === whole && text.length <= MAX_BODY) return text
  return { text: redacted, more: 0, bytes: Buffer.byteLength(text) }
}

const truncateBody = (text: string, whole: string, redact: Redact): CapturedBody => {
  const redacted = redact(whole.slice(0, MAX_BODY + MARGIN))
  // A slice would keep the whole text in memory; a copy does not.
  const head = Buffer.from(redacted.slice(0, MAX_BODY)).toString()
  const rest = Math.max(0, whole.length - MAX_BODY - MARGIN)
  const more = Math.max(0, redacted.length - MAX_BODY) + rest
  return { text: head, more, bytes: Buffer.byteLength(text) }
}

/** Redacts only strings of JSON, so that it stays JSON. */
const redactBody = (text: string, redact: Redact): string => {
  const redacted = redact(text)
  if (redacted === text) return text
  return parseIfJson(text) === undefined ? redacted : eachString(text, redact)
}

export const bodyText = (body: CapturedBody): string | undefined => {
  if (typeof body === 'object') {
    return body.more > 0 ? `${body.text}… (${body.more} more characters)` : body.text
  }
  return body && withoutUris(body)
}

/** Parsed JSON; text if it is malformed or truncated. */
export const bodyValue = (body: CapturedBody): unknown => {
  const text = bodyText(body)
  if (text === undefined) return null
  const value = parseIfJson(text)
  return value === undefined || exceedsDepth(value, MAX_DEPTH) ? text : value
}

/** Size of the whole body in bytes; -1 if nobody has counted them. */
export const bodyBytes = (body: CapturedBody): number =>
  typeof body === 'object' ? body.bytes : Buffer.byteLength(body ?? '')

/** The start of a data URI, also in a form. */
const URI = /(?<![a-z])data(?::|%3a)[^,\s"&<]{0,100}?(?:,|%2c)/gi
/** No data URI of JSON, a form or markup contains one. */
const END_OF_URI = /[\s"&<]|%22/g

/**
 * `data:image/png;base64,… (12345 characters)`. It replaces data URIs in the text itself: parsing and
 * formatting would change numbers.
 */
const withoutUris = (text: string): string => {
  // Most bodies have neither sign, and this search is much faster than the pattern.
  if (!text.includes(';') && !text.includes('%')) return text
  const parts: string[] = []
  let end = 0
  for (const { 0: label, index } of text.matchAll(URI)) {
    if (index < end) continue
    const start = index + label.length
    const stop = endOfUri(text, start)
    parts.push(text.slice(end, start), `… (${stop - start} characters)`)
    end = stop
  }
  return end === 0 ? text : parts.join('') + text.slice(end)
}

/** A pattern for the whole URI would use stack for each character. */
const endOfUri = (text: string, start: number): number => {
  END_OF_URI.lastIndex = start
  let end = END_OF_URI.exec(text)
  while (end && isEscaped(text, end.index)) end = END_OF_URI.exec(text)
  return end?.index ?? text.length
}

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
