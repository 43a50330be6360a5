/** Account numbers with most of them hidden, in both ways in which that is read (audit.masked_details). */

/** Hides all but the last four characters, a star for each. */
export const starNumber = (number: string): string => {
  const characters = charactersOf(number)
  return characters.length > 4
    ? '*'.repeat(characters.length - 4) + characters.slice(-4).join('')
    : '*'.repeat(characters.length)
}

/** Hides the middle of an account number; country and check digits stay readable in what looks like an IBAN. */
export const maskNumber = (number: string): string => {
  const characters = number.replace(/\s/g, '')
  const [, first = '', last = ''] =
    LIKE_IBAN.exec(characters) ?? OTHER_NUMBER.exec(characters) ?? []
  return `${first}****${last}`
}

const LIKE_IBAN = /^([A-Za-z]{2}\d{2}).{5,}(.{4})$/u
const OTHER_NUMBER = /^().+(.{4})$/u

/** Whether a number has four characters or eight, which look the same whichever way they are hidden. */
export const isMaskedAlike = (number: string): boolean => FOUR_OR_EIGHT.test(number)

const FOUR_OR_EIGHT = /^\s*(?:\S\s*){4}(?:(?:\S\s*){4})?$/u

/** The characters of an account number; blanks only group them. */
const charactersOf = (number: string): string[] => [...number.replace(/\s/g, '')]
