/** Cuts a text to `most` UTF-16 units and adds `…`. Never splits a surrogate pair. */
export const truncate = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text

/** Maximum number of characters of a received text in a message. */
export const MAX_QUOTED = 64

/** Invisible characters, and those that reverse the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Writes each UTF-16 unit as `\uXXXX`. */
export const toUnicodeEscapes = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

export const quote = (text: string, most: number): string =>
  escapeInvisible(JSON.stringify(truncate(text, most)))

export const escapeInvisible = (text: string): string => text.replace(INVISIBLE, toUnicodeEscapes)

/** `1 request`, `2 requests` */
export const plural = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`

/** `loseResponse` with underscores, or another mark between its words. */
export const toSnakeCase = (name: string, mark = '_'): string =>
  name.replace(/[A-Z]/g, (it) => mark + it.toLowerCase())

export const toCamelCase = (name: string): string =>
  name.replace(/_\w/g, (it) => it.charAt(1).toUpperCase())

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '')

/** Control characters and direction marks, except tabs and line breaks. */
const CONTROL_CHARS = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Escapes line breaks and tabs too, for a text within a line. */
export const escapeLine = (text: string): string =>
  escapeControlChars(text).replace(/[\t\n]/g, toUnicodeEscapes)

/** Escapes what would control the terminal: names, paths and file contents are untrusted. */
export const escapeControlChars = (text: string): string =>
  text.replace(CONTROL_CHARS, toUnicodeEscapes)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value)

/** Whether a text has more of some characters than a limit. */
export const hasMoreOf = (signs: string, text: string, limit: number): boolean => {
  if (text.length <= limit) return false
  let left = limit
  for (const sign of signs) {
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1))
      if (--left < 0) return true
  }
  return false
}
