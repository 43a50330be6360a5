import { clearTimeout, setTimeout } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoggedWorlds, RequestStore, StoredExchange } from '../../history/request-log.js'
import type { Answer, Database } from './database.js'

type Run = (...query: Parameters<Database['run']>) => Promise<Answer<StoredExchange>>

/** A statement per request would cost as much as a tenth of the request. */
const GATHER_MS = 20
/** A reader waits until other processes have stored what they answered before. */
const SETTLE_MS = 30
/** A repetition could store exchanges twice. */
const ONE_TRY = 0

/** Inserts the exchanges of all worlds with one statement at a time. */
export class PostgresRequests implements RequestStore {
  readonly #run: Run
  #worlds: string[] = []
  #bodies: string[] = []
  #timer: NodeJS.Timeout | undefined
  #done: Promise<unknown> = Promise.resolve()

  constructor(run: Run) {
    this.#run = run
  }

  add(world: string, body: string, count: number): void {
    this.#worlds.push(world)
    this.#bodies.push(body)
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
    // Chance needs no counter, which a world would lose whenever it leaves memory.
    if (Math.random() * count < 1) this.#run('pruneRequests', [world, count]).catch(() => {})
  }

  /** Resolves once all exchanges so far are stored, or lost. */
  flush(): Promise<unknown> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#done = this.#done.then(() => this.#insert()).catch(() => {})
    return this.#done
  }

  async #insert(): Promise<void> {
    if (this.#worlds.length === 0) return
    // JSON has no line breaks.
    const values = [this.#worlds, this.#bodies.join('\n')]
    this.#worlds = []
    this.#bodies = []
    await this.#run('addRequests', values, ONE_TRY)
  }

  async read(of: LoggedWorlds, count: number, known?: StoredExchange): Promise<StoredExchange[]> {
    await Promise.all([this.flush(), sleep(SETTLE_MS)])
    const { rows } =
      typeof of === 'string'
        ? await this.#run('readRequests', [of, count, known?.n, known?.at])
        : await this.#run('readAllRequests', [of, count])
    return rows.toReversed()
  }

  async clear(world: string): Promise<void> {
    const cleared = this.flush().then(() => this.#run('clearRequests', [world]))
    this.#done = cleared.catch(() => {})
    await cleared
  }
}
