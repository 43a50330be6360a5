import type { CommandRecord } from '../kernel/command-record.js'
import { nextTick } from '../lib/machine-clock.js'
import { follow } from './catch-up.js'
import { DataError, WorldMovedError } from './errors.js'
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
import { Batch, type Item, Unstored } from './unstored.js'

/*
 * A commit, in phases. Each step of a world joins the world's batch. One write takes the batches of all worlds, and the next
 * write begins before those who waited go on. The log accepts a batch if its world's head is the newest: then the head
 * moves, and readers see the entries. Otherwise the world rolls back that batch and the one that was filled meanwhile,
 * newest step first. No other world notices.
 */

type Failure = Exclude<SettledResult['is'], 'appended'>

interface Part {
  readonly copy: StoredCopy
  readonly commit: Commit
}

interface Sent {
  readonly world: Unstored
  readonly batch: Batch
  readonly parts: readonly Part[]
}

/** Commands that change more than records. After a failed write their world is read again. */
const REPLACING = /^(?:world|snapshot)\./

const UNKNOWN =
  'It is not known whether the change was made: the data could not be reached. Check before you retry.'

/** Stores what all worlds do, and brings them up to what the log holds. */
export class Commits {
  /** By the id of the world. */
  readonly #unstored = new Map<string, Unstored>()
  /** In characters of JSON: what the copies in memory were read from. */
  #held = 0
  #isRunning = true
  #isClosed = false

  constructor(readonly log: WorldLog) {}

  /** Stores all steps so far, and all later ones. `copies` returns the worlds in memory. */
  async begin(origin: Origin, copies: () => readonly StoredCopy[]): Promise<void> {
    await this.log.begin(origin, {
      worlds: () => this.#worldsToStore(copies()),
      onWritable: () => {
        for (const copy of copies()) {
          const resume = () => copy.resumeTimers()
          if (copy.standing === 'fresh') resume()
          else this.catchUp(copy)?.then(resume, () => {})
        }
      },
    })
    this.#isRunning = false
    this.#wake()
    await this.pending
  }

  /** Taking thousands of worlds at once would hold up requests, so each is taken when it is read. */
  #worldsToStore(copies: readonly StoredCopy[]): WorldsToStore {
    const worlds: Record<string, StoredWorld | undefined> = {}
    // A world whose deletion fails is there again.
    const pending = [this.pending]
    const take = (copy: StoredCopy) => {
      if (copy.standing === 'deleted') return undefined
      // It holds what was not stored, until it is read again.
      if (copy.standing !== 'fresh') throw new WorldMovedError()
      pending.push(this.stored(copy.id))
      return { created_at: copy.created_at, ...toStoredWorld(copy.world, copy.snapshots()) }
    }
    for (const copy of copies) {
      Object.defineProperty(worlds, copy.id, { enumerable: true, get: () => take(copy) })
    }
    return { worlds, persisted: () => Promise.all(pending) }
  }

  /** A world as the log has it. `whole`: with all of its history. */
  async read(id: string, how?: 'whole'): Promise<WholeWorld | undefined> {
    const found = await this.log.catchUp(id, undefined, how)
    if (!found) return undefined
    const { world } = found
    if (!world) throw new DataError(`world ${id}: the log returned only a part of it`)
    return { ...found, world, isPartial: !how && world.seq !== this.log.origin?.base.seq }
  }

  /** Brings a copy up to what the log holds; undefined if it is. `whole`: with all of its history. */
  catchUp(copy: StoredCopy, how?: 'whole'): Promise<void> | undefined {
    if (!this.log.isShared && copy.standing === 'fresh') return undefined
    return follow(this, copy, how)
  }

  /** Whether the worlds in memory take more than their part of it. */
  get isCrowded(): boolean {
    return this.#held > (this.log.room ?? Number.POSITIVE_INFINITY)
  }

  setHead(copy: StoredCopy, head: Head | undefined): void {
    this.#held += (head?.held ?? 0) - (copy.head?.held ?? 0)
    copy.head = head
  }

  /** Lets a copy leave memory. False while it has changes that are not stored. */
  forget(copy: StoredCopy): boolean {
    if (this.stored(copy.id)) return false
    this.setHead(copy, undefined)
    copy.standing = 'gone'
    return true
  }

  /** A new world has never existed if its first entries cannot be stored: `discard` takes it out of memory. */
  open(copy: StoredCopy, discard: () => void): void {
    const rollback = () => {
      copy.standing = 'gone'
      discard()
    }
    this.#add(copy.id, { rollback })
  }

  /** Deletes a world. `restore` brings it back into memory if that cannot be stored. */
  delete(copy: StoredCopy, restore: () => void): void {
    this.assertWritable(copy)
    copy.standing = 'deleted'
    const rollback = () => {
      copy.standing = 'fresh'
      restore()
    }
    this.#add(copy.id, { rollback, ends: copy })
  }

  append(copy: StoredCopy, record: CommandRecord): void {
    // Nothing that a request still does to a deleted world is stored.
    this.#add(copy.id, { copy, record, isDropped: copy.standing === 'deleted' })
  }

  /** Stores where an act begins: its entries do not show it. */
  beginAct(copy: StoredCopy, act: Act): void {
    if (copy.standing === 'fresh') this.#add(copy.id, { act })
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

  stored(id: string): Promise<void> | undefined {
    return this.#unstored.get(id)?.stored
  }

  async settled(id: string): Promise<void> {
    await this.stored(id)?.catch(() => {})
  }

  /** Resolves once all that a copy shows is stored; undefined if it is. */
  pendingFor({ id, standing }: StoredCopy): Promise<void> | undefined {
    const stored = this.stored(id)
    if (stored) return stored
    // It shows what could not be stored, until it is read again.
    return standing === 'unknown' ? Promise.reject(this.#unavailable()) : undefined
  }

  /** The same for all worlds. */
  get pending(): Promise<void> | undefined {
    if (this.#unstored.size === 0) return undefined
    const all = [...this.#unstored.values()].map(({ stored }) => stored)
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

  #add(id: string, item: Item): void {
    const world = this.#unstored.get(id) ?? new Unstored(id)
    this.#unstored.set(id, world)
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
      const worlds = [...this.#unstored.values()].filter(({ inFlight }) => !inFlight)
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
  async #write(worlds: readonly Unstored[]): Promise<Batch[]> {
    const sent = worlds.map((world): Sent => {
      const { id, queued: batch = new Batch() } = world
      world.inFlight = batch
      world.queued = undefined
      return { world, batch, parts: toCommits(id, batch.items) }
    })
    const commits = sent.flatMap(({ parts }) => parts.map(({ commit }) => commit))
    const results = commits.length > 0 ? await this.#append(commits) : []
    let to = 0
    const stored = sent.filter((it) => {
      const from = to
      to += it.parts.length
      const own = results.slice(from, to)
      if (own.every((it) => it.is !== 'apart')) return this.#settle(it, own)
      void this.#settleLater(it, own)
      return false
    })
    return stored.map(({ batch }) => batch)
  }

  async #settleLater(sent: Sent, results: readonly AppendResult[]): Promise<void> {
    const settled = await Promise.all(results.map((it) => (it.is === 'apart' ? it.result : it)))
    if (this.#settle(sent, settled)) sent.batch.resolve()
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
  #settle({ world, batch, parts }: Sent, results: readonly SettledResult[]): boolean {
    const failed = results.find((it) => it.is !== 'appended')
    if (failed) {
      this.#rollback(world, failed.is)
      return false
    }
    world.inFlight = undefined
    if (!world.queued) this.#unstored.delete(world.id)
    for (const [i, { copy, commit }] of parts.entries()) this.#moveHead(copy, commit, results[i])
    for (const item of batch.items) {
      if ('record' in item && !item.isDropped) item.copy.onPersisted(item.record.seq)
    }
    return true
  }

  #moveHead(copy: StoredCopy, { ends }: Commit, result: SettledResult | undefined): void {
    const { head, isLong } = result?.is === 'appended' ? result : {}
    this.setHead(copy, head)
    if (ends) this.log.requests?.clear(copy.id).catch(() => {})
    if (head && isLong) this.#storeWhole(copy, head)
  }

  /** Stores a world as a whole, unless it has gone on since. A later commit asks for it again. */
  #storeWhole(copy: StoredCopy, head: Head): void {
    if (copy.standing !== 'fresh' || copy.world.seq !== head.seq) return
    const stored = toStoredWorld(copy.world, copy.snapshots())
    this.log.compact(copy.id, head, stored, copy.neededFrom()).catch(() => {})
  }

  #rollback(world: Unstored, why: Failure): void {
    const batches = [world.inFlight, world.queued].filter((it) => it !== undefined)
    this.#unstored.delete(world.id)
    const items = batches.flatMap((it) => it.items).reverse()
    const replaced = undoSteps(items)
    const error = this.#toError(why)
    const reject = () => {
      for (const batch of batches) batch.reject(error)
    }
    // The others have ended.
    const copy = items.map(copyOf).find((it) => it?.standing === 'fresh')
    if (copy && replaced.has(copy)) {
      copy.standing = 'unknown'
      // If it cannot be read again, its next use tries once more.
      follow(this, copy).then(reject, reject)
      return
    }
    if (copy && why !== 'failed') copy.standing = 'behind'
    reject()
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

const copyOf = (item: Item): StoredCopy | undefined => {
  if ('record' in item) return item.copy
  return 'ends' in item ? item.ends : undefined
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
const toCommits = (id: string, items: readonly Item[]): Part[] => {
  const parts: Part[] = []
  let from = 0
  for (const [i, item] of items.entries()) {
    if (!('ends' in item)) continue
    const { ends: copy } = item
    const { head } = copy
    // A world that begins and ends in one write was never stored.
    if (head) parts.push({ copy, commit: { id, head, entries: [], ends: true } })
    from = i + 1
  }
  const part = toPart(id, items.slice(from))
  return part ? [...parts, part] : parts
}

const toPart = (id: string, items: readonly Item[]): Part | undefined => {
  const steps = items.flatMap((it) => ('record' in it && !it.isDropped ? [it] : []))
  const copy = steps.at(-1)?.copy
  if (!copy) return undefined
  const { head } = copy
  const acts = items.flatMap((it) => ('act' in it ? [it.act] : []))
  const forkedFrom = steps.some(({ record }) => record.command === 'world.fork') && copy.origin
  const commit = {
    id,
    head,
    entries: steps.map(({ record }) => record),
    origin: forkedFrom ? toStoredLayer(forkedFrom) : undefined,
    ...(!head && { tenant: copy.tenant, created_at: copy.created_at }),
    bytes: copy.budget?.bytes,
    isSuspect: forkedFrom !== false || steps.some(({ record }) => copy.isSuspect(record)),
    ...(acts.length > 0 && { acts }),
  }
  return { copy, commit }
}
