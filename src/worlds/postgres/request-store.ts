import { clearTimeout, setTimeout } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { LoggedWorlds, RequestStore, StoredExchange } from '../../history/request-log.js'
import { askTogether } from '../../lib/ask-together.js'
import { groupBy } from '../../lib/group-by.js'
import type { Database } from './database.js'

/** Exchanges of one world, one a line. */
interface Batch {
  readonly n: number
  readonly at: string
  readonly body: Buffer
}

interface Answered extends Batch {
  /** The place of its question, from 1. */
  readonly i: number
}

/** A world, how many batches of it, and number and time of the known one. */
type Question = readonly [
  world: string,
  count: number,
  n: number | undefined,
  at: string | undefined,
]

/** A statement per request would cost as much as a tenth of the request. */
const GATHER_MS = 20
const SETTLE_MS = 30
/** A repetition could store exchanges twice. */
const ONE_TRY = 0
/** So many numbers belong to a batch. */
const MAX_BATCH = 1_000
/** Deflated bodies cost Postgres a tenth. Most batches are small: the buffers of the defaults would cost the most. */
const DEFLATE = { level: 1, windowBits: 13, memLevel: 5, chunkSize: 4 * 1024 }

/** Inserts the exchanges of all worlds with one statement at a time. */
export class PostgresRequests implements RequestStore {
  readonly #database: Database
  #batches = new Map<string, string[]>()
  /** Worlds with an unclear exchange in their batch. */
  #suspects = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #done: Promise<unknown> = Promise.resolve()
  /** One statement for the worlds of a turn: a list has many. */
  readonly #readOf = askTogether<Question, readonly Batch[]>(
    (question) => question.join(' '),
    (questions) => this.#readAll(questions),
  )

  constructor(database: Database) {
    this.#database = database
  }

  add(world: string, body: string, count: number, wasUnclear: boolean): void {
    if (wasUnclear) this.#suspects.add(world)
    const batch = this.#batches.get(world) ?? []
    this.#batches.set(world, batch)
    if (batch.push(body) === MAX_BATCH) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
    // Chance needs no counter, which a world would lose whenever it leaves memory.
    if (Math.random() * count < 1)
      this.#database.run('pruneRequests', [world, count]).catch(() => {})
  }

  /** Resolves once all exchanges so far are stored, or lost. */
  flush(): Promise<unknown> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const batches = [...this.#batches]
    this.#batches = new Map()
    const suspects = [...this.#suspects]
    this.#suspects.clear()
    this.#done = this.#done.then(() => this.#insert(batches, suspects)).catch(() => {})
    return this.#done
  }

  async #insert(
    batches: [world: string, lines: string[]][],
    suspects: readonly string[],
  ): Promise<void> {
    if (batches.length === 0) return
    const worlds = batches.map(([world]) => world)
    const sizes = batches.map(([, lines]) => lines.length)
    // JSON has no line breaks.
    const bodies = batches.map(([, lines]) => deflateRawSync(lines.join('\n'), DEFLATE))
    const lengths = bodies.map(({ length }) => length)
    const values = [worlds, sizes, lengths, Buffer.concat(bodies), suspects]
    await this.#database.run('addRequests', values, ONE_TRY)
  }

  /** Resolves once all processes have stored what they answered before. */
  async settle(): Promise<void> {
    await Promise.all([this.flush(), sleep(SETTLE_MS)])
  }

  async read(of: LoggedWorlds, count: number, known?: StoredExchange): Promise<StoredExchange[]> {
    await this.settle()
    const batches =
      typeof of === 'string'
        ? await this.#readOf([of, count, known && Math.floor(known.n / MAX_BATCH), known?.at])
        : (await this.#database.run<Batch>('readAllRequests', [of, count])).rows
    return (batches ?? []).toReversed().flatMap(toExchanges).slice(-count)
  }

  async #readAll(questions: ReadonlyMap<string, Question>) {
    const asked = [...questions.values()]
    const columns = [0, 1, 2, 3].map((column) => asked.map((it) => it[column]))
    const { rows } = await this.#database.run<Answered>('readRequests', columns)
    const found = groupBy(rows, ({ i }) => i)
    return [...questions.keys()].map((key, i) => [key, found.get(i + 1) ?? []] as const)
  }

  async clear(world: string): Promise<void> {
    const cleared = this.flush().then(() => this.#database.run('clearRequests', [world]))
    this.#done = cleared.catch(() => {})
    await cleared
  }
}

const toExchanges = ({ n, at, body }: Batch): StoredExchange[] =>
  inflateRawSync(body)
    .toString()
    .split('\n')
    .map((line, i) => ({ n: n * MAX_BATCH + i, at, body: line }))
