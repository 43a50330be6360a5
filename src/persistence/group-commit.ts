import { basename } from 'node:path'
import type { CommandRecord } from '../kernel/command-record.js'
import type { Entry } from '../kernel/entry.js'
import { DEFAULT_WORLD } from '../lib/secrets.js'
import { DataError, WriteFailedError } from './errors.js'
import type {
  AppendResult,
  Commit,
  Head,
  LogHealth,
  Origin,
  PersistedWorldHandle,
  Persistence,
  WholeWorld,
  WorldLog,
  WorldsToStore,
} from './port.js'
import { type StoredWorld, toStoredLayer, toStoredWorld } from './stored-world.js'

/** One step of a world that is not stored yet, or how to undo something that goes with it. */
type Item =
  | { readonly world: PersistedWorldHandle; readonly record: CommandRecord }
  | { readonly rollback: () => void }
  | { readonly ends: true }

/** The steps of a world since its newest stored commit, oldest first. */
interface PendingWorld {
  readonly id: string
  inFlight: Item[]
  queued: Item[]
  /** Resolve once the items in flight, or the queued ones, are stored. */
  inFlightDone: Deferred | undefined
  queuedDone: Deferred | undefined
}

const NEVER_PERSISTED =
  'The change was not made: its world could not be stored when it was opened. Retry.'

/**
 * Stores what all worlds did in one write while more comes in. A failed write undoes the worlds that were in
 * it, newest step first, and no others.
 */
export class GroupCommit implements Persistence {
  readonly #log: WorldLog
  /** Runs something once the current turn of the event loop is over. */
  readonly #soon: (run: () => void) => void
  readonly #live = new Map<string, PersistedWorldHandle>()
  readonly #heads = new Map<string, Head>()
  readonly #pending = new Map<string, PendingWorld>()
  /** Why requests that still hold such a world cannot change it. */
  readonly #ended = new WeakMap<PersistedWorldHandle, 'deleted' | 'never persisted'>()
  #isRunning = true
  #isClosed = false

  constructor(log: WorldLog, soon: (run: () => void) => void) {
    this.#log = log
    this.#soon = soon
  }

  /** Stores all steps so far, and all later ones. */
  async begin(origin: Origin): Promise<void> {
    await this.#log.begin(origin, {
      worlds: () => this.#worldsToStore(),
      onWritable: () => {
        for (const live of this.#live.values()) live.resumeTimers()
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
      pending.push(this.pendingFor(id))
      return live && toStoredWorld(live.world, live.snapshots())
    }
    for (const id of [...this.#live.keys()].sort(byId)) {
      Object.defineProperty(worlds, id, { enumerable: true, get: () => take(id) })
    }
    return { worlds, persisted: () => Promise.all(pending) }
  }

  /** A stored world that is not in memory. */
  async load(id: string): Promise<WholeWorld | undefined> {
    if (this.#pending.get(id) && !this.#live.has(id)) return undefined
    const found = await this.#log.catchUp(id)
    if (!found) return undefined
    const { head, world } = found
    if (!world) throw new DataError(`world ${id}: the log returned only a part of it`)
    this.#heads.set(id, head)
    return { ...found, world }
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
    this.assertAvailable()
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
    if (this.#ended.get(world) === 'deleted') {
      this.onRollback(world.id, () => world.rollbackLatest(record))
    } else this.#add(world.id, { world, record })
  }

  onRollback(id: string, rollback: () => void): void {
    this.#add(id, { rollback })
  }

  readonly assertAvailable = (undone?: string): void => {
    if (this.isReadOnly) throw this.#unavailable(undone)
  }

  assertWritable(world: PersistedWorldHandle): void {
    this.assertAvailable()
    if (this.#ended.get(world) === 'never persisted') throw new WriteFailedError(NEVER_PERSISTED)
  }

  get isReadOnly(): boolean {
    return this.#isClosed || !this.#log.isWritable
  }

  pendingFor(id: string): Promise<void> | undefined {
    const world = this.#pending.get(id)
    if (!world) return undefined
    if (world.queued.length > 0) {
      world.queuedDone ??= deferred()
      return world.queuedDone.promise
    }
    world.inFlightDone ??= deferred()
    return world.inFlightDone.promise
  }

  get pending(): Promise<void> | undefined {
    if (this.#pending.size === 0) return undefined
    const all = [...this.#pending.keys()].map((id) => this.pendingFor(id))
    // Nobody may wait for it: then a failure is no unhandled rejection.
    const done = Promise.all(all).then(() => {})
    done.catch(() => {})
    return done
  }

  get health(): LogHealth {
    return this.#log.health
  }

  /** Stores what is in hand and closes the log. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.pending?.catch(() => {})
    this.#isClosed = true
    // An advance in slices may have made entries meanwhile; it can make no more.
    await this.pending?.catch(() => {})
    await this.#log.close()
  }

  #add(id: string, item: Item): void {
    const world = this.#pending.get(id)
    if (world) world.queued.push(item)
    else {
      this.#pending.set(id, {
        id,
        inFlight: [],
        queued: [item],
        inFlightDone: undefined,
        queuedDone: undefined,
      })
    }
    this.#wake()
  }

  #wake(): void {
    if (this.#isRunning || this.#pending.size === 0) return
    this.#isRunning = true
    this.#soon(() => void this.#run())
  }

  async #run(): Promise<void> {
    let stored: readonly (Deferred | undefined)[] = []
    while (this.#pending.size > 0) {
      const batch = [...this.#pending.values()]
      const writing = this.#write(batch)
      // The next write begins before those who waited for the last one go on: neither waits for the other.
      for (const done of stored) done?.resolve()
      stored = await writing
    }
    for (const done of stored) done?.resolve()
    this.#isRunning = false
  }

  /** Returns the promises to resolve. */
  async #write(batch: readonly PendingWorld[]): Promise<(Deferred | undefined)[]> {
    const commits: Commit[] = []
    const ends = batch.map((world) => {
      world.inFlight = world.queued
      world.inFlightDone = world.queuedDone
      world.queued = []
      world.queuedDone = undefined
      commits.push(...toCommits(world, this.#heads.get(world.id)))
      return commits.length
    })
    const results = commits.length > 0 ? await this.#append(commits) : []
    return batch.map((world, i) => this.#settle(world, results.slice(ends[i - 1] ?? 0, ends[i])))
  }

  async #append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    try {
      return await this.#log.append(commits)
    } catch {
      return commits.map(() => ({ is: 'failed' }))
    }
  }

  #settle(world: PendingWorld, results: readonly AppendResult[]): Deferred | undefined {
    let head = this.#heads.get(world.id)
    for (const result of results) {
      if (result.is !== 'appended') {
        this.#rollback(world)
        return undefined
      }
      head = result.head
    }
    if (head) this.#heads.set(world.id, head)
    else this.#heads.delete(world.id)
    const { inFlight, inFlightDone } = world
    if (world.queued.length === 0) this.#pending.delete(world.id)
    world.inFlight = []
    world.inFlightDone = undefined
    for (const item of inFlight) if ('world' in item) item.world.onPersisted(item.record.seq)
    return inFlightDone
  }

  #rollback(world: PendingWorld): void {
    const { id, inFlight, queued, inFlightDone, queuedDone } = world
    this.#pending.delete(id)
    for (const item of [...inFlight, ...queued].reverse()) {
      if ('rollback' in item) item.rollback()
      else if ('world' in item) item.world.rollbackLatest(item.record)
    }
    const error = this.#unavailable()
    inFlightDone?.reject(error)
    queuedDone?.reject(error)
  }

  #unavailable(undone = 'the change was not made'): WriteFailedError {
    if (this.#isClosed) return new WriteFailedError('The sandbox is closed.')
    const { file, error } = this.#log.health
    const reason = `${basename(file)} cannot be written (${error}). Retry when it can.`
    return new WriteFailedError(`${undone}: ${reason}`)
  }
}

/** The default world comes first. */
const byId = (a: string, b: string): number => {
  if (a === DEFAULT_WORLD || b === DEFAULT_WORLD) return a === DEFAULT_WORLD ? -1 : 1
  return a < b ? -1 : 1
}

/** All entries of a world form one commit. A deletion replaces those before it. */
const toCommits = ({ id, inFlight }: PendingWorld, head: Head | undefined): Commit[] => {
  const commits: Commit[] = []
  let known = head
  let entries: Entry[] = []
  let origin: Commit['origin']
  const finish = (ends?: true) => {
    // A world that begins and ends in one write was never stored.
    if (!ends && entries.length > 0) commits.push({ id, head: known, entries, origin })
    else if (ends && known) commits.push({ id, head: known, entries: [], ends })
    known = undefined
    entries = []
    origin = undefined
  }
  for (const item of inFlight) {
    if ('ends' in item) finish(true)
    else if ('world' in item) {
      entries.push(item.record)
      const forkedFrom = item.record.command === 'world.fork' ? item.world.origin : undefined
      origin ??= forkedFrom && toStoredLayer(forkedFrom)
    }
  }
  finish()
  return commits
}

interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (why: Error) => void
}

const deferred = (): Deferred => {
  let resolve: Deferred['resolve'] = () => {}
  let reject: Deferred['reject'] = () => {}
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  // Nobody may wait for it, such as when only timers fired.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
