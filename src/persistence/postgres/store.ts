import { randomUUID } from 'node:crypto'
import type { Entry } from '../../kernel/entry.js'
import { formatInvalid } from '../../lib/app-error.js'
import { nextTick, type Schedule } from '../../lib/machine-clock.js'
import { FileError } from '../../lib/read-file.js'
import { DataError, errorMessage, SeedMismatchError, UNCHANGED } from '../errors.js'
import type {
  AppendResult,
  CaughtUp,
  Commit,
  Head,
  LogHealth,
  Origin,
  StoredCommit,
  WorldLog,
} from '../port.js'
import { ReplayState } from '../replay.js'
import {
  restoreBase,
  restoreWorld,
  type StoredBase,
  type StoredWorld,
  toStoredBase,
} from '../stored-world.js'
import { type Answer, Database, type Statement, StatementError } from './database.js'
import * as sql from './statements.js'

interface PostgresStoreOptions {
  /** The seed that was asked for: a database keeps the one that it began with. */
  readonly seed?: string | undefined
  readonly schedule: Schedule
  /** Informs the operator. */
  readonly warn: (sentence: string) => void
  /** How long a statement is repeated while the server does not answer; 5 s by default. */
  readonly patience_ms?: number | undefined
}

interface PostgresHead extends Head {
  /** Number of the commit; `seq` is the number of an entry. */
  readonly n: number
  /** All heads of a copy share it. */
  readonly size: Size
}

/** In characters of JSON. */
interface Size {
  checkpoint: number
  /** The commits since the checkpoint that this process read or appended. */
  tail: number
}

interface ServerRow {
  readonly version: number
  readonly is_set_up: boolean
  readonly now: number
}

interface OriginRow {
  readonly format: number
  readonly seed: string
  readonly drawn: boolean
  readonly base: string
}

interface StoredRow {
  readonly n: number
  readonly tag: string
}

interface CommitRow extends StoredRow {
  /** The place of its question, from 1. */
  readonly i: number
  readonly start: number
  readonly ends: boolean
  /** Of the commit; of the checkpoint if `n` is `start`. */
  readonly body: string | null
  readonly now: number
}

interface Question {
  readonly id: string
  readonly known: number | undefined
  readonly isWhole: boolean
}

/** Questions that one statement answers, by key. */
interface Round {
  readonly questions: Map<string, Question>
  readonly answers: Promise<ReadonlyMap<string, CommitRow[]>>
}

const PATIENCE_MS = 5_000
const MIN_VERSION = 14
/** Shorter commits are read quickly. */
const MIN_CHECKPOINT = 64 * 1024
const HOUR_MS = 3_600_000
const URL_FORM = 'a URL such as postgres://user@host:5432/database'

/** Connects and reads the origin. Writes nothing. */
export const openPostgresStore = async (
  url: string,
  options: PostgresStoreOptions,
): Promise<WorldLog> => {
  const database = openDatabase(url, options.patience_ms ?? PATIENCE_MS)
  const store = new PostgresStore(database, options)
  try {
    await store.open()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

const openDatabase = (url: string, patience_ms: number): Database => {
  try {
    return new Database(url, patience_ms)
  } catch {
    // The URL may contain a password, so no message shows it.
    throw new FileError({ problem: 'the URL of the database is not valid', expected: URL_FORM })
  }
}

/** Stores worlds in Postgres, for any number of processes at once. */
class PostgresStore implements WorldLog {
  readonly isShared = true
  origin: Origin | undefined
  readonly #database: Database
  readonly #options: PostgresStoreOptions
  #round: Round | undefined
  #lastRound: Promise<unknown> = Promise.resolve()
  /** Worlds whose use was stored in this hour. */
  readonly #used = new Set<string>()
  #cancelExpiry: (() => void) | undefined
  #error: string | null = null
  #isClosed = false

  constructor(database: Database, options: PostgresStoreOptions) {
    this.#database = database
    this.#options = options
  }

  async open(): Promise<void> {
    const answer = await this.#runAtStart<ServerRow>(sql.READ_SERVER)
    const [server] = answer.rows
    if (!server) return
    this.#database.learnClock(server.now, answer)
    const version = Math.floor(server.version / 10_000)
    if (version < MIN_VERSION) {
      throw this.#unusable(`it runs Postgres ${version}, Sandramp needs ${MIN_VERSION} or newer`)
    }
    if (server.is_set_up) await this.#readOrigin()
  }

  /** Of several processes that begin at once, the first one gives the origin. */
  async begin({ seed, isDrawn, base }: Origin): Promise<Origin> {
    // Later starts need no right to create tables.
    if (!this.origin) await this.#runAtStart(sql.CREATE_TABLES)
    // Refuses a user without the right to write.
    const values = [sql.FORMAT, seed, isDrawn, JSON.stringify(toStoredBase(base))]
    await this.#runAtStart(sql.PROPOSE_ORIGIN, values)
    const origin = await this.#readOrigin()
    if (!origin) throw this.#unusable('its origin was deleted')
    this.#scheduleExpiry()
    return origin
  }

  async #readOrigin(): Promise<Origin | undefined> {
    const { rows } = await this.#runAtStart<OriginRow>(sql.READ_ORIGIN)
    const [row] = rows
    if (!row) return undefined
    const { name } = this.#database
    const { format, seed, drawn: isDrawn, base } = row
    if (format !== sql.FORMAT) {
      const problem = `${name}: its format is ${format}, this version of Sandramp uses ${sql.FORMAT}`
      throw new DataError({ problem, hint: UNCHANGED })
    }
    const asked = this.#options.seed
    if (asked !== undefined && asked !== seed) {
      throw new SeedMismatchError(
        formatInvalid('seed', asked, `${JSON.stringify(seed)}, with which ${name} began, or none`),
      )
    }
    this.origin ??= { seed, isDrawn, base: restoreBase(JSON.parse(base) as StoredBase) }
    return this.origin
  }

  async #runAtStart<Row extends object>(
    statement: Statement,
    values?: unknown[],
  ): Promise<Answer<Row>> {
    try {
      return await this.#database.run<Row>(statement, values)
    } catch (error) {
      throw this.#unusable(errorMessage(error))
    }
  }

  #unusable(reason: string): FileError {
    return new FileError({ problem: `${this.#database.name} cannot be used: ${reason}` })
  }

  /** A world is read at its next use. */
  list(): readonly string[] {
    return []
  }

  async catchUp(id: string, known?: PostgresHead, how?: 'whole'): Promise<CaughtUp | undefined> {
    if (!this.origin) return undefined
    try {
      const isKnown = known !== undefined && how === undefined
      return (isKnown && (await this.#follow(id, known))) || (await this.#read(id, how))
    } catch (error) {
      if (error instanceof DataError) throw error
      const problem = `world ${id} cannot be read: ${errorMessage(error)}`
      this.#options.warn(`${this.#database.name}: ${problem}`)
      throw new DataError({ problem, hint: UNCHANGED })
    }
  }

  /** Undefined if the world has ended, or a failover has lost the known commit. */
  async #follow(id: string, known: PostgresHead): Promise<CaughtUp | undefined> {
    const [first, ...rest] = await this.#ask({ id, known: known.n, isWhole: false })
    if (first?.tag !== known.tag || rest.some(({ ends }) => ends)) return undefined
    const commits = rest.map(parseCommit)
    const seq = commits.at(-1)?.entries.at(-1)?.seq ?? known.seq
    return { head: toHead(rest.at(-1) ?? first, seq, known.size), entries: [], commits }
  }

  async #read(id: string, how: 'whole' | undefined): Promise<CaughtUp | undefined> {
    const rows = await this.#ask({ id, known: undefined, isWhole: how === 'whole' })
    const newest = rows.at(-1)
    if (!newest || newest.ends || !this.origin) return undefined
    const { base } = this.origin
    const stored = rows[0]?.n === rows[0]?.start ? rows.shift()?.body : undefined
    const from = stored ? restoreWorld(JSON.parse(stored) as StoredWorld, base.tables) : undefined
    const replay = new ReplayState(base, from)
    const entries: Entry[] = []
    for (const commit of rows.map(parseCommit)) {
      for (const entry of commit.entries) {
        const problem = replay.apply(entry, commit.origin)
        if (problem !== undefined) throw new Error(problem)
        entries.push(entry)
      }
    }
    const tail = rows.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
    const size = { checkpoint: stored?.length ?? 0, tail }
    return { head: toHead(newest, replay.seq, size), world: replay.state, entries, commits: [] }
  }

  /** One statement at a time: the next one asks for all worlds that were asked for meanwhile. */
  async #ask(question: Question): Promise<CommitRow[]> {
    const key = JSON.stringify(question)
    this.#round ??= this.#openRound()
    const { questions, answers } = this.#round
    questions.set(key, question)
    // Several callers may have asked the same question.
    return [...((await answers).get(key) ?? [])]
  }

  #openRound(): Round {
    const questions: Round['questions'] = new Map()
    const turn = new Promise<void>((resolve) => nextTick(resolve))
    const answers = this.#lastRound
      .then(() => turn)
      .then(() => {
        this.#round = undefined
        return this.#send(questions)
      })
    this.#lastRound = answers.catch(() => {})
    return { questions, answers }
  }

  async #send(questions: Round['questions']): Promise<ReadonlyMap<string, CommitRow[]>> {
    const asked = [...questions.values()]
    const worlds = asked.map(({ id }) => id)
    const values = [worlds, asked.map((it) => it.known), asked.map((it) => it.isWhole)]
    const answer = await this.#run<CommitRow>(sql.CATCH_UP, values).catch((error) => {
      const problem = `${this.#database.name} cannot be reached: ${errorMessage(error)}`
      throw new DataError({ problem, hint: 'Retry' }, 'unavailable')
    })
    const [newest] = answer.rows
    if (newest) this.#database.learnClock(newest.now, answer)
    this.#noteUse(worlds)
    const found = asked.map((): CommitRow[] => [])
    for (const row of answer.rows) found[row.i - 1]?.push(row)
    return new Map([...questions.keys()].map((key, i) => [key, found[i] ?? []]))
  }

  /** Its failure costs nothing: the next hour has another try. */
  #noteUse(ids: readonly string[]): void {
    const worlds = ids.filter((id) => !this.#used.has(id))
    if (worlds.length === 0) return
    for (const id of worlds) this.#used.add(id)
    this.#run(sql.NOTE_USE, [worlds]).catch(() => {})
  }

  async append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    const ids = new Set<string>()
    const again = commits.findIndex(({ id }) => ids.size === ids.add(id).size)
    if (again < 0) return commits.length === 0 ? [] : this.#append(commits)
    // A world that begins again needs a statement that sees its end.
    const first = await this.#append(commits.slice(0, again))
    return [...first, ...(await this.append(commits.slice(again)))]
  }

  async #append(commits: readonly Commit[]): Promise<AppendResult[]> {
    const worlds = commits.map(({ id }) => id)
    const tags = commits.map(() => randomUUID())
    const bodies = commits.map(formatCommit)
    const previous = commits.map(({ head }) => head?.tag)
    const values = [worlds, previous, tags, commits.map(({ ends = false }) => ends), bodies]
    const deadline = this.#database.deadline()
    let mayBeDone = false
    try {
      const { rows, isRepeated } = await this.#run<StoredRow>(sql.APPEND, values, deadline)
      mayBeDone = true
      // An earlier try may have stored them. A commit that neither try stored cannot be stored any more.
      const earlier = isRepeated
        ? (await this.#run<StoredRow>(sql.FIND_COMMITS, [worlds, tags], deadline)).rows
        : []
      const stored = new Map([...rows, ...earlier].map((row) => [row.tag, row]))
      return commits.map((commit, i) =>
        toResult(commit, stored.get(tags[i] ?? ''), bodies[i]?.length ?? 0),
      )
    } catch (error) {
      mayBeDone ||= !(error instanceof StatementError) || error.mayBeDone
      return commits.map(() => ({ is: mayBeDone ? 'unknown' : 'failed' }))
    }
  }

  async compact(id: string, head: PostgresHead, world: StoredWorld): Promise<void> {
    const body = JSON.stringify(world)
    // Set first: commits that are appended meanwhile follow the checkpoint.
    head.size.checkpoint = body.length
    head.size.tail = 0
    await this.#run(sql.SAVE_CHECKPOINT, [id, head.n, head.tag, body])
  }

  #scheduleExpiry(): void {
    if (this.#isClosed) return
    this.#cancelExpiry = this.#options.schedule(HOUR_MS, () => {
      this.#used.clear()
      this.#expire()
        .catch((error) =>
          this.#options.warn(
            `${this.#database.name}: unused worlds were not deleted: ${errorMessage(error)}`,
          ),
        )
        .then(() => this.#scheduleExpiry())
    })
  }

  async #expire(): Promise<void> {
    const { rows } = await this.#run<{ id: string; tag: string }>(sql.FIND_UNUSED)
    await this.append(
      rows.map(({ id, tag }) => ({ id, head: { seq: 0, tag }, entries: [], ends: true })),
    )
    await this.#run(sql.DELETE_ENDED)
  }

  async #run<Row extends object>(
    statement: Statement,
    values?: unknown[],
    deadline?: number,
  ): Promise<Answer<Row>> {
    try {
      const answer = await this.#database.run<Row>(statement, values, deadline)
      this.#error = null
      return answer
    } catch (error) {
      this.#error = errorMessage(error)
      throw error
    }
  }

  /** The database's time less this machine's. */
  get clockOffset(): number {
    return this.#database.clockOffset
  }

  /** Each statement is tried: another process, or the next second, may have made room. */
  get isWritable(): boolean {
    return !this.#isClosed
  }

  get health(): LogHealth {
    return {
      file: this.#database.name,
      status: this.#error === null ? 'ok' : 'failing',
      error: this.#error,
      journal_bytes: 0,
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelExpiry?.()
    await this.#database.close()
  }
}

const parseCommit = ({ body }: CommitRow): StoredCommit => JSON.parse(body ?? '')

const formatCommit = ({ entries, origin, acts, ends }: Commit): string | null =>
  ends ? null : JSON.stringify({ entries, origin, acts } satisfies StoredCommit)

const toHead = ({ n, tag }: StoredRow, seq: number, size: Size): PostgresHead => ({
  n,
  tag,
  seq,
  size,
})

const toResult = (
  { head, entries, ends }: Commit,
  row: StoredRow | undefined,
  length: number,
): AppendResult => {
  if (!row) return { is: 'behind' }
  if (ends) return { is: 'appended', head: undefined }
  const { size } = (head as PostgresHead | undefined) ?? { size: { checkpoint: 0, tail: 0 } }
  size.tail += length
  const isLong = size.tail > Math.max(MIN_CHECKPOINT, size.checkpoint)
  return { is: 'appended', head: toHead(row, entries.at(-1)?.seq ?? 0, size), isLong }
}
