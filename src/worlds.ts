import type { MachineClock } from './clock.js'
import { MadeKeys } from './made-keys.js'
import { type KeptKey, worldIdOf } from './secrets.js'
import type { Changed, MakeWorld, Timeline } from './timeline.js'

/** The id of the world of those who bring no key of a world of their own. */
export const DEFAULT_WORLD = 'default'
export const DEFAULT_WORLD_LIMIT = 10_000
export const HIGHEST_WORLD_LIMIT = 1_000_000

/** A world that was used so lately stays, since a test may be at it. */
const BUSY_MS = 60_000
/** Of so many worlds that had to go it is known that they were there. */
const MOST_FORGOTTEN = 100_000

/** A world that is open, and how it is used. Times are the machine's. */
export interface OpenWorld {
  readonly line: Timeline
  /** What opens it; undefined for the default world. */
  readonly key: KeptKey | undefined
  readonly created_at: number
  /** Whether it was there before, and was forgotten since others needed its room. */
  readonly again: boolean
  used_at: number
  /** How many requests are at it. */
  held: number
}

/** A world that was put aside, as it comes back. */
export interface Kept {
  readonly key: KeptKey
  readonly created_at: number
  readonly make: MakeWorld
}

/** Where worlds are kept that make room for others. Without one they are forgotten. */
export interface Shelf {
  /** Takes a world that makes room. It may go on writing: `open` knows the world from now on. */
  putAside(world: OpenWorld): void
  /** A world that was put aside, by its id; it is open from now on. */
  open(id: string): Kept | undefined
  /** Forgets a world that was deleted, open or put aside. */
  drop(id: string): void
}

export interface WorldsParts {
  readonly main: Timeline
  /** How many worlds by key are open, unless more are in use at once. */
  readonly limit: number
  readonly machineClock: MachineClock
  /** Opens a world by key, for the first time or `again`; by its boot, unless something else makes it. */
  readonly start: (key: KeptKey, again: boolean, make?: MakeWorld) => Timeline
  readonly shelf?: Shelf | undefined
  /** Tells whoever runs the sandbox. */
  readonly warn: (sentence: string) => void
}

/** The worlds of a sandbox: the default one, and those that keys have opened. */
export class Worlds {
  readonly main: OpenWorld
  readonly #parts: WorldsParts
  /** Those by key, by id, the least recently used first. */
  readonly #byKey = new Map<string, OpenWorld>()
  readonly #madeKeys = new MadeKeys()
  readonly #forgotten = new Set<string>()
  #newest: OpenWorld | undefined

  constructor(parts: WorldsParts) {
    this.#parts = parts
    this.main = opened(parts.main, undefined, parts.machineClock())
  }

  /** How many are open. */
  get size(): number {
    return this.#byKey.size + 1
  }

  /** How many streams are open, of all worlds together. */
  get streams(): number {
    return this.#all().reduce((sum, { line }) => sum + line.streams, 0)
  }

  /** Ends all open streams, and tells why. */
  endStreams(reason: string): void {
    for (const { line } of this.#all()) line.endStreams(reason)
  }

  /** All of them, the most recently used first. */
  list(): OpenWorld[] {
    return this.#all()
      .reverse()
      .sort((a, b) => b.used_at - a.used_at)
  }

  /** The world of this id, if there is one. */
  find(id: string): OpenWorld | undefined {
    return id === this.main.line.id ? this.main : (this.#byKey.get(id) ?? this.#fromShelf(id))
  }

  /** The world that a key of the form of such keys opens: it begins with the key's first use. */
  open(key: KeptKey): OpenWorld {
    const id = worldIdOf(key.hash)
    return this.find(id) ?? this.#begin(id, key)
  }

  /** The world that any other key may open, by the hash of its secret. */
  ofOtherKey(hash: string): OpenWorld {
    const line = this.#madeKeys.find(hash)
    return (line && this.#byKey.get(line.id)) ?? this.main
  }

  /** Notes that a world is used now. */
  use(world: OpenWorld): Timeline {
    const { line } = world
    world.used_at = this.#parts.machineClock()
    if (world === this.main || world === this.#newest) return line
    // One that was deleted in the meantime stays away.
    if (this.#byKey.get(line.id) !== world) return line
    this.#byKey.delete(line.id)
    this.#byKey.set(line.id, world)
    this.#newest = world
    return line
  }

  /** Keeps a world from making room until what comes back is called; the default world never does. */
  hold(world: OpenWorld): (() => void) | undefined {
    if (world === this.main) return undefined
    world.held++
    return () => {
      world.held--
      this.use(world)
    }
  }

  /** Hears of the entries of worlds by key, and of others that take their places. */
  readonly changed: Changed = (line, entry) => {
    // What comes before a world is open is taken in as a whole; one that is closed has no keys.
    if (this.#byKey.get(line.id)?.line !== line) return
    if (entry) this.#madeKeys.follow(line, entry)
    else this.#madeKeys.recount(line)
  }

  /** Opens a world by key that begins in a way of its own. */
  begin(key: KeptKey, make: MakeWorld): OpenWorld {
    return this.#begin(worldIdOf(key.hash), key, make)
  }

  /** Closes a world by key for good. What its key opens from now on is a new one. */
  delete({ line }: OpenWorld, reason: string): void {
    this.#remove(line)
    this.#forgotten.delete(line.id)
    this.#parts.shelf?.drop(line.id)
    line.endStreams(reason)
  }

  #all(): OpenWorld[] {
    return [this.main, ...this.#byKey.values()]
  }

  #begin(id: string, key: KeptKey, make?: MakeWorld): OpenWorld {
    const { start, machineClock, limit, warn } = this.#parts
    const again = make === undefined && this.#forgotten.delete(id)
    if (again) warn(startedAnew(id, key, limit))
    return this.#enter(opened(start(key, again, make), key, machineClock(), again))
  }

  #fromShelf(id: string): OpenWorld | undefined {
    const kept = this.#parts.shelf?.open(id)
    if (!kept) return undefined
    const { key, make, created_at } = kept
    return this.#enter(opened(this.#parts.start(key, false, make), key, created_at))
  }

  #enter(world: OpenWorld): OpenWorld {
    this.#byKey.set(world.line.id, world)
    this.use(world)
    this.#madeKeys.recount(world.line)
    this.#makeRoom()
    return world
  }

  /** Past the limit the least recently used go, but none that is in use: a test counts more than the limit. */
  #makeRoom(): void {
    const { limit, machineClock } = this.#parts
    const now = machineClock()
    for (const world of this.#byKey.values()) {
      if (this.#byKey.size <= limit || now - world.used_at < BUSY_MS) return
      if (world.held === 0 && world.line.streams === 0) this.#evict(world)
    }
  }

  #evict(world: OpenWorld): void {
    this.#remove(world.line)
    const { shelf } = this.#parts
    if (shelf) {
      shelf.putAside(world)
      return
    }
    this.#forgotten.add(world.line.id)
    if (this.#forgotten.size <= MOST_FORGOTTEN) return
    const [oldest = ''] = this.#forgotten
    this.#forgotten.delete(oldest)
  }

  #remove(line: Timeline): void {
    this.#byKey.delete(line.id)
    this.#madeKeys.drop(line)
    if (this.#newest?.line === line) this.#newest = undefined
  }
}

const opened = (
  line: Timeline,
  key: KeptKey | undefined,
  created_at: number,
  again = false,
): OpenWorld => ({ line, key, created_at, again, used_at: created_at, held: 0 })

const startedAnew = (id: string, { last_four }: KeptKey, limit: number): string =>
  `world ${id} (key …${last_four}) starts anew: it was the least recently used of more than ${limit} ` +
  'worlds by key, and had to make room'
