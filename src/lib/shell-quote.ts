const PLAIN = /^[\w@%+=:,./-]+$/

/** Pasted control characters act like keys, even inside quotes. Direction marks can disguise a command. */
const KEYS = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Quotes a word for POSIX shells. Control characters need `$'…'` of bash and zsh. */
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
