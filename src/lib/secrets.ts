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

/** What a sandbox keeps of a key. */
export interface HashedKey {
  readonly hash: string
  readonly last_four: string
}

export const hashKey = (secret: string): HashedKey => ({
  hash: hashSecret(secret),
  last_four: lastFour(secret),
})

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** How many characters a key has. */
export const KEY_LENGTH = 32
const draw = customAlphabet(ALPHABET, KEY_LENGTH)

/** Keys that begin so open worlds of their own. */
const WORLD_PREFIX = 'SandboxWorld'
const REST_LENGTH = KEY_LENGTH - WORLD_PREFIX.length
const drawRest = customAlphabet(ALPHABET, REST_LENGTH)
const WORLD_KEY = new RegExp(`^${WORLD_PREFIX}[A-Za-z0-9]{${REST_LENGTH}}$`)

export const WORLD_KEY_FORM = `${WORLD_PREFIX} and ${REST_LENGTH} of A-Z, a-z and 0-9`

/** Whether a key opens a world of its own. Most do not, which their first characters tell. */
export const isWorldKey = (secret: string): boolean =>
  secret.startsWith(WORLD_PREFIX) && WORLD_KEY.test(secret)

/** Draws a key that opens a world of its own. */
export const drawWorldKey = (): string => WORLD_PREFIX + drawRest()

/** The id of the world for requests that bring no key of a world of their own. */
export const DEFAULT_WORLD = 'default'

const WORLD_ID_LENGTH = 32

/** The id of the world that a key opens: the first half of the key's SHA-256, which leads back to no key. */
export const deriveWorldId = (keyHash: string): string => keyHash.slice(0, WORLD_ID_LENGTH)

/** Draws the secret of a new API key, which never looks like one that opens a world of its own. */
export const drawSecret = (drawn: () => string = draw): string => {
  const secret = drawn()
  return secret.startsWith(WORLD_PREFIX) ? drawSecret(drawn) : secret
}
