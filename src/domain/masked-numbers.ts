/** Masks an account number: the last four characters stay, and the first four of an IBAN. */
export const maskNumber = (number: string): string => {
  const characters = number.replace(/\s/g, '')
  const [, first = '', last = ''] =
    LIKE_IBAN.exec(characters) ?? OTHER_NUMBER.exec(characters) ?? []
  return `${first}****${last}`
}

const LIKE_IBAN = /^([A-Za-z]{2}\d{2}).{5,}(.{4})$/u
const OTHER_NUMBER = /^().+(.{4})$/u
