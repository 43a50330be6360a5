import { findLabel } from '../domain/api-keys.js'
import type { ClockSetting } from '../domain/clock.js'
import type { ApiKey } from '../domain/schema.js'
import type { World } from '../domain/world.js'
import type { LogRecord } from '../history/log-record.js'
import { type Activity, Subscriptions } from '../history/subscriptions.js'
import { AppError } from '../lib/app-error.js'
import type { MachineClock, Schedule } from '../lib/machine-clock.js'
import { deriveWorldId, type HashedKey, isWorldId } from '../lib/secrets.js'
import { plural } from '../lib/text.js'
import type { Commits } from './commit.js'
import { DataError, errorMessage } from './errors.js'
import type { LiveWorldFactory, WorldInit } from './factory.js'
import { type CreateWorld, DELETED, type LiveWorld, type OnChange } from './live-world.js'
import type { ListedWorld, Verdict, WorldIndex, WorldPage, WorldQuery } from './port.js'
import { EVERYTHING, isVisible, type Scope, type Tenants } from './tenants.js'
import { pageOfWorlds } from './world-index.js'
import { WorldKeys, type WorldName } from './world-keys.js'

export const DEFAULT_WORLD_LIMIT = 10_000
export const MAX_WORLD_LIMIT = 1_000_000

/** A world that was used within this time is not evicted. */
const MIN_IDLE_MS = 5 * 60_000
const NOT_DAMAGED: ReadonlySet<string> = new Set(['unavailable', 'full'])
const NOT_PERSISTED = 'the world could not be kept'
/** Ids of evicted worlds that are remembered, to report when one starts again. */
const MAX_EVICTED_IDS = 100_000

const NO_ACTIVITY: Activity = { start: () => {}, follow: () => {}, stop: () => {} }

interface WorldRegistryOptions {
  readonly main: LiveWorld
  readonly limit: number
  readonly machineClock: MachineClock
  readonly schedule: Schedule
  readonly factory: LiveWorldFactory
  readonly commits?: Commits | undefined
  readonly tenants?: Tenants | undefined
  readonly warn: (sentence: string) => void
}

/** The worlds in memory: the default one, and those by key. At the limit, a new world evicts an idle one. */
export class WorldRegistry {
  readonly main: LiveWorld
  readonly keys: WorldKeys
  /** Streams of the requests of all worlds. */
  readonly requests: Subscriptions
  readonly #parts: WorldRegistryOptions
  /** Worlds by key, by id, least recently used first. */
  readonly #byKey = new Map<string, LiveWorld>()
  readonly #evictedIds = new Set<string>()
  /** Worlds that are being read, for all requests that wait for them. */
  readonly #loading = new Map<string, Promise<void>>()
  /** Pages that are being loaded: a page may have more worlds than the limit. */
  #pages = 0
  #newest: LiveWorld | undefined
  #lost = 0

  constructor(parts: WorldRegistryOptions) {
    this.#parts = parts
    this.requests = new Subscriptions(NO_ACTIVITY, parts.schedule)
    this.main = parts.main
    this.keys = new WorldKeys({
      main: parts.main,
      find: (id) => this.find(id),
      load: (id) => this.load(id),
      index: this.#index,
      tenants: parts.tenants,
    })
  }

  get size(): number {
    return this.#byKey.size + 1
  }

  /** Number of worlds that were deleted or evicted. */
  get lost(): number {
    return this.#lost
  }

  /** The worlds in memory, in the order of their creation. */
  get copies(): LiveWorld[] {
    return this.#all().sort((a, b) => a.created_at.localeCompare(b.created_at))
  }

  get streams(): number {
    return this.#all().reduce((sum, { streams }) => sum + streams, this.requests.size)
  }

  endStreams(reason: string): void {
    this.requests.end(reason)
    for (const live of this.#all()) live.endStreams(reason)
  }

  /** Shows a request that ended to the streams of its world, and of all worlds. */
  publish(live: LiveWorld, logRecord: LogRecord): void {
    live.publish(logRecord)
    this.requests.publish({ logRecord, world: live })
  }

  /** Most recently used first. */
  list(): LiveWorld[] {
    return this.#all()
      .reverse()
      .sort((a, b) => b.used_at - a.used_at)
  }

  /** One page of all worlds, most recently used first. A shared log has more than those in memory. */
  async listStored(query: WorldQuery): Promise<WorldPage> {
    return this.#index?.listWorlds(query) ?? this.listInMemory(query)
  }

  listInMemory(query: WorldQuery): WorldPage {
    return pageOfWorlds(this.list().map(toListed), query)
  }

  /** The same, with all worlds of the page in memory. */
  async loadPage(query: WorldQuery): Promise<Omit<WorldPage, 'worlds'> & { records: LiveWorld[] }> {
    const { worlds, ...page } = await this.listStored(query)
    const records = await this.#loadAll(worlds.map(({ id }) => id))
    const used = new Map(worlds.map((it) => [it.id, it.used_at]))
    for (const it of records) it.used_at = used.get(it.id) ?? it.used_at
    return { records, ...page }
  }

  /** The worlds that can be read. */
  async #loadAll(ids: readonly string[]): Promise<LiveWorld[]> {
    this.#pages++
    try {
      const found = await Promise.all(ids.map((id) => this.#loadReadable(id)))
      return found.filter((it) => it !== undefined)
    } finally {
      this.#pages--
    }
  }

  /** Judges the stored worlds that changed since they were judged. Undefined if all worlds are in memory. */
  judge(
    hasProblem: (world: LiveWorld) => boolean,
    tenants?: readonly string[],
  ): Promise<void> | undefined {
    return this.#index && this.#judge(this.#index, hasProblem, tenants)
  }

  async #judge(
    index: WorldIndex,
    hasProblem: (world: LiveWorld) => boolean,
    tenants?: readonly string[],
  ): Promise<void> {
    let ids = await index.listUnjudged('', tenants)
    while (ids.length > 0) {
      this.#forgetUnused()
      const worlds = await this.#loadAll(ids)
      await Promise.all(worlds.map(({ requests }) => requests.update()))
      const { commits } = this.#parts
      await Promise.all(worlds.map(({ id }) => commits?.settled(id)))
      const verdicts = worlds.flatMap((it): Verdict[] => {
        const { id, head, requests } = it
        if (!head || commits?.stored(id)) return []
        return [{ id, head, exchange: requests.known, hasProblem: hasProblem(it) }]
      })
      await index.keepVerdicts(verdicts)
      ids = await index.listUnjudged(ids.at(-1) ?? '', tenants)
    }
  }

  /** Undefined if it cannot be read, or was deleted meanwhile. */
  async #loadReadable(id: string): Promise<LiveWorld | undefined> {
    try {
      await this.load(id)
      return this.find(id)
    } catch (error) {
      if (error instanceof DataError && error.code === 'damaged') return undefined
      throw error
    }
  }

  /** A world in memory that a caller sees. */
  findIn(scope: Scope, id: string): LiveWorld | undefined {
    const world = this.find(id)
    return world && isVisible(scope, world.tenant) ? world : undefined
  }

  /** A world in memory. `load` brings one there. */
  find(id: string): LiveWorld | undefined {
    return id === this.main.id ? this.main : this.#byKey.get(id)
  }

  /** A use of a world may be noted so much later. */
  get noteDelay_ms(): number {
    return this.#index?.noteDelay_ms ?? 0
  }

  /** Of a log that has more worlds than those in memory. */
  get #index(): WorldIndex | undefined {
    return this.#parts.commits?.log.index
  }

  /**
   * Loads a stored world, beyond the limit if need be, or brings it up to what is stored. Undefined if there is nothing
   * to wait for.
   */
  load(id: string, how?: 'whole'): Promise<void> | undefined {
    const { commits } = this.#parts
    if (!commits) return undefined
    if (commits.isCrowded) this.#forgetUnused()
    const world = this.find(id)
    if (world) {
      const following = commits.catchUp(world, how)
      return following && this.#follow(world, following, how)
    }
    // The request that reads it may have asked before others stored what this one must see.
    const known = this.#loading.get(id)
    if (known) return known.then(() => this.load(id, how))
    // Its deletion is on the way.
    if (commits.stored(id)) return undefined
    const loading = this.#read(id, commits, how).finally(() => this.#loading.delete(id))
    this.#loading.set(id, loading)
    return loading
  }

  async #follow(world: LiveWorld, following: Promise<void>, how?: 'whole'): Promise<void> {
    const { id } = world
    await this.#readable(id, following)
    if (world.standing !== 'deleted') return
    // Another process deleted it, and may have begun it again.
    if (world === this.main) throw new Error('the log no longer has the default world')
    if (this.find(id) === world) this.#discard(world, DELETED)
    await this.load(id, how)
  }

  async #read(id: string, commits: Commits, how?: 'whole'): Promise<void> {
    const found = await this.#readable(id, commits.read(id, how))
    // Its key may have opened it meanwhile.
    if (!found || this.find(id) || commits.stored(id)) return
    if (this.#index) this.#forgetUnused()
    this.#enter(this.#parts.factory.restore(id, found, this))
  }

  /** Others of a shared log do not need a world with damage. A file with damage is refused at the start. */
  async #readable<T>(id: string, reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (error) {
      const isDamaged = !(error instanceof AppError && NOT_DAMAGED.has(error.code))
      if (!this.#index || !isDamaged) throw error
      const problem = `world ${id} cannot be read: ${errorMessage(error)}`
      this.#parts.warn(problem)
      throw new DataError({ problem })
    }
  }

  /** The same for a caller: damage to a world that it does not see is as unknown as the world. */
  loadIn({ tenants }: Scope, id: string, how?: 'whole'): Promise<void> | undefined {
    if (!isWorldId(id)) return undefined
    const loading = this.load(id, how)
    if (!tenants) return loading
    return loading?.catch(async (error: unknown) => {
      const seen = await this.listStored({ page: 0, size: 1, text: id, tenants })
      if (seen.total > 0) throw error
    })
  }

  /** A world that a caller sees, as it is stored. */
  async findStored(scope: Scope, id: string): Promise<LiveWorld | undefined> {
    await this.loadIn(scope, id)
    return this.findIn(scope, id)
  }

  /** The world of a world key. The first use of the key starts it. */
  open(key: HashedKey, clock?: ClockSetting): LiveWorld {
    const id = deriveWorldId(key.hash)
    return this.find(id) ?? this.#create(id, key, clock)
  }

  /** The world of a name; undefined if it was deleted. A world key opens its world with the first use. */
  enter({ id, opens, scope = EVERYTHING }: WorldName): LiveWorld | undefined {
    const world = this.findIn(scope, id) ?? (opens && this.#create(id, opens))
    return world && this.use(world)
  }

  use(world: LiveWorld): LiveWorld {
    this.#index?.noteUse(world.id)
    world.used_at = this.#parts.machineClock()
    if (world === this.main || world === this.#newest) return world
    // The world was deleted in the meantime.
    if (this.#byKey.get(world.id) !== world) return world
    this.#byKey.delete(world.id)
    this.#byKey.set(world.id, world)
    this.#newest = world
    return world
  }

  /** Protects a world from eviction until the returned function is called. */
  hold(world: LiveWorld): (() => void) | undefined {
    if (world === this.main) return undefined
    world.holders++
    return () => {
      world.holders--
      this.use(world)
    }
  }

  readonly onChange: OnChange = (live, record) => {
    // `#enter` indexes a world as a whole.
    if (this.#byKey.get(live.id) !== live) return
    if (record) this.keys.onCommand(live, record)
    else this.keys.rebuild(live)
  }

  create(key: HashedKey, create: CreateWorld, origin: World): LiveWorld {
    return this.#startWithin(key, { create, origin })
  }

  /** Deletes a world by key. Its key opens a new one afterwards. */
  delete(world: LiveWorld, reason: string): void {
    this.#end(world)
    world.endStreams(reason)
  }

  /** Removes a world by key whose beginning could not be stored. */
  discard(id: string): void {
    const world = this.#byKey.get(id)
    if (world) this.#discard(world, NOT_PERSISTED)
  }

  #discard(live: LiveWorld, reason: string): void {
    this.#remove(live)
    live.endStreams(reason)
  }

  #all(): LiveWorld[] {
    return [this.main, ...this.#byKey.values()]
  }

  #create(id: string, key: HashedKey, clock?: ClockSetting): LiveWorld {
    const isRestarted = this.#evictedIds.has(id)
    const world = this.#startWithin(key, { isRestarted, clock })
    if (isRestarted) this.#parts.warn(restartWarning(id, key, this.#parts.limit))
    this.#evictedIds.delete(id)
    return world
  }

  #startWithin(key: HashedKey, how: WorldInit): LiveWorld {
    this.#parts.tenants?.addWorld(key.tenant)
    const idle = this.#index ? this.#forgetUnused() : this.#findEvictable()
    const world = this.#enter(this.#parts.factory.open(key, how, this))
    if (idle) this.#evict(idle)
    return world
  }

  /** The world that a new one evicts; undefined below the limit. */
  #findEvictable(): LiveWorld | undefined {
    const { limit, machineClock } = this.#parts
    if (this.#byKey.size < limit) return undefined
    const latest = machineClock() - MIN_IDLE_MS
    for (const world of this.#byKey.values()) {
      if (world.used_at > latest) break
      if (world.holders === 0 && world.streams === 0) return world
    }
    throw new AppError('unavailable', {
      problem:
        `No world was opened: the limit of ${plural(limit, 'world')} is reached, ` +
        'and each is in use or was used within 5 minutes',
      hint: 'Delete one, raise --worlds, or keep worlds in a database with --data postgres://…',
    })
  }

  /** The next use of a world reads it from a shared log again, so none is refused. */
  #forgetUnused(): undefined {
    const { commits, limit } = this.#parts
    if (this.#pages > 0) return
    for (const world of this.#byKey.values()) {
      if (this.#byKey.size < limit && !commits?.isCrowded) break
      const isUsed = world.holders > 0 || world.streams > 0
      if (!isUsed && commits?.forget(world)) this.#byKey.delete(world.id)
    }
  }

  #enter(world: LiveWorld): LiveWorld {
    this.#byKey.set(world.id, world)
    this.#newest = world
    this.keys.rebuild(world)
    return world
  }

  #evict(world: LiveWorld): void {
    this.#end(world)
    this.#evictedIds.add(world.id)
    if (this.#evictedIds.size <= MAX_EVICTED_IDS) return
    const [oldest = ''] = this.#evictedIds
    this.#evictedIds.delete(oldest)
  }

  #end(world: LiveWorld): void {
    this.#parts.commits?.delete(world, () => {
      this.#evictedIds.delete(world.id)
      this.#enter(world)
    })
    this.#remove(world)
  }

  #remove(live: LiveWorld): void {
    this.#lost++
    this.#byKey.delete(live.id)
    if (this.#newest === live) this.#newest = undefined
    this.keys.delete(live.id)
  }
}

/** The key that opens a world by key is one of its records. */
export const findOwnKey = ({ key, world }: LiveWorld): ApiKey | undefined =>
  key && world.tables.api_keys.first('hash', key.hash)

const toListed = (live: LiveWorld): ListedWorld => ({
  id: live.id,
  last_four: live.key?.last_four ?? null,
  name: findLabel(findOwnKey(live)),
  tenant: live.tenant,
  used_at: live.used_at,
})

const restartWarning = (id: string, { last_four }: HashedKey, limit: number): string =>
  `world ${id} (key …${last_four}) starts again: at the limit of ${plural(limit, 'world')}, ` +
  'it was evicted as the one unused for longest'
