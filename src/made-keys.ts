import { worldIdOf } from './secrets.js'
import type { Timeline } from './timeline.js'
import type { Entry } from './world/kernel/entry.js'

/**
 * Which world a key opens that was made inside a world of its own key. It follows the records: a key that
 * an undo, a reset or a restore has taken away opens nothing, until one of them brings it back.
 */
export class MadeKeys {
  readonly #worlds = new Map<string, string>()
  /** The hashes of each world that has any, by its id. */
  readonly #hashes = new Map<string, Set<string>>()

  /** The id of the world of a key, by the hash of its secret. */
  find(hash: string): string | undefined {
    return this.#worlds.get(hash)
  }

  /** Takes in the keys that an entry made. */
  follow(line: Timeline, { changes }: Entry): void {
    for (const { table, id } of changes) if (table === 'api_keys') this.#addKey(line, id)
  }

  /** Looks at a world anew: another one may stand in its place. */
  recount(line: Timeline): void {
    this.drop(line.id)
    for (const id of line.world.tables.api_keys.ownIds()) this.#addKey(line, id)
  }

  /** Forgets the keys of a world. */
  drop(id: string): void {
    for (const hash of this.#hashes.get(id) ?? []) this.#worlds.delete(hash)
    this.#hashes.delete(id)
  }

  #addKey(line: Timeline, id: string): void {
    const hash = line.world.tables.api_keys.get(id)?.hash
    // The world's own key is found by its form; one that opens another world goes on doing so.
    if (hash === undefined || worldIdOf(hash) === line.id || this.#worlds.has(hash)) return
    this.#worlds.set(hash, line.id)
    const hashes = this.#hashes.get(line.id)
    if (hashes) hashes.add(hash)
    else this.#hashes.set(line.id, new Set([hash]))
  }
}
