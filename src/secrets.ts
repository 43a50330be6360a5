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

const draw = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 32)

/** Keys that begin so open worlds of their own. */
const WORLD_PREFIX = 'SandboxWorld'

/** Draws the secret of a new API key, which never looks like one that opens a world of its own. */
export const drawSecret = (drawn: () => string = draw): string => {
  const secret = drawn()
  return secret.startsWith(WORLD_PREFIX) ? drawSecret(drawn) : secret
}
