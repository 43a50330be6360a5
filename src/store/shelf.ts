import type { MakeWorld, ReopenedLine, Timeline } from '../timeline.js'
import { openWorld, type World, type WorldOptions } from '../world/world.js'
import type { StoredKey } from './state.js'
import type { Store } from './store.js'

/** A world that makes room for others. */
export interface Shelved {
  readonly line: Timeline
  readonly key: StoredKey
}

/** A world that comes back: what opens it, and what it goes on from. */
export interface Unshelved {
  readonly key: StoredKey
  readonly make: MakeWorld
  readonly reopened: ReopenedLine
}

export interface ShelfParts {
  readonly store: Store
  /** What all worlds lie upon. */
  readonly base: World
  readonly react: WorldOptions['react']
}

/**
 * Worlds that make room for others. They are written one after another and leave memory when they are safe;
 * one that is wanted before comes back from there.
 */
export class Shelf {
  readonly #parts: ShelfParts
  readonly #leaving = new Map<string, Shelved>()
  #writing: Promise<void> | undefined

  constructor(parts: ShelfParts) {
    this.#parts = parts
  }

  /** Resolves once nothing is being written. */
  get settled(): Promise<void> {
    return this.#writing ?? Promise.resolve()
  }

  /** Takes a world, which only `open` knows from now on. */
  putAside(world: Shelved): void {
    this.#leaving.set(world.line.id, world)
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  /** A world by its id, to go on with; undefined when there is none. */
  open(id: string): Unshelved | undefined {
    return this.#fromMemory(id) ?? this.#fromDisk(id)
  }

  /** Forgets a world that was deleted. Resolves once that will outlast a crash. */
  drop(id: string): Promise<void> {
    this.#leaving.delete(id)
    return this.#parts.store.deleted(id)
  }

  async #write(): Promise<void> {
    for (const [id, world] of this.#leaving) {
      const leave = () => {
        this.#leaving.delete(id)
        return () => void this.#leaving.set(id, world)
      }
      // What cannot be written stays in memory, and is tried again with the next one.
      await this.#parts.store.putAside(world.line, leave).catch(() => false)
    }
  }

  #fromMemory(id: string): Unshelved | undefined {
    const leaving = this.#leaving.get(id)
    if (!leaving) return undefined
    this.#leaving.delete(id)
    const { line, key } = leaving
    const snapshots = new Map(line.snapshots().map((it) => [it.name, it]))
    const { tables, seed, now, seq, count } = line.world
    return {
      key,
      make: this.#maker({ tables, seed, now, seq, count }),
      reopened: { journal: line.journal, snapshots },
    }
  }

  #fromDisk(id: string): Unshelved | undefined {
    const { store, base } = this.#parts
    const found = store.findAside(id, base)
    return found?.key && { key: found.key, make: this.#maker(found), reopened: found }
  }

  #maker(state: Parameters<typeof openWorld>[0]): MakeWorld {
    const { react } = this.#parts
    return (record) => openWorld(state, { react, record })
  }
}
