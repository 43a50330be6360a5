import type { World } from '../domain/world.js'
import { AppError } from '../lib/app-error.js'
import type { MachineClock } from '../lib/machine-clock.js'
import { deriveWorldId, type HashedKey, hashSecret, isWorldKey, lastFour } from '../lib/secrets.js'
import type { CreateWorld, LiveWorld, OnChange, RestoredWorld } from './live-world.js'
import { WorldKeyIndex } from './world-key-index.js'

export const DEFAULT_WORLD_LIMIT = 10_000
export const MAX_WORLD_LIMIT = 1_000_000

/** So many worlds are on their way to the shelf at a time, beyond the limit until they are written. */
const MAX_BEING_ARCHIVED = 250
/** What readers are told of a world that the disk did not take. */
const NOT_PERSISTED = 'the world could not be kept'
/** So many worlds that had to go are remembered by their ids, so that it can be told when one begins anew. */
const MAX_EVICTED_IDS = 100_000

/** A world that is open, and how it is used. Times are the machine's. */
export interface WorldHandle {
  readonly live: LiveWorld
  /** What opens it; undefined for the default world. */
  readonly key: HashedKey | undefined
  readonly created_at: number
  /** Whether it was there before, and was forgotten since others needed its room. */
  readonly isRestarted: boolean
  used_at: number
  /** How many requests are at it. */
  holders: number
}

/** A world as a request names it. */
export interface WorldName {
  readonly id: string
  /** The hash of the key that names it; undefined without a key. */
  readonly hash?: string
  /** The key with which a world begins that does not exist yet. */
  readonly opens?: HashedKey
}

/** How a world by key begins: by its boot, by a world that is made otherwise, or as it was kept. */
export interface WorldInit {
  /** Whether it was there before and was forgotten. */
  readonly isRestarted?: boolean
  readonly create?: CreateWorld | undefined
  readonly restored?: RestoredWorld | undefined
  /** The snapshot that it is forked from. */
  readonly origin?: World | undefined
}

/** A world that was kept, as it comes back. */
export interface PersistedWorld extends WorldInit {
  readonly key: HashedKey
}

/** Where worlds are kept that make room for others. Without one they are forgotten. */
export interface WorldArchive {
  /** Stores a world. `leave` then removes it from memory, or returns false if it is in use. */
  evict(live: LiveWorld, leave: () => boolean): Promise<boolean>
  /** A stored world that is not in memory. */
  find(id: string): PersistedWorld | undefined
  /** Deletes a world. `restore` brings it back into memory if that cannot be stored. */
  delete(live: LiveWorld, restore: () => void): void
}

export interface WorldRegistryOptions {
  readonly main: LiveWorld
  /** How many worlds by key are open at most. */
  readonly limit: number
  readonly machineClock: MachineClock
  /** Opens a world by key. */
  readonly start: (key: HashedKey, how: WorldInit) => LiveWorld
  readonly archive?: WorldArchive | undefined
  /** Tells whoever runs the sandbox. */
  readonly warn: (sentence: string) => void
}

/** A world that cannot be opened now: all others are in use, and there are as many as there may be. */
export class WorldLimitError extends AppError<'unavailable'> {
  override readonly name = 'NoRoom'

  constructor(message: string) {
    super('unavailable', message)
  }
}

/** The worlds of a sandbox: the default one, and those that keys have opened. */
export class WorldRegistry {
  readonly main: WorldHandle
  readonly #parts: WorldRegistryOptions
  /** Those by key, by id, the least recently used first. */
  readonly #byKey = new Map<string, WorldHandle>()
  readonly #keyIndex = new WorldKeyIndex()
  readonly #evictedIds = new Set<string>()
  /** Those that are on their way to the shelf. */
  readonly #beingArchived = new Set<WorldHandle>()
  #newest: WorldHandle | undefined
  #lost = 0

  constructor(parts: WorldRegistryOptions) {
    this.#parts = parts
    this.main = createHandle(parts.main, undefined, parts.machineClock())
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
    return this.#all().reduce((sum, { live }) => sum + live.streams, 0)
  }

  /** Ends all open streams, and tells why. */
  endStreams(reason: string): void {
    for (const { live } of this.#all()) live.endStreams(reason)
  }

  /** All of them, the most recently used first. */
  list(): WorldHandle[] {
    return this.#all()
      .reverse()
      .sort((a, b) => b.used_at - a.used_at)
  }

  /** The world of this id, if there is one. */
  find(id: string): WorldHandle | undefined {
    return this.peek(id) ?? this.#restoreArchived(id)
  }

  /** The world that a key of the form of such keys opens: it begins with the key's first use. */
  open(key: HashedKey): WorldHandle {
    const id = deriveWorldId(key.hash)
    return this.find(id) ?? this.#create(id, key)
  }

  /** Names the world that a key opens. It opens no world and fires no timer. */
  nameByKey(secret: string): WorldName | undefined {
    const hash = hashSecret(secret)
    if (isWorldKey(secret)) {
      return { id: deriveWorldId(hash), hash, opens: { hash, last_four: lastFour(secret) } }
    }
    const id =
      this.#keyIndex.find(hash) ?? (this.#isKeyOfMain(hash) ? this.main.live.id : undefined)
    return id === undefined ? undefined : { id, hash }
  }

  /** The world of a name; undefined if it was deleted. A world key opens its world with the first use. */
  enter({ id, opens }: WorldName): WorldHandle | undefined {
    const handle = this.find(id) ?? (opens && this.#create(id, opens))
    if (handle) this.use(handle)
    return handle
  }

  /** The world that a key opens. */
  enterByKey(secret: string): WorldHandle | undefined {
    const name = this.nameByKey(secret)
    return name && this.enter(name)
  }

  /** The world of this id, if it is in memory. */
  peek(id: string): WorldHandle | undefined {
    return id === this.main.live.id ? this.main : this.#byKey.get(id)
  }

  /** Whether a key of this hash was made in some world. Opens none. */
  hasKey(hash: string): boolean {
    return this.#keyIndex.find(hash) !== undefined || this.#isKeyOfMain(hash)
  }

  #isKeyOfMain(hash: string): boolean {
    return this.main.live.world.tables.api_keys.first('hash', hash) !== undefined
  }

  /** Notes that a world is used now. */
  use(world: WorldHandle): LiveWorld {
    const { live } = world
    world.used_at = this.#parts.machineClock()
    if (world === this.main || world === this.#newest) return live
    // One that was deleted in the meantime stays away.
    if (this.#byKey.get(live.id) !== world) return live
    this.#byKey.delete(live.id)
    this.#byKey.set(live.id, world)
    this.#newest = world
    return live
  }

  /** Keeps a world from making room until what comes back is called; the default world never does. */
  hold(world: WorldHandle): (() => void) | undefined {
    if (world === this.main) return undefined
    world.holders++
    return () => {
      world.holders--
      this.use(world)
    }
  }

  /** Hears of the entries of worlds by key, and of others that take their places. */
  readonly onChange: OnChange = (live, entry) => {
    // What comes before a world is open is taken in as a whole; one that is closed has no keys.
    if (this.#byKey.get(live.id)?.live !== live) return
    if (entry) this.#keyIndex.onEntry(live, entry)
    else this.#keyIndex.rebuild(live)
  }

  /** Opens a world by key that is made in a way of its own. */
  create(key: HashedKey, create: CreateWorld, origin: World): WorldHandle {
    return this.#startWithin(key, { create, origin })
  }

  /** Loads a stored world at the start, beyond the limit if need be. */
  load(id: string): void {
    const found = this.#parts.archive?.find(id)
    if (found) this.#start(found.key, found)
  }

  /** Closes a world by key for good. What its key opens from now on is a new one. */
  delete(world: WorldHandle, reason: string): void {
    const { live } = world
    this.#parts.archive?.delete(live, () => this.#enter(world))
    this.#remove(live)
    this.#evictedIds.delete(live.id)
    live.endStreams(reason)
  }

  /** Forgets a world by key whose beginning could not be kept. */
  evict(id: string): void {
    const world = this.#byKey.get(id)
    if (!world) return
    this.#remove(world.live)
    world.live.endStreams(NOT_PERSISTED)
  }

  #all(): WorldHandle[] {
    return [this.main, ...this.#byKey.values()]
  }

  #create(id: string, key: HashedKey): WorldHandle {
    const isRestarted = this.#evictedIds.has(id)
    const world = this.#startWithin(key, { isRestarted })
    if (isRestarted) this.#parts.warn(restartWarning(id, key))
    this.#evictedIds.delete(id)
    return world
  }

  /** Starts a world within the limit: another one makes room for it. */
  #startWithin(key: HashedKey, how: WorldInit): WorldHandle {
    this.#assertWithinLimit()
    const world = this.#start(key, how)
    this.#makeRoomFor(world)
    return world
  }

  #assertWithinLimit(): void {
    const { limit } = this.#parts
    const { size } = this.#byKey
    if (size - this.#beingArchived.size < limit) return
    if (size < limit + MAX_BEING_ARCHIVED && this.#evictable().next().done === false) return
    const others = size === 1 ? '1 world by key is' : `${size} worlds by key are`
    throw new WorldLimitError(`${others} in use, and no other can be opened now; retry`)
  }

  /** Those that can make room, the least recently used first. */
  *#evictable(but?: WorldHandle): Generator<WorldHandle> {
    for (const world of this.#byKey.values()) {
      if (world !== but && isEvictable(world) && !this.#beingArchived.has(world)) yield world
    }
  }

  #start(key: HashedKey, how: WorldInit): WorldHandle {
    const { start, machineClock } = this.#parts
    return this.#enter(createHandle(start(key, how), key, machineClock(), how.isRestarted))
  }

  #restoreArchived(id: string): WorldHandle | undefined {
    const kept = this.#parts.archive?.find(id)
    if (!kept) return undefined
    const { key, ...how } = kept
    return this.#startWithin(key, how)
  }

  #enter(world: WorldHandle): WorldHandle {
    this.#byKey.set(world.live.id, world)
    this.use(world)
    this.#keyIndex.rebuild(world.live)
    return world
  }

  /** Past the limit the least recently used worlds go that nobody is at. */
  #makeRoomFor(newest: WorldHandle): void {
    const { limit } = this.#parts
    for (const world of this.#evictable(newest)) {
      const { size } = this.#beingArchived
      if (this.#byKey.size - size <= limit || size >= MAX_BEING_ARCHIVED) break
      this.#makeRoom(world)
    }
  }

  #makeRoom(world: WorldHandle): void {
    const { archive } = this.#parts
    if (archive) this.#archive(world, archive)
    else {
      this.#remove(world.live)
      this.#rememberEvicted(world.live.id)
    }
  }

  /** It stays until it is written, and when it is used meanwhile. */
  #archive(world: WorldHandle, archive: WorldArchive): void {
    const { used_at } = world
    const leave = () => {
      if (!isEvictable(world) || world.used_at !== used_at) return false
      this.#release(world.live)
      return true
    }
    this.#beingArchived.add(world)
    const done = () => void this.#beingArchived.delete(world)
    // One that cannot be written down stays in memory: nothing is lost but room.
    archive.evict(world.live, leave).then(done, done)
  }

  #rememberEvicted(id: string): void {
    this.#evictedIds.add(id)
    if (this.#evictedIds.size <= MAX_EVICTED_IDS) return
    const [oldest = ''] = this.#evictedIds
    this.#evictedIds.delete(oldest)
  }

  #remove(live: LiveWorld): void {
    this.#lost++
    this.#release(live)
    this.#keyIndex.delete(live.id)
  }

  /** Lets a world go that may come back: keys that were made in it go on opening it. */
  #release(live: LiveWorld): void {
    this.#byKey.delete(live.id)
    if (this.#newest?.live === live) this.#newest = undefined
  }
}

/** Whether nobody is at it. */
const isEvictable = ({ holders, live }: WorldHandle): boolean => holders === 0 && live.streams === 0

const createHandle = (
  live: LiveWorld,
  key: HashedKey | undefined,
  created_at: number,
  isRestarted = false,
): WorldHandle => ({ live, key, created_at, isRestarted, used_at: created_at, holders: 0 })

const restartWarning = (id: string, { last_four }: HashedKey): string =>
  `world ${id} (key …${last_four}) starts anew: it was the least recently used when others needed its room`
