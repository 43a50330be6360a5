import { createHash } from 'node:crypto'
import type { Answer, CallOptions, Client } from './client.js'

/** The key of a world of its own. */
export const worldKey = (name: string | number): string =>
  `SandboxWorld${String(name).padStart(20, '0')}`

/** The id of the world that a key opens, from the control API. */
export const worldId = (key: string): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 32)

export interface World {
  readonly id: string
  readonly kind: string
  readonly last_four: string | null
  readonly seed: string
  readonly now: string
  readonly entries: number
  readonly created_at: string
  readonly last_used_at: string
  readonly open_streams: number
  readonly snapshots: number
  readonly started_anew: boolean
}

/** A client in the world of one key. */
export class Inhabitant {
  readonly id: string

  constructor(
    readonly api: Client,
    readonly key: string,
  ) {
    this.id = worldId(key)
  }

  call<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    return this.api.call<T>(method, path, { key: this.key, ...options })
  }

  get<T = unknown>(path: string): Promise<Answer<T>> {
    return this.call<T>('GET', path)
  }

  async read<T>(path: string): Promise<T> {
    return (await this.get<T>(path)).body
  }

  post<T = unknown>(path: string, body?: unknown): Promise<Answer<T>> {
    return this.call<T>('POST', path, { body })
  }

  async make<T>(path: string, body?: unknown): Promise<T> {
    return (await this.post<T>(path, body)).body
  }
}
