import type { CommandRecord } from '../kernel/command-record.js'
import { nextTick } from '../lib/machine-clock.js'
import { catchUp, follow } from './catch-up.js'
import { DataError, WorldMovedError } from './errors.js'
import { Batch, type Item, type KnownWorld, KnownWorlds } from './known-worlds.js'
import type {
  Act,
  AppendResult,
  Commit,
  Head,
  Origin,
  SettledResult,
  StoredCopy,
  WholeWorld,
  WorldLog,
  WorldsToStore,
} from './port.js'
import { type StoredWorld, toStoredLayer, toStoredWorld } from './stored-world.js'

/*
 * A commit, in phases. Each step of a world joins the world's batch. One write takes the batches of all worlds, and the next
 * write begins before those who waited go on. The log accepts a batch if its world's head is the newest: then the head
 * moves, and readers see the entries. Otherwise the world rolls back that batch and the one that was filled meanwhile,
 * newest step first. No other world notices.
 */

type Failure = Exclude<SettledResult['is'], 'appended'>

/** Commands that change more than records. After a failed write their world is read again. */
const REPLACING = /^(?:world|snapshot)\./

const UNKNOWN =
  'It is not known whether the change was made: the data could not be reached. Check before you retry.'

/** Stores what all worlds do, and brings them up to what the log holds. */
export class Commits {
  readonly worlds = new KnownWorlds()
  /** Worlds with steps that are not stored. */
  readonly #pending = new Set<KnownWorld>()
  #isRunning = true
  #isClosed = false

  constructor(readonly log: WorldLog) {}

  /** Stores all steps so far, and all later ones. */
  async begin(origin: Origin): Promise<void> {
    await this.log.begin(origin, {
      worlds: () => this.#worldsToStore(),
      onWritable: () => {
        for (const { id, copy } of this.worlds.all()) {
          const resume = () => copy?.resumeTimers()
          if (copy && copy.standing !== 'fresh') this.catchUp(id)?.then(resume, () => {})
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
    const take = (world: KnownWorld) => {
      const { copy, id } = world
      // It holds what was not stored, until it is read again.
      if (copy && copy.standing !== 'fresh') throw new WorldMovedError()
      pending.push(this.pendingFor(id))
      return copy && { created_at: copy.created_at, ...toStoredWorld(copy.world, copy.snapshots()) }
    }
    for (const world of this.worlds.all()) {
      if (!world.copy) continue
      Object.defineProperty(worlds, world.id, { enumerable: true, get: () => take(world) })
    }
    return { worlds, persisted: () => Promise.all(pending) }
  }

  /** Brings a world up to what the log holds; undefined if it is. */
  catchUp(id: string, how?: 'whole'): Promise<WholeWorld | undefined> | undefined {
    return catchUp(this, id, how)
  }

  /** Whether the worlds in memory take more than their part of it. */
  get isCrowded(): boolean {
    return this.worlds.held > (this.log.room ?? Number.POSITIVE_INFINITY)
  }

  /** Lets a world leave memory. False while it has changes that are not stored. */
  forget(id: string): boolean {
    const world = this.worlds.find(id)
    if (world?.stored) return false
    if (world) this.worlds.forget(world)
    return true
  }

  /** Registers a copy in memory. A new world has never existed if its first entries cannot be stored. */
  register(copy: StoredCopy, isNew: boolean): void {
    const world = this.worlds.know(copy.id)
    world.copy = copy
    if (!isNew) return
    this.onRollback(copy.id, () => {
      world.copy = undefined
      copy.standing = 'never stored'
    })
  }

  /** Deletes a world. `restore` brings it back into memory if that cannot be stored. */
  delete(copy: StoredCopy, restore: () => void): void {
    this.assertWritable(copy)
    const world = this.worlds.know(copy.id)
    world.copy = undefined
    copy.standing = 'deleted'
    this.onRollback(copy.id, () => {
      copy.standing = 'fresh'
      world.copy = copy
      restore()
    })
    this.#add(copy.id, { ends: true })
  }

  append(copy: StoredCopy, record: CommandRecord): void {
    // Nothing that a request still does to a deleted world is stored.
    this.#add(copy.id, { copy, record, isDropped: copy.standing === 'deleted' })
  }

  /** Stores where an act begins: its entries do not show it. */
  beginAct(copy: StoredCopy, act: Act): void {
    if (copy.standing === 'fresh') this.#add(copy.id, { act })
  }

  /** Registers how to undo the beginning or end of a world, for a failed write. */
  onRollback(id: string, rollback: () => void): void {
    this.#add(id, { rollback })
  }

  /** Throws while nothing can be stored. `undone` names what did not happen. */
  assertAvailable(undone?: string): void {
    if (this.isReadOnly) throw this.#unavailable(undone)
  }

  /** Throws also for a copy that has to catch up first, or whose beginning could not be stored. */
  assertWritable({ standing }: StoredCopy): void {
    this.assertAvailable()
    if (standing !== 'fresh' && standing !== 'deleted') throw new WorldMovedError()
  }

  /** True while nothing can be stored: then timers wait. */
  get isReadOnly(): boolean {
    return this.#isClosed || !this.log.isWritable
  }

  /** Resolves once all entries of a world so far are stored; undefined if they are. */
  pendingFor(id: string): Promise<void> | undefined {
    const { stored, copy } = this.worlds.find(id) ?? {}
    if (stored) return stored
    // It shows what could not be stored, until it is read again.
    return copy?.standing === 'unknown' ? Promise.reject(this.#unavailable()) : undefined
  }

  /** The same for all worlds. */
  get pending(): Promise<void> | undefined {
    if (this.#pending.size === 0) return undefined
    const done = Promise.all([...this.#pending].map(({ stored }) => stored)).then(() => {})
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

  #add(id: string, item: Item): void {
    const world = this.worlds.know(id)
    this.#pending.add(world)
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
      const worlds = [...this.#pending].filter(({ inFlight }) => !inFlight)
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
  async #write(worlds: readonly KnownWorld[]): Promise<Batch[]> {
    const commits: Commit[] = []
    const sent = worlds.map((world) => {
      const { id, head, queued: batch = new Batch() } = world
      world.inFlight = batch
      world.queued = undefined
      const from = commits.length
      commits.push(...toCommits(id, batch.items, head))
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
    world: KnownWorld,
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
  #settle(world: KnownWorld, { items }: Batch, results: readonly SettledResult[]): boolean {
    const { head: known } = world
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
    if (known && items.some((it) => 'ends' in it))
      this.log.requests?.clear(world.id).catch(() => {})
    this.worlds.setHead(world, head)
    world.inFlight = undefined
    this.#leavePending(world)
    for (const item of items) {
      if ('record' in item && !item.isDropped) item.copy.onPersisted(item.record.seq)
    }
    if (head && isLong) this.#storeWhole(world, head)
    return true
  }

  #leavePending(world: KnownWorld): void {
    if (world.queued) return
    this.#pending.delete(world)
    if (!world.copy) this.worlds.forget(world)
  }

  /** Stores a world as a whole, unless it has gone on since. A later commit asks for it again. */
  #storeWhole({ copy, id, isPartial }: KnownWorld, head: Head): void {
    if (copy?.world.seq !== head.seq) return
    const stored = toStoredWorld(copy.world, copy.snapshots())
    this.log.compact(id, head, stored, copy.neededFrom(isPartial)).catch(() => {})
  }

  #rollback(world: KnownWorld, why: Failure): void {
    const batches = [world.inFlight, world.queued].filter((it) => it !== undefined)
    world.inFlight = undefined
    world.queued = undefined
    const replaced = undoSteps(batches.flatMap((it) => it.items).reverse())
    this.#leavePending(world)
    const error = this.#toError(why)
    const reject = () => {
      for (const batch of batches) batch.reject(error)
    }
    const { copy } = world
    const isReplaced = copy !== undefined && replaced.has(copy)
    if (copy && isReplaced) copy.standing = 'unknown'
    else if (copy && why !== 'failed') copy.standing = 'behind'
    // If it cannot be read again, its next use tries once more.
    if (isReplaced) follow(this, world, copy).then(reject, reject)
    else reject()
  }

  #toError(why: Failure): Error {
    if (why === 'unknown') return new DataError(UNKNOWN, 'unavailable')
    return why === 'behind' ? new WorldMovedError() : this.#unavailable()
  }

  #unavailable(undone = 'the change was not made'): DataError {
    if (this.#isClosed) return new DataError('The sandbox is closed.', 'unavailable')
    const { name, health } = this.log
    const reason = `${name} cannot be written (${health.error ?? 'it refuses the values'}). Retry when it can.`
    return new DataError(`${undone}: ${reason}`, 'unavailable')
  }
}

/** Newest step first. Returns the copies that must be read again. */
const undoSteps = (items: readonly Item[]): ReadonlySet<StoredCopy> => {
  const replaced = new Set<StoredCopy>()
  for (const item of items) {
    if ('record' in item && REPLACING.test(item.record.command)) replaced.add(item.copy)
  }
  for (const item of items) {
    if ('rollback' in item) item.rollback()
    else if ('record' in item && !replaced.has(item.copy)) item.copy.rollbackLatest(item.record)
  }
  return replaced
}

/** All entries of a world form one commit. A deletion replaces those before it. */
const toCommits = (id: string, items: readonly Item[], head: Head | undefined): Commit[] => {
  const commits: Commit[] = []
  let from = 0
  let known = head
  for (const [i, item] of items.entries()) {
    if (!('ends' in item)) continue
    // A world that begins and ends in one write was never stored.
    if (known) commits.push({ id, head: known, entries: [], ends: true })
    known = undefined
    from = i + 1
  }
  const commit = toCommit(id, items.slice(from), known)
  return commit ? [...commits, commit] : commits
}

const toCommit = (
  id: string,
  items: readonly Item[],
  head: Head | undefined,
): Commit | undefined => {
  const steps = items.flatMap((it) => ('record' in it && !it.isDropped ? [it] : []))
  const copy = steps.at(-1)?.copy
  if (!copy) return undefined
  const acts = items.flatMap((it) => ('act' in it ? [it.act] : []))
  const forkedFrom = steps.some(({ record }) => record.command === 'world.fork') && copy.origin
  return {
    id,
    head,
    entries: steps.map(({ record }) => record),
    origin: forkedFrom ? toStoredLayer(forkedFrom) : undefined,
    ...(!head && { tenant: copy.tenant, created_at: copy.created_at }),
    bytes: copy.budget?.bytes,
    isSuspect: forkedFrom !== false || steps.some(({ record }) => copy.isSuspect(record)),
    ...(acts.length > 0 && { acts }),
  }
}
