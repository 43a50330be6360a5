import type { MachineClock } from './clock.js'
import { MadeKeys } from './made-keys.js'
import type { IsMemoryShort } from './memory.js'
import { type KeptKey, worldIdOf } from './secrets.js'
import type { Changed, MakeWorld, ReopenedLine, Timeline } from './timeline.js'

export const DEFAULT_WORLD_LIMIT = 10_000
export const HIGHEST_WORLD_LIMIT = 1_000_000

/** So many worlds are on their way to the shelf at a time, beyond the limit until they are written. */
const MAX_LEAVING = 250
/** What readers are told of a world that the disk did not take. */
const NOT_KEPT = 'the world could not be kept'
/** While memory is short, this share of them makes room at a time, and the next look comes after a pause. */
const PART = 0.1
const LOOK_AGAIN_MS = 5_000
/** Where worlds are opened fast, it comes after so many of them, and no more go than have come. */
const LOOK_AGAIN_AFTER = 250
/** So many worlds that had to go are remembered by their ids, so that it can be told when one begins anew. */
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

/** How a world by key begins: by its boot, by a world that is made otherwise, or as it was kept. */
export interface WorldStart {
  /** Whether it was there before and was forgotten. */
  readonly again?: boolean
  readonly make?: MakeWorld | undefined
  readonly reopened?: ReopenedLine | undefined
}

/** A world that was kept, as it comes back. */
export interface KeptWorld extends WorldStart {
  readonly key: KeptKey
}

/** Where worlds are kept that make room for others. Without one they are forgotten. */
export interface Shelf {
  /**
   * Writes a world down that makes room. `leave` lets it go once it is safe, and answers how it comes back
   * should that fail; undefined when it has to stay. Answers whether it went.
   */
  putAside(line: Timeline, leave: () => (() => void) | undefined): Promise<boolean>
  /** A world that was put aside, by its id; it is open from now on. */
  open(id: string): KeptWorld | undefined
  /** Forgets a world that is deleted; it comes back by `takeBack`, should that not be kept. */
  drop(id: string, takeBack: () => void): void
}

export interface WorldsParts {
  readonly main: Timeline
  /** How many worlds by key are open at most. */
  readonly limit: number
  readonly machineClock: MachineClock
  readonly isMemoryShort: IsMemoryShort
  /** Opens a world by key. */
  readonly start: (key: KeptKey, how: WorldStart) => Timeline
  readonly shelf?: Shelf | undefined
  /** Tells whoever runs the sandbox. */
  readonly warn: (sentence: string) => void
}

/** A world that cannot be opened now: all others are in use, and there are as many as there may be. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/** The worlds of a sandbox: the default one, and those that keys have opened. */
export class Worlds {
  readonly main: OpenWorld
  readonly #parts: WorldsParts
  /** Those by key, by id, the least recently used first. */
  readonly #byKey = new Map<string, OpenWorld>()
  readonly #madeKeys = new MadeKeys()
  readonly #forgotten = new Set<string>()
  /** Those that are on their way to the shelf. */
  readonly #leaving = new Set<OpenWorld>()
  #newest: OpenWorld | undefined
  #lost = 0
  /** When it was last looked whether memory is short. */
  #lookedAt = Number.NEGATIVE_INFINITY
  /** How many were opened since. */
  #openedSince = 0

  constructor(parts: WorldsParts) {
    this.#parts = parts
    this.main = opened(parts.main, undefined, parts.machineClock())
  }

  /** How many are open. */
  get size(): number {
    return this.#byKey.size + 1
  }

  /** How many worlds were deleted, or evicted without being kept. */
  get lost(): number {
    return this.#lost
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
    const id = this.#madeKeys.find(hash)
    return (id === undefined ? undefined : this.find(id)) ?? this.main
  }

  /** Whether a key of this hash was made in some world. Opens none. */
  hasKey(hash: string): boolean {
    if (this.#madeKeys.find(hash) !== undefined) return true
    return this.main.line.world.tables.api_keys.first('hash', hash) !== undefined
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

  /** Opens a world by key that is made in a way of its own. */
  begin(key: KeptKey, make: MakeWorld): OpenWorld {
    return this.#startWithin(key, { make })
  }

  /** Goes on with a world by key that was kept. */
  comeBack({ key, ...how }: KeptWorld): OpenWorld {
    return this.#start(key, how)
  }

  /** Closes a world by key for good. What its key opens from now on is a new one. */
  delete(world: OpenWorld, reason: string): void {
    const { line } = world
    this.#parts.shelf?.drop(line.id, () => this.#enter(world))
    this.#remove(line)
    this.#forgotten.delete(line.id)
    line.endStreams(reason)
  }

  /** Forgets a world by key whose beginning could not be kept. */
  forget(id: string): void {
    const world = this.#byKey.get(id)
    if (!world) return
    this.#remove(world.line)
    world.line.endStreams(NOT_KEPT)
  }

  #all(): OpenWorld[] {
    return [this.main, ...this.#byKey.values()]
  }

  #begin(id: string, key: KeptKey): OpenWorld {
    const again = this.#forgotten.has(id)
    const world = this.#startWithin(key, { again })
    if (again) this.#parts.warn(startedAnew(id, key))
    this.#forgotten.delete(id)
    return world
  }

  /** Starts a world within the limit: another one makes room for it. */
  #startWithin(key: KeptKey, how: WorldStart): OpenWorld {
    this.#assertRoom()
    const world = this.#start(key, how)
    this.#makeRoomFor(world)
    return world
  }

  #assertRoom(): void {
    const { limit } = this.#parts
    const { size } = this.#byKey
    if (size - this.#leaving.size < limit) return
    if (size < limit + MAX_LEAVING && this.#free().next().done === false) return
    const others = size === 1 ? '1 world by key is' : `${size} worlds by key are`
    throw new NoRoom(`${others} in use, and no other can be opened now; retry`)
  }

  /** Those that can make room, the least recently used first. */
  *#free(but?: OpenWorld): Generator<OpenWorld> {
    for (const world of this.#byKey.values()) {
      if (world !== but && isFree(world) && !this.#leaving.has(world)) yield world
    }
  }

  #start(key: KeptKey, how: WorldStart): OpenWorld {
    const { start, machineClock } = this.#parts
    return this.#enter(opened(start(key, how), key, machineClock(), how.again))
  }

  #fromShelf(id: string): OpenWorld | undefined {
    const kept = this.#parts.shelf?.open(id)
    if (!kept) return undefined
    const { key, ...how } = kept
    return this.#startWithin(key, how)
  }

  #enter(world: OpenWorld): OpenWorld {
    this.#byKey.set(world.line.id, world)
    this.use(world)
    this.#madeKeys.recount(world.line)
    return world
  }

  /** Past the limit, or when memory is short, the least recently used go that nobody is at. */
  #makeRoomFor(newest: OpenWorld): void {
    const most = this.#most(this.#parts.machineClock())
    let gone = 0
    for (const world of this.#free(newest)) {
      const { size } = this.#leaving
      if (this.#byKey.size - size <= most || size >= MAX_LEAVING) break
      this.#evict(world)
      gone++
    }
    if (gone > 0 && most < this.#parts.limit) this.#parts.warn(shortOf(gone))
  }

  /** How many may be open now. */
  #most(now: number): number {
    const { limit, isMemoryShort } = this.#parts
    this.#openedSince++
    const isSoon = now - this.#lookedAt < LOOK_AGAIN_MS
    if (isSoon && this.#openedSince < LOOK_AGAIN_AFTER) return limit
    if (!isSoon) this.#lookedAt = now
    this.#openedSince = 0
    if (!isMemoryShort()) return limit
    // Where there are few, it is not they that take the memory.
    const part = Math.floor(this.#byKey.size * PART)
    return Math.min(limit, this.#byKey.size - (isSoon ? Math.min(part, LOOK_AGAIN_AFTER) : part))
  }

  #evict(world: OpenWorld): void {
    const { shelf } = this.#parts
    if (shelf) this.#putAside(world, shelf)
    else {
      this.#remove(world.line)
      this.#remember(world.line.id)
    }
  }

  /** It stays until it is written, and when it is used meanwhile. */
  #putAside(world: OpenWorld, shelf: Shelf): void {
    const { used_at } = world
    const leave = () => {
      if (!isFree(world) || world.used_at !== used_at) return undefined
      this.#leave(world.line)
      return () => this.#enter(world)
    }
    this.#leaving.add(world)
    const done = () => void this.#leaving.delete(world)
    // One that cannot be written down stays in memory: nothing is lost but room.
    shelf.putAside(world.line, leave).then(done, done)
  }

  #remember(id: string): void {
    this.#forgotten.add(id)
    if (this.#forgotten.size <= MOST_FORGOTTEN) return
    const [oldest = ''] = this.#forgotten
    this.#forgotten.delete(oldest)
  }

  #remove(line: Timeline): void {
    this.#lost++
    this.#leave(line)
    this.#madeKeys.drop(line.id)
  }

  /** Lets a world go that may come back: keys that were made in it go on opening it. */
  #leave(line: Timeline): void {
    this.#byKey.delete(line.id)
    if (this.#newest?.line === line) this.#newest = undefined
  }
}

/** Whether nobody is at it. */
const isFree = ({ held, line }: OpenWorld): boolean => held === 0 && line.streams === 0

const opened = (
  line: Timeline,
  key: KeptKey | undefined,
  created_at: number,
  again = false,
): OpenWorld => ({ line, key, created_at, again, used_at: created_at, held: 0 })

const startedAnew = (id: string, { last_four }: KeptKey): string =>
  `world ${id} (key …${last_four}) starts anew: it was the least recently used when others needed its room`

const shortOf = (gone: number): string =>
  `memory is short: the least recently used worlds by key make room, ${gone} of them`
