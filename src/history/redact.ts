import { hashSecret, isWorldKey, KEY_LENGTH, lastFour } from '../lib/secrets.js'

/** Masks secrets in a text for logs. */
export type Redact = (text: string) => string

export interface Redactor extends Redact {
  readonly maskKey: (key: string) => string
  /** Masks one more control token. */
  readonly addToken: (token: string) => void
}

interface Secrets {
  /** Salt of the hashes of keys, so that they differ between sandboxes. Without it, keys get no hash. */
  readonly salt?: string | undefined
  readonly controlToken?: string | undefined
  /** Whether a text is an API key of some world. Finds keys inside longer words. */
  readonly isKnownKey?: (text: string) => boolean
}

/** The last four characters of a shorter secret would give too much of it away. */
const MIN_LENGTH_SHOWN = 16
/** A shorter control token may be any word or number of a request. */
const MIN_TOKEN_LENGTH = 8
/** Each place in a long word costs a hash. */
const MAX_PLACES_TRIED = 1_000

const maskSecret = (secret: string): string =>
  secret.length < MIN_LENGTH_SHOWN ? '…' : `…${lastFour(secret)}`

const HASH_LENGTH = 6

/** `…0001~3fa9c1`: keys with the same last characters have different hashes. */
const maskKeyWith = (salt: string | undefined) => (key: string) =>
  salt === undefined || key.length < MIN_LENGTH_SHOWN
    ? maskSecret(key)
    : `${maskSecret(key)}~${hashSecret(salt + key).slice(0, HASH_LENGTH)}`

/** Redacts API keys and control tokens, however they are escaped. A text without secrets keeps its escapes. */
export const createRedactor = ({ salt, controlToken, isKnownKey }: Secrets = {}): Redactor => {
  const tokens: Redact[] = []
  const addToken = (token: string) => {
    if (token.length >= MIN_TOKEN_LENGTH) tokens.push(tokenRedactor(token))
  }
  if (controlToken !== undefined) addToken(controlToken)
  const maskKey = maskKeyWith(salt)
  const redact = (text: string) => {
    const withoutToken = tokens.reduce((rest, redactToken) => redactToken(rest), text)
    const decoded = decodeLetters(withoutToken)
    const redacted = redactWords(decoded, { maskKey, isKnownKey })
    return redacted === decoded ? withoutToken : redacted
  }
  return Object.assign(redact, { maskKey, addToken })
}

const tokenRedactor = (token: string): Redact => {
  const anyForm = new RegExp([...token].map(encodedForms).join(''), 'g')
  const masked = maskSecret(token)
  return (text) =>
    hasEscapes(text) ? text.replace(anyForm, () => masked) : text.replaceAll(token, () => masked)
}

/** The pattern of all forms takes a hundred times as long as a plain search. */
const hasEscapes = (text: string): boolean => text.includes('%') || text.includes('\\')

/** A character as it is, and as URLs and JSON escape it. */
const encodedForms = (character: string): string => {
  const hex = [...character.charCodeAt(0).toString(16).padStart(2, '0')]
  const anyCase = hex.map((digit) => `[${digit}${digit.toUpperCase()}]`).join('')
  const plain = character.replace(/[^A-Za-z0-9]/, '\\\\{0,8}\\$&')
  return `(?:${plain}|%(?:25){0,4}${anyCase}|\\\\{1,8}u00${anyCase})`
}

const ESCAPED_LETTER = /(?:%(?:25){0,4}|\\{1,8}u00)(3\d|[46][1-9a-f]|[57][0-9a])/gi

/** Decodes letters and digits that a URL or JSON writes as escapes; other escapes stay. */
const decodeLetters = (text: string): string =>
  text.includes('%') || text.includes('\\u')
    ? text.replace(ESCAPED_LETTER, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text

interface KeyMask extends Pick<Redactor, 'maskKey'> {
  readonly isKnownKey: Secrets['isKnownKey']
}

const redactWords = (text: string, mask: KeyMask): string => {
  const tries = { left: MAX_PLACES_TRIED }
  let redacted = ''
  let done = 0
  // A key that ends after `last` covers it, so the search jumps over shorter words.
  for (let last = KEY_LENGTH - 1; last < text.length; last += KEY_LENGTH) {
    let from = last
    while (from > last - KEY_LENGTH && isOfKey(text, from)) from--
    if (from > last - KEY_LENGTH) {
      last = from
      continue
    }
    while (isOfKey(text, from)) from--
    let to = last + 1
    while (isOfKey(text, to)) to++
    redacted += text.slice(done, from + 1) + redactWord(text, from + 1, to, mask, tries)
    done = to
    last = to
  }
  return done === 0 ? text : redacted + text.slice(done)
}

/** Whether the character at a place is one of A-Z, a-z and 0-9; outside the text there is none. */
const isOfKey = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

/** Such as %20 and \n, whose letters are no part of the word behind them. */
const ESCAPE = /^(?:%..|\\u.{4}|\\.)$/
/** Hashes and addresses, also without 0x. */
const HEX = /^(?:0x)?[0-9a-f]+$/i
/** Ids of worlds, which are no secrets. */
const WORLD_ID = /^[0-9a-f]{32}$/

const redactWord = (
  text: string,
  from: number,
  to: number,
  mask: KeyMask,
  tries: { left: number },
): string => {
  const { maskKey, isKnownKey } = mask
  const word = text.slice(from, to)
  const start = to - KEY_LENGTH
  const isWhole = start === from || ESCAPE.test(text.slice(from - 1, start))
  const end = text.slice(start, to)
  if (isWhole && (!WORLD_ID.test(end) || isKnownKey?.(end))) {
    return text.slice(from, start) + maskKey(end)
  }
  return isKnownKey && !HEX.test(word) ? redactParts(word, mask, tries) : word
}

const redactParts = (
  word: string,
  { maskKey, isKnownKey }: KeyMask,
  tries: { left: number },
): string => {
  let redacted = ''
  let done = 0
  for (let at = 0; at + KEY_LENGTH <= word.length && tries.left > 0; at++, tries.left--) {
    const part = word.slice(at, at + KEY_LENGTH)
    if (!isWorldKey(part) && !isKnownKey?.(part)) continue
    redacted += word.slice(done, at) + maskKey(part)
    done = at + KEY_LENGTH
    at = done - 1
  }
  return redacted + word.slice(done)
}
