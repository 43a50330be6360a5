import type { Rail } from './schema.js'

interface Form {
  readonly accepted: string
  readonly fits: (number: string) => boolean
}

const form = (accepted: string, shape: RegExp): Form => ({
  accepted,
  fits: (number) => shape.test(number),
})

/** ISO 13616: country, two check digits, up to 30 letters and digits. */
const IBAN = /^[A-Z]{2}(?!00|01|99)\d{2}[A-Z0-9]{11,30}$/

/** Checks the form and the check digits (ISO 7064, MOD 97-10). */
export const isIban = (text: string): boolean => {
  if (!IBAN.test(text)) return false
  let rest = 0
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97
  }
  return rest === 1
}

const BANKS: ReadonlyMap<string, Form> = new Map([
  ['SEPA', { accepted: 'an IBAN with right check digits', fits: isIban }],
  ['NIP', form('an account number of ten digits', /^\d{10}$/)],
])
const OTHER_BANKS = form('an account number of 1 to 34 letters and digits', /^[A-Za-z0-9]{1,34}$/)
const WALLETS = form('the 7 to 15 digits of a phone number', /^\d{7,15}$/)

/** Rails of wallet providers expect phone numbers. */
export const accountForm = ({ id, providers }: Rail): Form =>
  providers.length > 0 ? WALLETS : (BANKS.get(id) ?? OTHER_BANKS)

export const maskNumber = (number: string): string => {
  const characters = number.replace(/\s/g, '')
  const [, first = '', last = ''] =
    LIKE_IBAN.exec(characters) ?? OTHER_NUMBER.exec(characters) ?? []
  return `${first}****${last}`
}

const LIKE_IBAN = /^([A-Za-z]{2}\d{2}).{5,}(.{4})$/u

const OTHER_NUMBER = /^().+(.{4})$/u
