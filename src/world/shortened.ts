/** A text of at most so many characters; of a longer one the beginning, which ends in no half of a character. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text

/** The same in quotes, as a sentence tells a text that came. */
export const inQuotes = (text: string, most: number): string =>
  JSON.stringify(shortened(text, most))
