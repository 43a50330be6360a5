import { type CommandRecord, forEachWrite } from '../kernel/command-record.js'
import { ruleViolation } from '../kernel/refusal.js'
import { deriveWorldId, type HashedKey, hashSecret, isWorldKey, lastFour } from '../lib/secrets.js'
import type { LiveWorld } from './live-world.js'
import type { WorldIndex } from './port.js'
import { isVisible, type Scope, type Tenants } from './tenants.js'

export interface WorldName {
  readonly id: string
  /** The hash of the key that names it; undefined without a key. */
  readonly hash?: string
  /** The key with which a world begins that does not exist yet. */
  readonly opens?: HashedKey
  readonly tenant?: string | undefined
  /** The world is as unknown if the caller does not see it. */
  readonly scope?: Scope
  /** True for a call that needs no world: it is made in the default world, which it neither shows nor changes. */
  readonly isNone?: boolean
}

interface WorldKeysOptions {
  readonly main: LiveWorld
  /** A world in memory. */
  readonly find: (id: string) => LiveWorld | undefined
  /** Brings a stored world into memory. */
  readonly load: (id: string) => Promise<void> | undefined
  readonly index: WorldIndex | undefined
  readonly tenants: Tenants | undefined
}

/**
 * Names the world of an API key. Keys created inside a world follow its records: one that an undo, a reset or a
 * restore removed opens nothing.
 */
export class WorldKeys {
  readonly #options: WorldKeysOptions
  /** Ids of the worlds by key in which keys were created, by the hash of the key. */
  readonly #worlds = new Map<string, string>()
  readonly #hashes = new Map<string, Set<string>>()

  constructor(options: WorldKeysOptions) {
    this.#options = options
  }

  /**
   * Loads what `nameWorld` needs to find a key: the tenants, and the world in which another process created it. Undefined if
   * nothing is stored elsewhere.
   */
  load(secret: string | undefined): Promise<void> | undefined {
    return this.#options.index && this.#load(secret, this.#options.index)
  }

  async #load(secret: string | undefined, index: WorldIndex): Promise<void> {
    await this.#options.tenants?.refresh()
    if (secret === undefined || isWorldKey(secret) || this.isKnown(secret)) return
    const id = await index.worldOfKey(hashSecret(secret))
    if (id !== undefined) await this.#options.load(id)
  }

  /** Names the world that a key opens. It opens no world and fires no timer. */
  nameWorld(secret: string): WorldName | undefined {
    const hash = hashSecret(secret)
    const { find, tenants } = this.#options
    if (isWorldKey(secret)) {
      const tenant = tenants?.findByKey(secret)?.name
      if (tenants && tenant === undefined) return undefined
      const opens = { hash, last_four: lastFour(secret), tenant }
      return { id: deriveWorldId(hash), hash, tenant, opens }
    }
    const id = this.#worldOf(hash)
    if (id === undefined) return undefined
    const tenant = find(id)?.tenant
    // The default world has none.
    return !tenants || tenants.find('name', tenant) ? { id, hash, tenant } : undefined
  }

  /** Whether a text is an API key of some world. It opens none. */
  isKnown(text: string): boolean {
    return this.#worldOf(hashSecret(text)) !== undefined
  }

  #worldOf(hash: string): string | undefined {
    const { id, world } = this.#options.main
    const isOfMain = () => world.tables.api_keys.first('hash', hash) !== undefined
    return this.#worlds.get(hash) ?? (isOfMain() ? id : undefined)
  }

  /** Hashes the drawn key of a new world. */
  hashDrawn(secret: string, scope: Scope): HashedKey {
    const { opens } = this.nameWorld(secret) ?? {}
    if (opens && isVisible(scope, opens.tenant)) return opens
    throw ruleViolation(undefined, 'Only the control token of a tenant creates worlds')
  }

  onCommand(live: LiveWorld, { writes }: CommandRecord): void {
    forEachWrite(writes, (table, id) => {
      if (table === 'api_keys') this.#addKey(live, id)
    })
  }

  /** Indexes a world again, after another one took its place. */
  rebuild(live: LiveWorld): void {
    this.delete(live.id)
    for (const { id } of live.world.tables.api_keys.own().records) this.#addKey(live, id)
  }

  delete(id: string): void {
    for (const hash of this.#hashes.get(id) ?? []) this.#worlds.delete(hash)
    this.#hashes.delete(id)
  }

  #addKey(live: LiveWorld, id: string): void {
    const hash = live.world.tables.api_keys.get(id)?.hash
    // The world's own key is found by its hash. A key that opens another world already keeps that one.
    if (hash === undefined || deriveWorldId(hash) === live.id || this.#worlds.has(hash)) return
    this.#worlds.set(hash, live.id)
    const hashes = this.#hashes.get(live.id)
    if (hashes) hashes.add(hash)
    else this.#hashes.set(live.id, new Set([hash]))
  }
}
