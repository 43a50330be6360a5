const PLAIN = /^[\w@%+=:,./-]+$/

/**
 * What a terminal takes for a key when it is pasted: quotes keep none of it from ending the line. So are marks of
 * direction, which the terminal is never shown as they are.
 */
const KEYS = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A word as a shell reads it back: a POSIX one or, where it holds keys, bash, zsh and what knows their `$'…'`. */
export const shellQuote = (word: string): string => {
  if (PLAIN.test(word)) return word
  return KEYS.test(word) ? ansiCQuote(word) : `'${word.replaceAll("'", `'\\''`)}'`
}

const ansiCQuote = (word: string): string =>
  `$'${word.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\']/gu, spelledOne)}'`

const spelledOne = (char: string): string =>
  char === '\\' || char === "'" ? `\\${char}` : toBytes(char)

const toBytes = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

export const toCommandLine = (words: readonly string[]): string => words.map(shellQuote).join(' ')
