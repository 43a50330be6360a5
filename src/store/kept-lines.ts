import type { KeptLine } from '../keeping.js'
import type { Timeline } from '../timeline.js'
import type { Line } from './lines.js'

/** The lines that are kept now; of those that are no more it knows why. */
export class KeptLines {
  readonly #byWorld = new Map<string, Timeline>()
  /** Lines of deleted worlds: what a request does that is still at one goes with it. */
  readonly #deleted = new WeakSet<KeptLine>()
  /** Lines that have never been, as what began them could not be kept. */
  readonly #never = new WeakSet<KeptLine>()

  get all(): Timeline[] {
    return [...this.#byWorld.values()]
  }

  of(world: string): Timeline | undefined {
    return this.#byWorld.get(world)
  }

  isDeleted(line: KeptLine): boolean {
    return this.#deleted.has(line)
  }

  hasNeverBeen(line: KeptLine): boolean {
    return this.#never.has(line)
  }

  /** Keeps a line; answers how it has never been. */
  add(line: Timeline): () => void {
    this.#byWorld.set(line.id, line)
    return () => {
      this.#byWorld.delete(line.id)
      this.#never.add(line)
    }
  }

  /** Keeps the line of a world no more; answers how it comes back, when there was one: another one there has never been. */
  remove(world: string, is: NonNullable<Line['is']>): (() => void) | undefined {
    const line = this.#byWorld.get(world)
    if (!line) return
    this.#byWorld.delete(world)
    if (is === 'deleted') this.#deleted.add(line)
    return () => {
      this.#deleted.delete(line)
      const other = this.#byWorld.get(world)
      if (other && other !== line) this.#never.add(other)
      this.#byWorld.set(world, line)
    }
  }
}
