import { type CommandRecord, forEachWrite } from '../kernel/command-record.js'
import { deriveWorldId } from '../lib/secrets.js'
import type { LiveWorld } from './live-world.js'

/**
 * Finds the world of an API key that was created inside a world by key. It follows the records: a key that an
 * undo, a reset or a restore removed opens nothing.
 */
export class WorldKeyIndex {
  readonly #worlds = new Map<string, string>()
  readonly #hashes = new Map<string, Set<string>>()

  find(hash: string): string | undefined {
    return this.#worlds.get(hash)
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
