/** What a terminal would do something with, and what turns the direction of a text; not tabs and line breaks. */
const MOVING = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * A text as a terminal may show it: names, paths and texts in files come from anybody, and none of them
 * moves its cursor, clears it or names its window. What would do so stands as JSON would write it.
 */
export const escapeControlChars = (text: string): string =>
  text.replace(MOVING, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
