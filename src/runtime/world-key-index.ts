import type { Entry } from '../kernel/entry.js'
import { deriveWorldId } from '../lib/secrets.js'
import type { LiveWorld } from './live-world.js'

/**
 * Which world a key opens that was made inside a world of its own key. It follows the records: a key that
 * an undo, a reset or a restore has taken away opens nothing, until one of them brings it back.
 */
export class WorldKeyIndex {
  readonly #worlds = new Map<string, string>()
  /** The hashes of each world that has any, by its id. */
  readonly #hashes = new Map<string, Set<string>>()

  /** The id of the world of a key, by the hash of its secret. */
  find(hash: string): string | undefined {
    return this.#worlds.get(hash)
  }

  /** Takes in the keys that an entry made. */
  onEntry(live: LiveWorld, { changes }: Entry): void {
    for (const { table, id } of changes) if (table === 'api_keys') this.#addKey(live, id)
  }

  /** Looks at a world anew: another one may stand in its place. */
  rebuild(live: LiveWorld): void {
    this.delete(live.id)
    for (const id of live.world.tables.api_keys.changedIds()) this.#addKey(live, id)
  }

  /** Forgets the keys of a world. */
  delete(id: string): void {
    for (const hash of this.#hashes.get(id) ?? []) this.#worlds.delete(hash)
    this.#hashes.delete(id)
  }

  #addKey(live: LiveWorld, id: string): void {
    const hash = live.world.tables.api_keys.get(id)?.hash
    // The world's own key is found by its form; one that opens another world goes on doing so.
    if (hash === undefined || deriveWorldId(hash) === live.id || this.#worlds.has(hash)) return
    this.#worlds.set(hash, live.id)
    const hashes = this.#hashes.get(live.id)
    if (hashes) hashes.add(hash)
    else this.#hashes.set(live.id, new Set([hash]))
  }
}
