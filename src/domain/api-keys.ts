import { notFound, ruleViolation } from '../kernel/refusal.js'
import { type Instant, MAX_INSTANT, toIso } from '../kernel/time.js'
import { truncate } from '../lib/text.js'
import type { ApiKey, KeyStatus, Tx } from './schema.js'
import { assertTransition, type TransitionTable } from './transitions.js'

/** A suspended key may come back; a deactivated one never does. */
export const KEY_TRANSITIONS: TransitionTable<KeyStatus> = {
  active: ['suspended', 'deactivated'],
  suspended: ['active', 'deactivated'],
  deactivated: [],
}

export type KeyInput = Pick<ApiKey, 'name' | 'hash' | 'last_four' | 'permissions' | 'expires_at'>

const MAX_SHOWN = 40

/** Adds a key by the hash of its secret. One that expires does so later than now. Its id is drawn unless given. */
export const createApiKey = (tx: Tx, input: KeyInput, id = tx.uuid()): ApiKey => {
  const expires_at = input.expires_at === null ? null : parseExpiry(input.expires_at)
  if (expires_at !== null && expires_at <= tx.at) {
    throw ruleViolation(
      'expires_at',
      `${truncate(input.expires_at ?? '', MAX_SHOWN)} came; accepted: an instant after the world’s now, ${tx.at}`,
    )
  }
  const known = tx.tables.api_keys.first('hash', input.hash)
  if (known) throw ruleViolation('api_key', `it is already there, as ${known.name}`)
  const key = tx.add('api_keys', {
    ...input,
    id,
    n: tx.tables.api_keys.next,
    status: 'active',
    expires_at,
    created_at: tx.at,
  })
  tx.emit({ type: 'api_key.created', id: key.id })
  return key
}

/** Removes all keys: those that open another world have no place in this one. */
export const dropApiKeys = (tx: Tx): void => {
  // The newest first, so that the next one is numbered as the first.
  for (const key of tx.tables.api_keys.list('all', '').reverse()) tx.remove('api_keys', key)
}

/** Expiries compare as text, so all are kept in one form, with a year of four digits. */
const keptExpiry = (at: Instant): string => toIso(Math.min(Math.max(at, 0), MAX_INSTANT))

const parseExpiry = (text: string): string => {
  const at = Date.parse(text)
  if (Number.isNaN(at)) {
    throw ruleViolation(
      'expires_at',
      `${truncate(text, MAX_SHOWN)} came; accepted: a date-time with its zone`,
    )
  }
  return keptExpiry(at)
}

export interface KeyChange {
  /** Empty when no request with a key led to it. */
  readonly id: string
  readonly status?: KeyStatus
  /** When it expires, which may be past; null when it never does. */
  readonly expires_at?: string | null
  /** How long from now it expires, instead of when. */
  readonly expires_in_ms?: number
}

/** Changes whether and how long a key opens the world. The status that it has already may be named. */
export const setApiKey = (tx: Tx, input: KeyChange): ApiKey => {
  const { id } = input
  const key = tx.tables.api_keys.get(id)
  if (!key) {
    throw notFound(
      'id',
      id ? `no API key has the id ${id}` : 'no request with an API key led to it',
    )
  }
  const { status = key.status } = input
  if (status !== key.status) assertTransition(KEY_TRANSITIONS, `API key ${id}`, key.status, status)
  const expires_at = expiryAfter(tx, key, input)
  const changed = tx.replace('api_keys', key, { ...key, status, expires_at })
  tx.emit({ type: 'api_key.set', id: key.id })
  return changed
}

const expiryAfter = (tx: Tx, key: ApiKey, change: KeyChange): string | null => {
  const { expires_at = key.expires_at, expires_in_ms } = change
  if (expires_in_ms !== undefined) return keptExpiry(tx.now + expires_in_ms)
  return expires_at === null ? null : parseExpiry(expires_at)
}

/** Whether it has expired: from its very instant on. */
export const isExpired = ({ expires_at }: ApiKey, now: Instant): boolean =>
  expires_at !== null && expires_at <= toIso(now)

/** Why a key opens nothing, in the order in which the gate asks; undefined when it opens. */
export const whyClosed = (key: ApiKey, now: Instant): 'expired' | 'inactive' | undefined => {
  if (isExpired(key, now)) return 'expired'
  return key.status === 'active' ? undefined : 'inactive'
}
