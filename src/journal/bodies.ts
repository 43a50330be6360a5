import { isDeeper } from '../values.js'

/** How much of a body the request log keeps, in characters. */
export const LONGEST_BODY = 16 * 1024

/** A nesting beyond this is shown as text: showing a value takes stack for each level. */
const DEEPEST = 100

/** What is kept of a body that was too long to be kept whole. */
export interface ReducedBody {
  /** Data URIs are elided in it, and it is cut where the limit is. */
  readonly text: string
  /** How many characters were cut off. */
  readonly more: number
  /** The size of the body itself. */
  readonly bytes: number
}

/** A body as the log holds it: its own text, or what is left of a long one. Undefined when there is none. */
export type KeptBody = string | ReducedBody | undefined

/** Reduces a long body, so that it is not held in memory; `value` is what it says, when it is JSON. */
export const keepBody = (text: string | undefined, value?: unknown): KeptBody => {
  if (text === undefined || text.length <= LONGEST_BODY) return text
  const whole = (value !== undefined && withoutUris(value)) || text
  // A slice would hold on to all of the text that it was cut from; a copy does not.
  const head = Buffer.from(whole.slice(0, LONGEST_BODY)).toString()
  const more = Math.max(0, whole.length - LONGEST_BODY)
  return { text: head, more, bytes: Buffer.byteLength(text) }
}

/** What a reader sees of a body as text. */
export const bodyText = (body: KeptBody): string | undefined => {
  if (typeof body === 'object') {
    return body.more > 0 ? `${body.text}… (${body.more} more characters)` : body.text
  }
  if (body === undefined || !body.includes('data:')) return body
  const value = parsed(body)
  return (value !== undefined && withoutUris(value)) || body
}

/** What a reader sees of a body: its JSON, or text when it is malformed or was cut. */
export const bodyValue = (body: KeptBody): unknown => {
  const text = bodyText(body)
  if (text === undefined) return null
  const value = parsed(text)
  return value === undefined || isDeeper(value, DEEPEST) ? text : value
}

/** The size of the body itself, in bytes. */
export const bodyBytes = (body: KeptBody): number =>
  typeof body === 'object' ? body.bytes : Buffer.byteLength(body ?? '')

/** The value as JSON with data URIs elided; undefined when it is nested too deeply to be written. */
const withoutUris = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value, (_, it) => (typeof it === 'string' ? elided(it) : it))
  } catch {
    return undefined
  }
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
