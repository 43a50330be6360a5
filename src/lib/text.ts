/** A text of at most so many characters; of a longer one the beginning, which ends in no half of a character. */
export const truncate = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text

/** How many characters of what came a refusal shows. */
export const MAX_QUOTED = 40

/** Characters that nobody sees, or that turn round what stands beside them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** As JSON writes them: each unit of the text by its number. */
const escaped = (unseen: string): string =>
  unseen
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** A text in quotes, shortened, as a sentence tells a text that came. */
export const quote = (text: string, most: number): string =>
  JSON.stringify(truncate(text, most)).replace(UNSEEN, escaped)
