import { toUnicodeEscapes } from './text.js'

/** Control characters and direction marks, except tabs and line breaks. */
const CONTROL_CHARS = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Escapes line breaks and tabs too, for a text within a line. */
export const escapeLine = (text: string): string =>
  escapeControlChars(text).replace(/[\t\n]/g, toUnicodeEscapes)

/** Escapes what would control the terminal: names, paths and file contents are untrusted. */
export const escapeControlChars = (text: string): string =>
  text.replace(CONTROL_CHARS, toUnicodeEscapes)
