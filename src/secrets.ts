import { hash, timingSafeEqual } from 'node:crypto'
import { customAlphabet } from 'nanoid'

/** What is kept of an API key's secret: its SHA-256 as hex. Keys are random, so no salt is needed. */
export const hashSecret = (secret: string): string => hash('sha256', secret)

/** Compares hashes, so that neither length nor content shows in the time it takes. */
export const isSameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(a)), Buffer.from(hashSecret(b)))

/** Full access, and part of the shipped fixtures: everybody knows it. */
export const DEMO_KEY = 'SandrampFullAccessKey00000000001'

/** The four characters that lists and logs may show. */
export const lastFour = (secret: string): string => secret.slice(-4)

/** What may be a key: 32 of A-Z, a-z and 0-9, but for hex in lower case, which ids of worlds are. */
const KEY_LIKE = /(?<![A-Za-z0-9])(?![0-9a-f]{32}(?![A-Za-z0-9]))[A-Za-z0-9]{32}(?![A-Za-z0-9])/g

/** A path or address as logs may show it: of a key that was put there by mistake its end is left. */
export const withoutKeys = (text: string): string =>
  mayHoldKey(text) ? text.replace(KEY_LIKE, (key) => `…${lastFour(key)}`) : text

/** Whether as many letters and digits as a key has stand together: each such run covers one of these places. */
const mayHoldKey = (text: string): boolean => {
  for (let place = LENGTH - 1; place < text.length; place += LENGTH) {
    let from = place
    while (isOfKey(text.charCodeAt(from))) from--
    let to = place
    while (isOfKey(text.charCodeAt(to))) to++
    if (to - from > LENGTH) return true
  }
  return false
}

/** Whether a character's code is that of A-Z, a-z or 0-9; before and behind a text it is NaN. */
const isOfKey = (code: number): boolean => {
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

/** What a sandbox keeps of a key. */
export interface KeptKey {
  readonly hash: string
  readonly last_four: string
}

export const keptKey = (secret: string): KeptKey => ({
  hash: hashSecret(secret),
  last_four: lastFour(secret),
})

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 32
const draw = customAlphabet(ALPHABET, LENGTH)

/** Keys that begin so open worlds of their own. */
const WORLD_PREFIX = 'SandboxWorld'
const REST_LENGTH = LENGTH - WORLD_PREFIX.length
const drawRest = customAlphabet(ALPHABET, REST_LENGTH)
const WORLD_KEY = new RegExp(`^${WORLD_PREFIX}[A-Za-z0-9]{${REST_LENGTH}}$`)

export const WORLD_KEY_FORM = `${WORLD_PREFIX} and ${REST_LENGTH} of A-Z, a-z and 0-9`

/** Whether a key opens a world of its own. Most do not, which their first characters tell. */
export const isWorldKey = (secret: string): boolean =>
  secret.startsWith(WORLD_PREFIX) && WORLD_KEY.test(secret)

/** Draws a key that opens a world of its own. */
export const drawWorldKey = (): string => WORLD_PREFIX + drawRest()

const WORLD_ID_LENGTH = 32

/** The id of the world that a key opens: the first half of the key's SHA-256, which leads back to no key. */
export const worldIdOf = (keyHash: string): string => keyHash.slice(0, WORLD_ID_LENGTH)

/** Draws the secret of a new API key, which never looks like one that opens a world of its own. */
export const drawSecret = (drawn: () => string = draw): string => {
  const secret = drawn()
  return secret.startsWith(WORLD_PREFIX) ? drawSecret(drawn) : secret
}
