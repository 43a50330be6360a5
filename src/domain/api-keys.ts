import { invalidInput, notFound, ruleViolation } from '../kernel/refusal.js'
import { INSTANT_HELP, type Instant, MAX_INSTANT, parseInstant, toIso } from '../kernel/time.js'
import type { ApiKey, KeyStatus, Tx } from './schema.js'
import { assertTransition, type TransitionTable } from './transitions.js'

export const KEY_TRANSITIONS: TransitionTable<KeyStatus> = {
  active: ['suspended', 'deactivated'],
  suspended: ['active', 'deactivated'],
  deactivated: [],
}

type KeyInput = Pick<ApiKey, 'name' | 'hash' | 'last_four' | 'permissions' | 'expires_at'>

/** Stores the hash, never the secret. `expires_at` has to be later than the world's now. */
export const createApiKey = (tx: Tx, input: KeyInput, id = tx.uuid()): ApiKey => {
  const expires_at = input.expires_at === null ? null : parseExpiry(input.expires_at)
  if (expires_at !== null && expires_at <= tx.at) {
    throw invalidInput('expires_at', input.expires_at, `an instant after the world’s now, ${tx.at}`)
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

/** The name of the key of a world without a label. */
export const WORLD_KEY_NAME = 'The key of this world'

/** The label of a world is the name of its own key, so that it is stored with the world. */
export const findLabel = (key: Pick<ApiKey, 'name'> | undefined): string | null =>
  key === undefined || key.name === WORLD_KEY_NAME ? null : key.name

/** The keys open another world, so a new world must not contain them. */
export const dropApiKeys = (tx: Tx): void => {
  // Newest first, so that the next key gets number 1 again.
  for (const key of tx.tables.api_keys.list('all', '').reverse()) tx.remove('api_keys', key)
}

/** Expiries compare as text, so all have the same form and a year of four digits. */
const formatExpiry = (at: Instant): string => toIso(Math.min(Math.max(at, 0), MAX_INSTANT))

const parseExpiry = (text: string): string => {
  const at = parseInstant(text)
  if (Number.isNaN(at)) throw invalidInput('expires_at', text, INSTANT_HELP)
  return formatExpiry(at)
}

export interface KeyChange {
  /** Empty if the cause is a request without a key. */
  readonly id: string
  readonly name?: string | undefined
  readonly status?: KeyStatus | undefined
  /** May be past; null means never. */
  readonly expires_at?: string | null | undefined
}

/** The change of a rule's step. */
export interface PlannedKeyChange extends KeyChange {
  /** Duration from now, instead of `expires_at`. */
  readonly expires_in_ms?: number
}

/** The current status is accepted too. */
export const setApiKey = (tx: Tx, input: PlannedKeyChange): ApiKey => {
  const { id } = input
  const key = tx.tables.api_keys.get(id)
  if (!key) {
    throw notFound(
      'id',
      id ? `no API key has the id ${id}` : 'no request with an API key led to it',
    )
  }
  const { status = key.status, name = key.name } = input
  if (status !== key.status) assertTransition(KEY_TRANSITIONS, `API key ${id}`, key.status, status)
  const expires_at = expiryAfter(tx, key, input)
  const changed = tx.replace('api_keys', key, { ...key, name, status, expires_at })
  tx.emit({ type: 'api_key.set', id: key.id })
  return changed
}

const expiryAfter = (tx: Tx, key: ApiKey, change: PlannedKeyChange): string | null => {
  const { expires_at = key.expires_at, expires_in_ms } = change
  if (expires_in_ms !== undefined) return formatExpiry(tx.now + expires_in_ms)
  return expires_at === null ? null : parseExpiry(expires_at)
}

/** A key expires at this very instant. */
export const isExpired = ({ expires_at }: ApiKey, now: Instant): boolean =>
  expires_at !== null && expires_at <= toIso(now)

/** In the order of the authentication; undefined if the key is valid. */
export const findKeyProblem = (key: ApiKey, now: Instant): 'expired' | 'inactive' | undefined => {
  if (isExpired(key, now)) return 'expired'
  return key.status === 'active' ? undefined : 'inactive'
}
