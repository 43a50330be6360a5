import { createHash, randomBytes } from 'node:crypto'

export interface Redactor {
  readonly header: (name: string, value: string) => string
  readonly text: (text: string) => string
}

const SECRET_HEADER = /^(?:x-api-key|(?:proxy-)?authorization|(?:set-)?cookie)$/
const KEY = /(?<![A-Za-z0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])/g
/** Data URIs, and long texts in base64. */
const IMAGE = /(data:[^,"]{0,99};base64,)[\w+/=\\]*|(?<![\w+/=])[\w+/=\\]{1024,}/g
const PERSONAL =
  /("(?:first_name|last_name|nickname|account_holder_name|sender_name|recipient_name|email_address|phone_number|date_of_birth|identity_number|document_number|recipient_account_number|account_number|masked_details|line[12]|postal_code)"\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d+)/g

/** Replaces secrets by a salted hash, so that equal values stay equal. Nothing keeps the salt. */
export const createRedactor = (hasNames: boolean): Redactor => {
  const salt = randomBytes(16)
  const hide = (value: string, form = 'redacted'): string =>
    `${form}:${createHash('sha256').update(salt).update(value).digest('hex').slice(0, 12)}`
  const hideKeys = (text: string) => text.replace(KEY, (key) => hide(key))
  const hidePersonal = (_: string, name: string, value: string) =>
    `${name}"${hide(value.replace(/^"|"$/g, '').toLowerCase())}"`
  return {
    header: (name, value) => {
      if (!SECRET_HEADER.test(name)) return hideKeys(value)
      return name === 'x-api-key' && hideKeys(value) === value
        ? hide(value, 'malformed')
        : hide(value)
    },
    text: (text) => {
      const plain = hideKeys(
        text.replace(IMAGE, (all, start = '') => `${start}[${all.length} characters]`),
      )
      return hasNames ? plain.replace(PERSONAL, hidePersonal) : plain
    },
  }
}
