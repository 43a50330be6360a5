import { expect, test } from 'vitest'
import { createWorld, openWorld } from '../../src/domain/world.js'
import type { Change, Entry } from '../../src/kernel/entry.js'
import { DeterministicRandom } from '../../src/kernel/prng.js'
import { openFileStore } from '../../src/worlds/file/store.js'
import type { Commit, Head, WorldLog, WorldsToStore } from '../../src/worlds/port.js'
import { type StoredWorld, toStoredWorld } from '../../src/worlds/stored-world.js'
import { afterKill, afterPowerLoss, type Random } from '../support/crashed-disk.js'
import { dataFile } from '../support/data-folder.js'
import { MemoryDisk, systemError } from '../support/memory-disk.js'
import { Timers } from '../support/timers.js'

const HISTORIES = Number(process.env.HISTORIES ?? 100)
/** Histories at once: each waits most of the time for its lock. */
const LANES = 8
const IDS = ['ab', 'cd', 'ef'].map((it) => it.repeat(16))
const AT = '2026-06-15T09:00:00.000Z'
const RETRY_MS = 1_000
const NEVER = Number.POSITIVE_INFINITY
const BASE = createWorld({ seed: 'base', now: 0, evaluateRules: () => undefined, record: () => {} })

const randomFrom = (seed: string): Random => {
  const random = new DeterministicRandom(seed)
  let draws = 0
  return (limit) => {
    const [a = 0, b = 0, c = 0] = random.bytes(0, ++draws)
    return ((a << 16) | (b << 8) | c) % limit
  }
}

/** All worlds at a moment, by id. No change touches a value that another moment has. */
type Worlds = Readonly<Record<string, StoredWorld>>

const asText = (worlds: Worlds): string => JSON.stringify(IDS.map((id) => worlds[id]))

let rows = 0

const entryAfter = (
  seq: number,
  command: string,
  input: object,
  changes: Change[] = [],
): Entry => ({
  seq: seq + 1,
  at: AT,
  cause: { kind: 'library' },
  command,
  input,
  events: [],
  changes,
})

const beginWorld = (seed: string) => ({
  world: { seq: 1, seed, now: AT, count: 1, tables: {} },
  entries: [entryAfter(0, 'world.begin', { seed })],
})

const forkWorld = (origin: StoredWorld) => ({
  world: { ...origin, seq: 1 },
  entries: [entryAfter(0, 'world.fork', { name: 'copy', count: origin.count })],
  origin,
})

const addRow = (world: StoredWorld) => {
  const { api_keys: known = [] } = world.tables
  const id = `row ${++rows}`
  const record = { id, n: known.length + 1, hash: id }
  const next: StoredWorld = {
    ...world,
    seq: world.seq + 1,
    count: world.count + 1,
    tables: { api_keys: [...known, record] },
  }
  const change = { table: 'api_keys', id, record }
  return { world: next, entry: entryAfter(world.seq, 'api_key.create', {}, [change]) }
}

/** An append, and the states of all worlds after each of its commits. */
interface Sent {
  readonly states: readonly string[]
  /** Number of the disk's changes when the append was sent, and when it was answered. */
  readonly from: number
  answered: number
  isStored: boolean
  /** Until then a crash may leave a rejected append in the files. */
  until: number
}

/** A store from its start to its end, beside a model of what was appended to it. */
class Life {
  readonly #disk: MemoryDisk
  readonly #random: Random
  /** The states that the disk may have at the start. */
  readonly #before: ReadonlySet<string>
  readonly #first: number
  /** Number of the disk's changes when the store accepted commits. */
  #ready = NEVER
  #found = ''
  readonly #sent: Sent[] = []
  readonly #timers = new Timers()
  readonly #heads = new Map<string, Head>()
  #worlds: Worlds = {}
  #persisted: Promise<void> | undefined
  /** So many operations succeed, and as many after them fail. */
  #calm = NEVER
  #broken = 0
  #failures = 0
  #opened: WorldLog | undefined
  readonly warnings: string[] = []

  constructor(disk: MemoryDisk, before: ReadonlySet<string>, random: Random) {
    this.#disk = disk
    this.#first = disk.changes.length
    this.#before = before
    this.#random = random
    disk.meanwhile = async (operation) => {
      for (let turns = random(random(8) === 0 ? 80 : 4); turns > 0; turns--) await undefined
      if (operation === 'read' || --this.#calm >= 0 || --this.#broken < 0) return
      this.#failures++
      throw systemError('EIO', operation)
    }
  }

  get log(): WorldLog {
    if (!this.#opened) throw new Error('the store is not open')
    return this.#opened
  }

  /** Returns the state that the store finds. */
  async open(path: string): Promise<string> {
    const compactAt = this.#random(3) === 0 ? undefined : 1
    const schedule = this.#timers.later
    const warn = (sentence: string) => void this.warnings.push(sentence)
    const options = { fs: this.#disk, schedule, warn, compactAt }
    this.#opened = await openFileStore(path, options)
    for (const id of this.log.list()) {
      const { head, world } = (await this.log.catchUp(id)) ?? {}
      if (!head || !world) throw new Error('a world of the list is missing')
      this.#heads.set(id, head)
      this.#worlds = { ...this.#worlds, [id]: toStoredWorld(openWorld(world), []) }
    }
    this.#found = asText(this.#worlds)
    return this.#found
  }

  async begin(): Promise<void> {
    const origin = this.log.origin ?? { seed: 's', isDrawn: false, base: BASE }
    await this.log.begin(origin, { worlds: () => this.#worldsToStore(), onWritable: () => {} })
    this.#ready = this.#disk.changes.length
  }

  /** Each world is as it is when it is read. */
  #worldsToStore(): WorldsToStore {
    const pending = [this.#persisted]
    const take = (id: string) => {
      pending.push(this.#persisted)
      return this.#worlds[id]
    }
    const worlds = {}
    for (const id of Object.keys(this.#worlds)) {
      Object.defineProperty(worlds, id, { enumerable: true, get: () => take(id) })
    }
    return { worlds, persisted: () => Promise.all(pending) }
  }

  /** Lets things happen until the store is closed. */
  async run(path: string): Promise<void> {
    expect([...this.#before]).toContain(await this.open(path))
    this.#fail(8)
    const error = await this.begin().catch((error: unknown) => error)
    if (error && this.#failures === 0) throw error
    for (let steps = error ? 0 : this.#random(8); steps > 0; steps--) {
      this.#fail(5)
      if (this.#random(4) === 0) await new Promise(setImmediate)
      if (await this.append()) continue
      expect(this.#failures).toBeGreaterThan(0)
      await this.repair()
    }
    this.#fail(5)
    await this.close()
    if (this.#failures === 0)
      expect(
        this.warnings.filter(
          (it) => !/a crash cut|\d+ bytes of its first line, so it counts as never begun$/.test(it),
        ),
      ).toEqual([])
  }

  async close(): Promise<void> {
    await this.#opened?.close()
  }

  /** Now and then some of the next operations fail. */
  #fail(odds: number): void {
    if (this.#random(odds) > 0) return
    this.#calm = this.#random(12)
    this.#broken = 1 + this.#random(3)
  }

  async append(): Promise<boolean> {
    const { log } = this
    const before = this.#worlds
    const failures = this.#failures
    const { commits, states } = this.#change()
    const from = this.#disk.changes.length
    const sent: Sent = { states, from, answered: NEVER, isStored: false, until: NEVER }
    this.#sent.push(sent)
    const appended = log.append(commits)
    this.#persisted = appended.then((results) => {
      if (results.some(({ is }) => is !== 'appended')) throw new Error('rejected')
    })
    this.#persisted.catch(() => {})
    const results = await appended
    this.#persisted = undefined
    sent.answered = this.#disk.changes.length
    sent.isStored = results.every(({ is }) => is === 'appended')
    for (const [i, result] of results.entries()) {
      const { id = '' } = commits[i] ?? {}
      if (!sent.isStored) expect(result.is).toBe('failed')
      else if ('head' in result && result.head) this.#heads.set(id, result.head)
      else this.#heads.delete(id)
    }
    if (!sent.isStored) this.#worlds = before
    // A disk that has failed once can still cut off what was written.
    if (this.#failures === failures + 1) sent.until = sent.answered
    return sent.isStored
  }

  /** Waits until the store writes again after a rejected append. */
  async repair(): Promise<void> {
    for (let tries = 0; !this.log.isWritable; tries++) {
      if (tries === 1_000) throw new Error('the store never writes again')
      if (this.#timers.waits.includes(RETRY_MS)) this.#timers.fire(RETRY_MS)
      await new Promise(setImmediate)
    }
    const rejected = this.#sent.at(-1)
    if (rejected) rejected.until = Math.min(rejected.until, this.#disk.changes.length)
  }

  /** Some worlds end, begin, fork and go on. */
  #change() {
    const commits: Commit[] = []
    const states: string[] = []
    const commit = (it: Commit, { [it.id]: _, ...others }: Worlds, world?: StoredWorld) => {
      commits.push(it)
      this.#worlds = world ? { ...others, [it.id]: world } : others
      states.push(asText(this.#worlds))
    }
    const certain = IDS[this.#random(IDS.length)]
    for (const id of IDS) {
      if (id !== certain && this.#random(2) === 0) continue
      let head = this.#heads.get(id)
      if (head && this.#random(3) === 0) {
        commit({ id, head, entries: [], ends: true }, this.#worlds)
        if (this.#random(2) === 0) continue
        head = undefined
      }
      const known = this.#worlds[id]
      const other = Object.values(this.#worlds)[this.#random(6)]
      const begun = other ? forkWorld(other) : beginWorld(`seed ${rows}`)
      let { world, entries } = known ? { world: known, entries: [] } : begun
      for (let count = 1 + this.#random(3); count > 0; count--) {
        const added = addRow(world)
        world = added.world
        entries = [...entries, added.entry]
      }
      const origin = !known && other ? { origin: other } : {}
      commit({ id, head, entries, ...origin }, this.#worlds, world)
    }
    return { commits, states }
  }

  /** The states that a crash may leave after so many changes of the disk. */
  possibleAfter(count = this.#disk.changes.length): ReadonlySet<string> {
    const due = this.#sent.findLastIndex((it) => it.isStored && it.answered <= count)
    const stored = this.#sent[due]?.states.at(-1) ?? this.#found
    const open = this.#sent.slice(due + 1).filter((it) => it.from <= count && count < it.until)
    // Nobody has seen the state that the start found before it was ready.
    const older = count < this.#ready ? this.#before : []
    return new Set([stored, ...open.flatMap(({ states }) => states), ...older])
  }

  /** At any moment, or soon after a client has got its answer. */
  crash(): Crashed {
    const random = this.#random
    const end = this.#disk.changes.length
    const moments = [this.#ready, ...this.#sent.map(({ answered }) => answered)]
    const answered = (moments[random(moments.length)] ?? 0) + random(3)
    const any = this.#first + random(end - this.#first + 1)
    const count = Math.min(end, random(2) === 0 ? any : answered)
    const crashed = random(2) === 0 ? afterKill : afterPowerLoss
    return { disk: crashed(this.#disk, count, random), possible: this.possibleAfter(count) }
  }
}

interface Crashed {
  readonly disk: MemoryDisk
  readonly possible: ReadonlySet<string>
}

const EMPTY = (): Crashed => ({ disk: new MemoryDisk(), possible: new Set([asText({})]) })

const runHistory = async (path: string, random: Random): Promise<void> => {
  let { disk, possible } = EMPTY()
  for (let lives = 1 + random(4); lives > 0; lives--) {
    const life = new Life(disk, possible, random)
    await life.run(path)
    expect(disk.handles).toBe(0)
    for (let looks = 2; looks > 0; looks--) {
      const crashed = life.crash()
      const look = new Life(crashed.disk, crashed.possible, random)
      expect([...crashed.possible]).toContain(await look.open(path))
      await look.close()
    }
    ;({ disk, possible } = life.crash())
  }
}

/** Returns whether the second store took over from the first. */
const runTwoStores = async (path: string, random: Random): Promise<boolean> => {
  const { disk, possible: nothing } = EMPTY()
  const first = new Life(disk, nothing, random)
  await first.open(path)
  await first.begin()
  const second = new Life(disk, new Set(), random)
  const { meanwhile } = disk
  let found = ''
  let takeOver: Promise<boolean> | undefined
  await new Promise<void>((isReading) => {
    disk.meanwhile = (operation, name) => {
      isReading()
      return meanwhile(operation, name)
    }
    const open = async () => {
      found = await second.open(dataFile())
      await second.begin()
    }
    takeOver = open().then(
      () => true,
      () => false,
    )
  })
  for (let steps = random(8); steps > 0 && (await first.append()); steps--) {
    if (random(4) === 0) await new Promise(setImmediate)
  }
  const isTaken = (await takeOver) === true
  const newest = isTaken ? second : first
  if (isTaken) expect([...first.possibleAfter()]).toContain(found)
  else await first.repair()
  for (let steps = random(4); steps > 0; steps--) expect(await newest.append()).toBe(true)
  if (isTaken && random(2) === 0) expect(await first.append()).toBe(false)
  const killed = afterKill(disk, disk.changes.length, random)
  const possible = newest.possibleAfter()
  for (const it of random(2) === 0 ? [first, second] : [second, first]) await it.close()
  for (const left of [killed, disk]) {
    const third = new Life(left, possible, random)
    expect([...possible]).toContain(await third.open(path))
    await third.close()
  }
  return isTaken
}

const runMany = async (
  what: string,
  count: number,
  run: (path: string, random: Random) => Promise<void>,
): Promise<void> => {
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const path = dataFile()
    for (let n = lane; n < count; n += LANES) {
      const name = `${what} ${n}`
      await run(path, randomFrom(name)).catch((cause: unknown) => {
        throw new Error(name, { cause })
      })
    }
  })
  await Promise.all(lanes)
}

test('a crash at any moment leaves all acknowledged commits, and no half of another', () =>
  runMany('history', HISTORIES, runHistory))

test('a store acknowledges nothing once another one has begun on its files', async () => {
  const outcomes = new Set<boolean>()
  await runMany('pair', HISTORIES, async (path, random) => {
    outcomes.add(await runTwoStores(path, random))
  })
  expect(outcomes).toEqual(new Set([true, false]))
})
