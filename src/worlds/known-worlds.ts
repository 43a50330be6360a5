import type { CommandRecord } from '../kernel/command-record.js'
import type { Act, CaughtUp, Head, StoredCopy } from './port.js'

/** One step of a world that is not stored yet, or how to undo its beginning or end. */
export type Item =
  | {
      readonly copy: StoredCopy
      readonly record: CommandRecord
      /** A request did it to a world that was deleted meanwhile. */
      readonly isDropped: boolean
    }
  | { readonly act: Act }
  | { readonly rollback: () => void }
  | { readonly ends: true }

/** Steps that are stored as a whole, oldest first. */
export class Batch {
  readonly items: Item[] = []
  resolve = (): void => {}
  reject = (_why: Error): void => {}
  readonly stored = new Promise<void>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  constructor() {
    // Nobody may wait for it, such as when only timers fired.
    this.stored.catch(() => {})
  }
}

/** A world: its copy in memory, its newest stored commit, and its steps since. */
export class KnownWorld {
  copy: StoredCopy | undefined
  head: Head | undefined
  /** The copy was read from a checkpoint, so it lacks older entries. */
  isPartial = false
  inFlight: Batch | undefined
  queued: Batch | undefined

  constructor(readonly id: string) {}

  /** Resolves once all its steps so far are stored; undefined if they are. */
  get stored(): Promise<void> | undefined {
    return (this.queued ?? this.inFlight)?.stored
  }

  /** Resolves once all its steps so far are stored, or rolled back. */
  async settled(): Promise<void> {
    await this.stored?.catch(() => {})
  }

  lacks(found: CaughtUp | undefined): boolean {
    const { head } = this
    return !found || !head || found.world !== undefined || found.head.seq > head.seq
  }

  isAheadOf(found: CaughtUp | undefined): boolean {
    return found !== undefined && found.head.seq < (this.head?.seq ?? 0)
  }
}

/** The worlds in memory, and those that have steps to store. */
export class KnownWorlds {
  readonly #worlds = new Map<string, KnownWorld>()
  /** In characters of JSON: what the copies in memory were read from. */
  #held = 0

  find(id: string): KnownWorld | undefined {
    return this.#worlds.get(id)
  }

  all(): readonly KnownWorld[] {
    return [...this.#worlds.values()]
  }

  know(id: string): KnownWorld {
    const known = this.#worlds.get(id) ?? new KnownWorld(id)
    this.#worlds.set(id, known)
    return known
  }

  setHead(world: KnownWorld, head: Head | undefined): void {
    this.#held += (head?.held ?? 0) - (world.head?.held ?? 0)
    world.head = head
  }

  /** In characters of JSON. */
  get held(): number {
    return this.#held
  }

  forget(world: KnownWorld): void {
    this.setHead(world, undefined)
    world.copy = undefined
    if (!world.stored) this.#worlds.delete(world.id)
  }
}
