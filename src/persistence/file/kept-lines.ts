import type { LiveWorld } from '../../runtime/live-world.js'
import type { PersistedWorldHandle } from '../port.js'
import type { WalRecord } from './wal-records.js'

/** The lines that are kept now; of those that are no more it knows why. */
export class PersistedWorlds {
  readonly #byWorld = new Map<string, LiveWorld>()
  /** Lines of deleted worlds: what a request does that is still at one goes with it. */
  readonly #deleted = new WeakSet<PersistedWorldHandle>()
  /** Lines that have never been, as what began them could not be kept. */
  readonly #never = new WeakSet<PersistedWorldHandle>()

  get all(): LiveWorld[] {
    return [...this.#byWorld.values()]
  }

  of(world: string): LiveWorld | undefined {
    return this.#byWorld.get(world)
  }

  isDeleted(line: PersistedWorldHandle): boolean {
    return this.#deleted.has(line)
  }

  wasNeverPersisted(line: PersistedWorldHandle): boolean {
    return this.#never.has(line)
  }

  /** Keeps a line; answers how it has never been. */
  add(live: LiveWorld): () => void {
    this.#byWorld.set(live.id, live)
    return () => {
      this.#byWorld.delete(live.id)
      this.#never.add(live)
    }
  }

  /** Keeps the line of a world no more; answers how it comes back, when there was one: another one there has never been. */
  remove(world: string, is: NonNullable<WalRecord['is']>): (() => void) | undefined {
    const live = this.#byWorld.get(world)
    if (!live) return
    this.#byWorld.delete(world)
    if (is === 'deleted') this.#deleted.add(live)
    return () => {
      this.#deleted.delete(live)
      const other = this.#byWorld.get(world)
      if (other && other !== live) this.#never.add(other)
      this.#byWorld.set(world, live)
    }
  }
}
