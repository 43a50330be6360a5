import { basename } from 'node:path'
import type { CommandRecord } from '../kernel/command-record.js'
import type { Entry } from '../kernel/entry.js'
import { nextTick } from '../lib/machine-clock.js'
import { DEFAULT_WORLD } from '../lib/secrets.js'
import { DataError, WorldMovedError } from './errors.js'
import type {
  Act,
  AppendResult,
  CaughtUp,
  Commit,
  Head,
  Origin,
  PersistedWorldHandle,
  SettledResult,
  WholeWorld,
  WorldLog,
  WorldsToStore,
} from './port.js'
import { type StoredWorld, toStoredLayer, toStoredWorld } from './stored-world.js'

/** One step of a world that is not stored yet, or how to undo its beginning or end. */
type Item =
  | {
      readonly world: PersistedWorldHandle
      readonly record: CommandRecord
      /** A request did it to a world that was deleted meanwhile. */
      readonly isDropped: boolean
    }
  | { readonly act: Act }
  | { readonly rollback: () => void }
  | { readonly ends: true }

/** Steps that are stored as a whole, oldest first. */
class Batch {
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

/** The steps of a world since its newest stored commit. */
interface PendingWorld {
  readonly id: string
  inFlight: Batch | undefined
  queued: Batch | undefined
}

type Failure = Exclude<SettledResult['is'], 'appended'>

/** Commands that change more than records. After a failed write their world is read again. */
const REPLACING = /^(?:world|snapshot)\./

const UNKNOWN =
  'It is not known whether the change was made: the data could not be reached. Check before you retry.'
const NEVER_PERSISTED =
  'The change was not made: its world could not be stored when it was opened. Retry.'

/**
 * Stores what all worlds did in one write while more comes in. A failed write undoes the worlds that were in
 * it, newest step first, and no others; a world that did more than commands is read again.
 */
export class GroupCommit {
  readonly #live = new Map<string, PersistedWorldHandle>()
  readonly #heads = new Map<string, Head>()
  /** In characters of JSON: what the worlds in memory were read from. */
  #held = 0
  readonly #pending = new Map<string, PendingWorld>()
  /** Worlds that change only after they caught up. A `whole` one holds what was not stored. */
  readonly #stale = new Map<PersistedWorldHandle, 'whole' | undefined>()
  /** Ids of worlds that were read from a checkpoint, so that they lack older entries. */
  readonly #partial = new Set<string>()
  /** Why requests that still hold such a world cannot change it. */
  readonly #ended = new WeakMap<PersistedWorldHandle, 'deleted' | 'never persisted'>()
  #isRunning = true
  #isClosed = false

  constructor(readonly log: WorldLog) {}

  /** Stores all steps so far, and all later ones. */
  async begin(origin: Origin): Promise<void> {
    await this.log.begin(origin, {
      worlds: () => this.#worldsToStore(),
      onWritable: () => {
        for (const live of this.#live.values()) {
          const resume = () => live.resumeTimers()
          if (this.#stale.has(live)) this.#catchUp(live).then(resume, () => {})
          else resume()
        }
      },
    })
    this.#isRunning = false
    this.#wake()
    await this.pending
  }

  /** Taking thousands of worlds at once would hold up requests, so each is taken when it is read. */
  #worldsToStore(): WorldsToStore {
    const worlds: Record<string, StoredWorld | undefined> = {}
    // A world whose deletion fails is there again.
    const pending = [this.pending]
    const take = (id: string) => {
      const live = this.#live.get(id)
      // It holds what was not stored, until it is read again.
      if (live && this.#stale.has(live)) throw new WorldMovedError()
      pending.push(this.pendingFor(id))
      return live && { created_at: live.created_at, ...toStoredWorld(live.world, live.snapshots()) }
    }
    for (const id of this.#live.keys()) {
      Object.defineProperty(worlds, id, { enumerable: true, get: () => take(id) })
    }
    return { worlds, persisted: () => Promise.all(pending) }
  }

  /** A stored world that is not in memory. */
  async load(id: string, how?: 'whole'): Promise<WholeWorld | undefined> {
    if (this.#pending.has(id)) return undefined
    const found = await this.log.catchUp(id, undefined, how)
    if (this.#live.has(id)) return undefined
    if (!found) {
      this.#setHead(id, undefined)
      return undefined
    }
    const { head, world } = found
    if (!world) throw new DataError(`world ${id}: the log returned only a part of it`)
    this.#setHead(id, head)
    if (how || world.seq === this.log.origin?.base.seq) this.#partial.delete(id)
    else this.#partial.add(id)
    return { ...found, world }
  }

  #setHead(id: string, head: Head | undefined): void {
    this.#held += (head?.held ?? 0) - (this.#heads.get(id)?.held ?? 0)
    if (head) this.#heads.set(id, head)
    else this.#heads.delete(id)
  }

  /** Whether the worlds in memory take more than their part of it. */
  get isCrowded(): boolean {
    return this.#held > (this.log.room ?? Number.POSITIVE_INFINITY)
  }

  /** Other processes change the worlds too. */
  get isShared(): boolean {
    return this.log.isShared
  }

  /**
   * Brings a world up to what the log holds; undefined if it is. False: the log no longer has it. `whole`: with all of
   * its history.
   */
  catchUp(live: PersistedWorldHandle, how?: 'whole'): Promise<boolean> | undefined {
    return this.isShared || this.#stale.has(live) ? this.#catchUp(live, how) : undefined
  }

  async #catchUp(live: PersistedWorldHandle, how?: 'whole'): Promise<boolean> {
    const { id } = live
    // Its first commit may have landed long before the answer to it, and others may have gone on from there.
    if (!this.#heads.has(id)) await this.#settled(id)
    for (;;) {
      if (this.#live.get(id) !== live) return false
      const whole = this.#stale.get(live) ?? (this.#partial.has(id) ? how : undefined)
      const known = whole ? undefined : this.#heads.get(id)
      const found = await this.log.catchUp(id, known, whole)
      // Own entries are the news, or they fail and are rolled back.
      while (this.#pending.has(id) && (whole || this.#isNews(id, found))) await this.#settled(id)
      if (this.#live.get(id) !== live) return false
      if (this.#stale.get(live) && !whole) continue
      const isOther = found?.world && !whole && id !== DEFAULT_WORLD
      if (!found || isOther) {
        this.#forget(live)
        // Another process deleted the world.
        this.#ended.set(live, 'deleted')
        return false
      }
      // Own entries were stored since the whole was read.
      if (whole && found.head.seq < (this.#heads.get(id)?.seq ?? 0)) continue
      if (whole || this.#isNews(id, found)) {
        // If it cannot follow, it is half way there.
        this.#stale.set(live, 'whole')
        live.follow(found)
        this.#setHead(id, found.head)
        if (whole) this.#partial.delete(id)
      }
      this.#stale.delete(live)
      return true
    }
  }

  #isNews(id: string, found: CaughtUp | undefined): boolean {
    const head = this.#heads.get(id)
    return !found || !head || found.world !== undefined || found.head.seq > head.seq
  }

  /** Lets a world leave memory. False while it has changes that are not stored. */
  forget(live: PersistedWorldHandle): boolean {
    if (this.#pending.has(live.id)) return false
    this.#forget(live)
    return true
  }

  #forget(live: PersistedWorldHandle): void {
    const { id } = live
    this.#live.delete(id)
    this.#setHead(id, undefined)
    this.#stale.delete(live)
    this.#partial.delete(id)
  }

  /** Registers a world in memory. A new one has never existed if its first entries cannot be stored. */
  register(world: PersistedWorldHandle, isNew: boolean): void {
    this.#live.set(world.id, world)
    if (!isNew) return
    this.onRollback(world.id, () => {
      this.#live.delete(world.id)
      this.#ended.set(world, 'never persisted')
    })
  }

  /** Deletes a world. `restore` brings it back into memory if that cannot be stored. */
  delete(world: PersistedWorldHandle, restore: () => void): void {
    this.assertWritable(world)
    const { id } = world
    this.#live.delete(id)
    this.#ended.set(world, 'deleted')
    this.onRollback(id, () => {
      this.#ended.delete(world)
      this.#live.set(id, world)
      restore()
    })
    this.#add(id, { ends: true })
  }

  append(world: PersistedWorldHandle, record: CommandRecord): void {
    // Nothing that a request still does to a deleted world is stored.
    const isDropped = this.#ended.get(world) === 'deleted'
    this.#add(world.id, { world, record, isDropped })
  }

  /** Stores where an act begins, if others may undo it. */
  beginAct(world: PersistedWorldHandle, act: Act): void {
    if (this.isShared && !this.#ended.has(world)) this.#add(world.id, { act })
  }

  /** Registers how to undo the beginning or end of a world, for a failed write. */
  onRollback(id: string, rollback: () => void): void {
    this.#add(id, { rollback })
  }

  /** Throws while nothing can be stored. `undone` names what did not happen. */
  assertAvailable(undone?: string): void {
    if (this.isReadOnly) throw this.#unavailable(undone)
  }

  /** Throws also for a world whose beginning could not be stored, or that has to catch up first. */
  assertWritable(world: PersistedWorldHandle): void {
    this.assertAvailable()
    if (this.#stale.has(world)) throw new WorldMovedError()
    if (this.#ended.get(world) !== 'never persisted') return
    throw this.isShared ? new WorldMovedError() : new DataError(NEVER_PERSISTED, 'unavailable')
  }

  /** True while nothing can be stored: then timers wait. */
  get isReadOnly(): boolean {
    return this.#isClosed || !this.log.isWritable
  }

  /** Resolves once all entries of a world so far are stored; undefined if they are. */
  pendingFor(id: string): Promise<void> | undefined {
    const world = this.#pending.get(id)
    if (world) return (world.queued ?? world.inFlight)?.stored
    // It shows what could not be stored, until it is read again.
    const live = this.#live.get(id)
    return live && this.#stale.get(live) ? Promise.reject(this.#unavailable()) : undefined
  }

  /** The same for all worlds. */
  get pending(): Promise<void> | undefined {
    if (this.#pending.size === 0) return undefined
    const all = [...this.#pending.keys()].map((id) => this.pendingFor(id))
    const done = Promise.all(all).then(() => {})
    // Nobody may wait for it: then a failure is no unhandled rejection.
    done.catch(() => {})
    return done
  }

  /** Stores what is in hand and closes the log. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.pending?.catch(() => {})
    this.#isClosed = true
    // An advance in slices may have made entries meanwhile; it can make no more.
    await this.pending?.catch(() => {})
    await this.log.close()
  }

  /** Resolves once the entries of a world so far are stored, or rolled back. */
  async #settled(id: string): Promise<void> {
    if (this.#pending.has(id)) await this.pendingFor(id)?.catch(() => {})
  }

  #add(id: string, item: Item): void {
    const world = this.#pending.get(id) ?? { id, inFlight: undefined, queued: undefined }
    this.#pending.set(id, world)
    world.queued ??= new Batch()
    world.queued.items.push(item)
    this.#wake()
  }

  #wake(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    nextTick(() => void this.#run())
  }

  async #run(): Promise<void> {
    let stored: readonly Batch[] = []
    for (;;) {
      // A large commit may still be on its way.
      const worlds = [...this.#pending.values()].filter(({ inFlight }) => !inFlight)
      if (worlds.length === 0) break
      const writing = this.#write(worlds)
      // The next write begins before those who waited for the last one go on: neither waits for the other.
      for (const { resolve } of stored) resolve()
      stored = await writing
    }
    for (const { resolve } of stored) resolve()
    this.#isRunning = false
  }

  /** Returns what is stored. */
  async #write(worlds: readonly PendingWorld[]): Promise<Batch[]> {
    const commits: Commit[] = []
    const sent = worlds.map((world) => {
      const { id, queued: batch = new Batch() } = world
      world.inFlight = batch
      world.queued = undefined
      const from = commits.length
      commits.push(...toCommits(id, batch.items, this.#heads.get(id)))
      return { world, batch, from, to: commits.length }
    })
    const results = commits.length > 0 ? await this.#append(commits) : []
    const stored = sent.filter(({ world, batch, from, to }) => {
      const own = results.slice(from, to)
      if (own.every((it) => it.is !== 'apart')) return this.#settle(world, batch, own)
      void this.#settleLater(world, batch, own)
      return false
    })
    return stored.map(({ batch }) => batch)
  }

  async #settleLater(
    world: PendingWorld,
    batch: Batch,
    results: readonly AppendResult[],
  ): Promise<void> {
    const settled = await Promise.all(results.map((it) => (it.is === 'apart' ? it.result : it)))
    if (this.#settle(world, batch, settled)) batch.resolve()
    this.#wake()
  }

  async #append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    try {
      return await this.log.append(commits)
    } catch {
      return commits.map(() => ({ is: 'failed' }))
    }
  }

  /** False if the batch was rolled back. */
  #settle(world: PendingWorld, { items }: Batch, results: readonly SettledResult[]): boolean {
    const { id } = world
    const known = this.#heads.get(id)
    let head = known
    let isLong = false
    for (const result of results) {
      if (result.is !== 'appended') {
        this.#rollback(world, result.is)
        return false
      }
      head = result.head
      isLong = result.isLong ?? false
    }
    if (known && items.some(endsLog)) this.log.requests?.clear(id).catch(() => {})
    this.#setHead(id, head)
    world.inFlight = undefined
    if (!world.queued) this.#pending.delete(id)
    for (const item of items) {
      if ('record' in item && !item.isDropped) item.world.onPersisted(item.record.seq)
    }
    if (head && isLong) this.#storeWhole(id, head)
    return true
  }

  /** Stores a world as a whole, unless it has gone on since. A later commit asks for it again. */
  #storeWhole(id: string, head: Head): void {
    const live = this.#live.get(id)
    if (live?.world.seq !== head.seq) return
    const stored = toStoredWorld(live.world, live.snapshots())
    this.log.compact(id, head, stored, live.neededFrom(this.#partial.has(id))).catch(() => {})
  }

  #rollback({ id, inFlight, queued }: PendingWorld, why: Failure): void {
    this.#pending.delete(id)
    const batches = [inFlight, queued].filter((it) => it !== undefined)
    const items = batches.flatMap((it) => it.items).reverse()
    const replaced = new Set<PersistedWorldHandle>()
    for (const item of items) {
      if ('record' in item && REPLACING.test(item.record.command)) replaced.add(item.world)
    }
    for (const item of items) {
      if ('rollback' in item) item.rollback()
      else if ('record' in item && !replaced.has(item.world)) {
        item.world.rollbackLatest(item.record)
      }
    }
    const error = this.#toError(why)
    const reject = () => {
      for (const batch of batches) batch.reject(error)
    }
    const live = this.#live.get(id)
    const isReplaced = live !== undefined && replaced.has(live)
    if (live && (this.isShared || isReplaced))
      this.#stale.set(live, isReplaced ? 'whole' : undefined)
    // If it cannot be read again, its next use tries once more.
    if (isReplaced) this.#catchUp(live).then(reject, reject)
    else reject()
  }

  #toError(why: Failure): Error {
    if (why === 'unknown') return new DataError(UNKNOWN, 'unavailable')
    return why === 'behind' && this.isShared ? new WorldMovedError() : this.#unavailable()
  }

  #unavailable(undone = 'the change was not made'): DataError {
    if (this.#isClosed) return new DataError('The sandbox is closed.', 'unavailable')
    const { file, error } = this.log.health
    const name = this.isShared ? 'the database' : basename(file)
    const reason = `${name} cannot be written (${error ?? 'it refuses the values'}). Retry when it can.`
    return new DataError(`${undone}: ${reason}`, 'unavailable')
  }
}

/** The world begins again, or is deleted: its request log ends. */
const endsLog = (item: Item): boolean =>
  'ends' in item || ('record' in item && item.record.command === 'world.begin')

/** All entries of a world form one commit. A deletion replaces those before it. */
const toCommits = (id: string, items: readonly Item[], head: Head | undefined): Commit[] => {
  const commits: Commit[] = []
  let known = head
  let entries: Entry[] = []
  let acts: Act[] = []
  let origin: Commit['origin']
  let own: Pick<Commit, 'tenant' | 'created_at'> | undefined
  let last: PersistedWorldHandle | undefined
  const finish = (ends?: true) => {
    // A world that begins and ends in one write was never stored.
    if (!ends && entries.length > 0) {
      const bytes = last?.budget?.bytes
      commits.push({
        id,
        head: known,
        entries,
        origin,
        ...own,
        bytes,
        ...(acts.length > 0 && { acts }),
      })
    } else if (ends && known) commits.push({ id, head: known, entries: [], ends })
    known = undefined
    entries = []
    acts = []
    origin = undefined
  }
  for (const item of items) {
    if ('ends' in item) finish(true)
    else if ('act' in item) acts.push(item.act)
    else if ('record' in item && !item.isDropped) {
      entries.push(item.record)
      last = item.world
      const { tenant, created_at } = item.world
      if (!known) own = { tenant, created_at }
      const forkedFrom = item.record.command === 'world.fork' ? item.world.origin : undefined
      origin ??= forkedFrom && toStoredLayer(forkedFrom)
    }
  }
  finish()
  return commits
}
