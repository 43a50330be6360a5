import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { machineClock } from '../../lib/machine-clock.js'
import { FileError } from '../../lib/read-file.js'
import { DataError, errorMessage } from '../errors.js'
import { ServerClock } from './server-clock.js'
import { STATEMENTS } from './statements.js'

export type StatementName = keyof typeof STATEMENTS

export interface Answer<Row> {
  readonly rows: readonly Row[]
  /** An earlier try may have been executed. */
  readonly isRepeated: boolean
}

const URL_FORM = 'a URL such as postgres://user@host:5432/database'
const MAX_CONNECTIONS = 4
const IDLE_MS = 60_000
/**
 * Postgres would plan most statements at each execution, which takes longer than the execution itself. A plan from the
 * first minutes, when the tables are small, must use the indexes too. A statement that cannot would then be compiled,
 * because it looks expensive.
 */
const SETTINGS = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off'
/** A try takes this part of the patience. */
const TRY_PART = 0.4
const PAUSE_MS = 20
const MAX_PAUSE_MS = 200

/** Words of the driver, whose error has no code. */
const NEEDS_PASSWORD = /password must be a/

/** Nothing was done, and a repetition changes nothing. Codes of Node, such as EPIPE, only look like SQLSTATEs. */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? !/^(?:08|57P|40)/.test(error.code ?? '')
    : NEEDS_PASSWORD.test(errorMessage(error))

/** The values are refused: those of one world must not fail the others in the statement. */
const REFUSES_VALUES = /^(?:22|23|54)/

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
  ENOENT: 'there is no such socket',
}

const explain = (error: unknown): string => {
  const message = errorMessage(error)
  if (NEEDS_PASSWORD.test(message)) return 'it asks for a password. Set PGPASSWORD'
  return REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? message
}

export class StatementError extends DataError {
  constructor(
    /** For the operator. */
    readonly reason: string,
    shown: string,
    /** False if nothing was done for certain. */
    readonly mayBeDone: boolean,
    readonly refusesValues: boolean,
  ) {
    super({ problem: `The database cannot be reached: ${shown}`, hint: 'Retry' }, 'unavailable')
  }
}

export const isAboutValues = (error: unknown): error is StatementError =>
  error instanceof StatementError && error.refusesValues

const locate = (connectionString: string) => {
  try {
    const { user, database = user, host, port } = new pg.Client({ connectionString })
    return { name: `database ${database} at ${host}:${port}`, parts: [user, database, host] }
  } catch {
    // The URL may contain a password, so no message shows it.
    throw new FileError({ problem: 'the URL of the database is not valid', expected: URL_FORM })
  }
}

/** Runs statements, and repeats them while the server does not answer. */
export class Database {
  /** Contains no password. */
  readonly name: string
  readonly #parts: readonly (string | undefined)[]
  /** Why the newest statement failed, for anybody. */
  error: string | null = null
  readonly #pool: pg.Pool
  readonly #patience_ms: number
  readonly #clock = new ServerClock()

  constructor(connectionString: string, patience_ms: number) {
    const { name, parts } = locate(connectionString)
    this.name = name
    this.#parts = parts
    this.#patience_ms = patience_ms
    const try_ms = TRY_PART * patience_ms
    this.#pool = new pg.Pool({
      connectionString,
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: IDLE_MS,
      connectionTimeoutMillis: try_ms,
      query_timeout: try_ms,
      keepAlive: true,
      application_name: 'sandramp',
    })
    // The pool replaces a broken connection. Without listeners the error would end the process.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      client.on('error', () => {})
      client.query(SETTINGS).catch(() => {})
    })
  }

  /** When a statement that begins now is given up. */
  deadline(more_ms = 0): number {
    return machineClock() + this.#patience_ms + more_ms
  }

  async run<Row extends object & { now?: number }>(
    name: StatementName,
    values: unknown[] = [],
    deadline = this.deadline(),
    more_ms = 0,
  ): Promise<Answer<Row>> {
    let isRepeated = false
    for (let tries = 1; ; tries++) {
      let client: pg.PoolClient | undefined
      try {
        client = await this.#pool.connect()
        const sent = machineClock()
        const query_timeout = TRY_PART * this.#patience_ms + more_ms
        const query = { name, text: STATEMENTS[name], values, query_timeout }
        const { rows } = await client.query<Row>(query)
        client.release()
        const { now } = rows[0] ?? {}
        if (now !== undefined) this.#clock.learn(now, sent, machineClock())
        this.error = null
        return { rows, isRepeated }
      } catch (error) {
        client?.release(true)
        isRepeated ||= client !== undefined && !isRefusal(error)
        const isLast = isRefusal(error) || this.#pool.ending || machineClock() > deadline
        if (isLast) throw this.#toStatementError(error, isRepeated)
        await sleep(Math.min(PAUSE_MS * tries, MAX_PAUSE_MS))
      }
    }
  }

  #toStatementError(error: unknown, mayBeDone: boolean): StatementError {
    const refusesValues = error instanceof pg.DatabaseError && REFUSES_VALUES.test(error.code ?? '')
    const shown = this.#withoutPlace(error)
    if (!refusesValues) this.error = shown
    return new StatementError(explain(error), shown, mayBeDone, refusesValues)
  }

  /** Runs a statement of a start: without it, nothing starts. */
  async runAtStart<Row extends object>(
    statement: StatementName,
    values?: unknown[],
  ): Promise<readonly Row[]> {
    try {
      return (await this.run<Row>(statement, values)).rows
    } catch (error) {
      throw this.unusable((error as StatementError).reason)
    }
  }

  unusable(reason: string): FileError {
    return new FileError({ problem: `${this.name} cannot be used: ${reason}` })
  }

  #withoutPlace(error: unknown): string {
    const { address, code } = error as { readonly address?: string; readonly code?: string }
    const reason = explain(error)
    const names = (part: string | undefined) => part !== undefined && reason.includes(part)
    return [...this.#parts, address].some(names) ? `it refuses with ${code}` : reason
  }

  /** The server's time less this machine's. */
  get clockOffset(): number {
    return this.#clock.offset
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }
}
