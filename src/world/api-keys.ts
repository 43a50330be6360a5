import { broken, unknown } from './kernel/refusal.js'
import { layout, type Row } from './kernel/table.js'
import { isoTime } from './kernel/time.js'
import type { Tx } from './world.js'

export type KeyStatus = 'active' | 'suspended' | 'deactivated'
export type KeyPermissions = 'full' | 'read_only'

/** An API key of the account. The secret is nowhere: only its SHA-256 and its last characters are. */
export interface ApiKey extends Row {
  readonly name: string
  readonly hash: string
  readonly last_four: string
  readonly permissions: KeyPermissions
  readonly status: KeyStatus
  readonly expires_at: string | null
  readonly created_at: string
}

export const apiKeysLayout = layout<ApiKey>()({ all: () => '', hash: (key) => key.hash })

export type KeyInput = Pick<ApiKey, 'name' | 'hash' | 'last_four' | 'permissions' | 'expires_at'>

/** Adds a key by the hash of its secret. */
export const createApiKey = (tx: Tx, input: KeyInput): ApiKey => {
  const known = tx.tables.api_keys.first('hash', input.hash)
  if (known) throw broken('api_key', `it is already there, as ${known.name}`)
  const key = tx.add('api_keys', {
    ...input,
    id: tx.uuid(),
    n: tx.tables.api_keys.next,
    status: 'active',
    created_at: tx.at,
  })
  tx.emit({ type: 'api_key.created', id: key.id })
  return key
}

export interface KeyChange {
  /** Empty when no request with a key led to it. */
  readonly id: string
  readonly status?: KeyStatus
  readonly expires_at?: string
  /** How long from now it expires, instead of when. */
  readonly expires_in_ms?: number
}

/** Changes whether and how long a key opens the world. */
export const setApiKey = (tx: Tx, input: KeyChange): ApiKey => {
  const { id, expires_in_ms } = input
  const key = tx.tables.api_keys.get(id)
  if (!key) {
    throw unknown('id', id ? `no API key has the id ${id}` : 'no request with an API key led to it')
  }
  const expires_at =
    expires_in_ms === undefined ? input.expires_at : isoTime(tx.now + expires_in_ms)
  const changed = tx.replace('api_keys', key, {
    ...key,
    status: input.status ?? key.status,
    expires_at: expires_at ?? key.expires_at,
  })
  tx.emit({ type: 'api_key.set', id: key.id })
  return changed
}

/** Why a key opens nothing, in the order in which the gate asks; undefined when it opens. */
export const whyClosed = (key: ApiKey, now: number): 'expired' | 'inactive' | undefined => {
  if (key.expires_at !== null && key.expires_at <= isoTime(now)) return 'expired'
  return key.status === 'active' ? undefined : 'inactive'
}
