import { hash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { customAlphabet, nanoid } from 'nanoid'
import { isLoopbackAddress } from './networks.js'

const MAX_CACHED_HASHES = 100
const cachedHashes = new Map<string, string>()

/** Returns the SHA-256 as hex. Keys are random, so they need no salt. A client sends one key many times. */
export const hashSecret = (secret: string): string => {
  const cached = cachedHashes.get(secret)
  if (cached !== undefined) return cached
  if (cachedHashes.size === MAX_CACHED_HASHES) cachedHashes.clear()
  const hashed = hash('sha256', secret)
  cachedHashes.set(secret, hashed)
  return hashed
}

/** Compares hashes in constant time, so that timing reveals neither length nor content. */
export const isSameSecret = (a: string, b: string): boolean =>
  isSameHash(hashSecret(a), hashSecret(b))

const isSameHash = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The full-access key of the shipped fixtures. It is public. */
export const DEMO_KEY = 'SandrampFullAccessKey00000000001'

/** The four characters that lists and logs may show. */
export const lastFour = (secret: string): string => secret.slice(-4)

export interface HashedKey {
  readonly hash: string
  readonly last_four: string
  /** The label of its world. */
  readonly name?: string | undefined
  /** The owner of its world, with --tenants. */
  readonly tenant?: string | undefined
}

export const hashKey = (secret: string): HashedKey => ({
  hash: hashSecret(secret),
  last_four: lastFour(secret),
})

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const KEY_LENGTH = 32
const draw = customAlphabet(ALPHABET, KEY_LENGTH)

/** A key with this prefix opens its own world. */
const WORLD_PREFIX = 'SandboxWorld'
const REST_LENGTH = KEY_LENGTH - WORLD_PREFIX.length
const WORLD_KEY = new RegExp(`^${WORLD_PREFIX}[A-Za-z0-9]{${REST_LENGTH}}$`)

export const WORLD_KEY_FORM = `${WORLD_PREFIX} and ${REST_LENGTH} of A-Z, a-z and 0-9`

export const isWorldKey = (secret: string): boolean =>
  secret.startsWith(WORLD_PREFIX) && WORLD_KEY.test(secret)

/** The end of a world key is the test's own; the rest may be the prefix of a tenant. */
const OWN_LENGTH = REST_LENGTH / 2
const drawHalf = customAlphabet(ALPHABET, OWN_LENGTH)

export const drawWorldKey = (prefix = WORLD_PREFIX + drawHalf()): string => prefix + drawHalf()

export const PREFIX_FORM = `${WORLD_PREFIX} and ${OWN_LENGTH} of A-Z, a-z and 0-9`

export const isTenantPrefix = (text: string): boolean => isWorldKey(text + '0'.repeat(OWN_LENGTH))

export const tenantPrefix = (worldKey: string): string => worldKey.slice(0, -OWN_LENGTH)

/** The prefix follows from the control token, so that neither is stored. */
export const deriveTenantPrefix = (token: string): string => {
  const letters = hash('sha256', `prefix/${token}`, 'base64url').replace(/[-_]/g, '')
  return WORLD_PREFIX + letters.slice(0, OWN_LENGTH)
}

/** The world of requests without a world key. */
export const DEFAULT_WORLD = 'default'

const WORLD_ID_LENGTH = 32

const WORLD_ID = new RegExp(`^(?:${DEFAULT_WORLD}|[0-9a-f]{${WORLD_ID_LENGTH}})$`)

/** Whether a world can have this id. No store is asked for another one. */
export const isWorldId = (id: string): boolean => WORLD_ID.test(id)

/** The id is the first half of the key's SHA-256, so it does not reveal the key. */
export const deriveWorldId = (keyHash: string): string => keyHash.slice(0, WORLD_ID_LENGTH)

/** Draws a secret that is never a world key. */
export const drawSecret = (drawn: () => string = draw): string => {
  const secret = drawn()
  return secret.startsWith(WORLD_PREFIX) ? drawSecret(drawn) : secret
}

const TOKEN_LENGTH = 24

/** Generates a control token for a port that other machines can reach. A loopback address needs none. */
export const generateControlToken = (host: string): string | undefined =>
  isLoopback(host) ? undefined : nanoid(TOKEN_LENGTH)

const isLoopback = (host: string): boolean =>
  isIP(host) === 0 ? host === 'localhost' : isLoopbackAddress(host)
