import { hash } from 'node:crypto'

/** What is kept of an API key's secret: its SHA-256 as hex. Keys are random, so no salt is needed. */
export const hashSecret = (secret: string): string => hash('sha256', secret)

/** The four characters that lists and logs may show. */
export const lastFour = (secret: string): string => secret.slice(-4)
