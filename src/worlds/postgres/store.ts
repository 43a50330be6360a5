import { randomUUID } from 'node:crypto'
import { limitConcurrency } from '../../lib/turns.js'
import type {
  AppendResult,
  CaughtUp,
  Commit,
  LogHealth,
  LogHost,
  Origin,
  SettledResult,
  StoredCommit,
  WorldLog,
} from '../port.js'
import { restoreBase, type StoredBase, type StoredWorld, toStoredBase } from '../stored-world.js'
import { toIndexed } from '../world-index.js'
import { type CommitRow, type PostgresHead, toResult } from './commit-rows.js'
import { Database, isAboutValues, StatementError } from './database.js'
import { PostgresIndex } from './index-store.js'
import { PostgresRequests } from './request-store.js'
import { FORMAT, SMALL } from './statements.js'
import { WorldReader } from './world-reader.js'

interface PostgresStoreOptions extends LogHost {
  /** How long a statement is repeated while the server does not answer; 5 s by default, 2 s of it for a try. */
  readonly patience_ms?: number | undefined
}

interface ServerRow {
  readonly version: number
  readonly is_set_up: boolean
  readonly is_current: boolean
}

interface OriginRow {
  readonly format: number
  readonly seed: string
  readonly drawn: boolean
  readonly base: string
}

/** A commit, and the values of its row. */
interface Given {
  readonly commit: Commit
  readonly row: Readonly<Record<(typeof COLUMNS)[number], unknown>> & {
    readonly world: string
    readonly tag: string
    readonly body: string | null
    readonly hashes: readonly string[]
  }
}

const FAILED: SettledResult = { is: 'failed' }

const PATIENCE_MS = 5_000
const MIN_VERSION = 14
const MAX_APART = 2
/** A try may take so much longer. */
const CHARACTERS_PER_MS = 1_000
const UPGRADE = 'sandramp tenant list --data, and the URL of a user who owns its tables'

/** Connects and reads the origin. Writes nothing. */
export const openPostgresStore = async (
  url: string,
  options: PostgresStoreOptions,
): Promise<PostgresStore> => {
  const store = new PostgresStore(url, options)
  try {
    await store.open()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Stores worlds in Postgres, for any number of processes at once. */
export class PostgresStore implements WorldLog {
  readonly isShared = true
  readonly name = 'the database'
  readonly index: PostgresIndex
  readonly requests: PostgresRequests
  /** A failed write forbids no later one: the database may be back. */
  readonly isWritable = true
  origin: Origin | undefined
  readonly #database: Database
  /** Runs what takes long, so that it leaves connections to the others. */
  readonly #apart = limitConcurrency(MAX_APART)
  readonly #reader: WorldReader
  #isCurrent = false
  readonly #counts = { attempts: 0, reruns: 0, unknown: 0, checkpoints: 0 }

  constructor(url: string, options: PostgresStoreOptions) {
    this.#database = new Database(url, options.patience_ms ?? PATIENCE_MS)
    this.requests = new PostgresRequests(this.#database)
    this.#reader = new WorldReader(this.#database, this.#apart)
    this.index = new PostgresIndex(this.#database, {
      ...options,
      append: (it) => this.append(it),
      settle: () => this.requests.settle(),
    })
  }

  async open(): Promise<void> {
    const [server] = await this.#database.runAtStart<ServerRow>('readServer')
    const version = Math.floor((server?.version ?? 0) / 10_000)
    if (version < MIN_VERSION) {
      throw this.#database.unusable(
        `it runs Postgres ${version}, Sandramp needs ${MIN_VERSION} or newer`,
      )
    }
    this.#isCurrent = server?.is_current ?? false
    if (server?.is_set_up) await this.#readOrigin()
  }

  /** Of several processes that begin at once, the first one gives the origin. */
  async begin({ seed, isDrawn, base }: Origin): Promise<Origin> {
    await this.createTables()
    // Refuses a user without the right to write.
    const values = [FORMAT, seed, isDrawn, JSON.stringify(toStoredBase(base))]
    await this.#database.runAtStart('proposeOrigin', values)
    const origin = await this.#readOrigin()
    if (!origin) throw this.#database.unusable('its origin was deleted')
    this.index.scheduleExpiry()
    return origin
  }

  /** Later starts of one version need no right to create tables. */
  async createTables(): Promise<void> {
    if (this.#isCurrent) return
    if (!this.origin) await this.#database.runAtStart('createTables')
    else
      await this.#database.run('createTables').catch(({ reason }: StatementError) => {
        throw this.#database.unusable(`${reason}. Upgrade it with ${UPGRADE}`)
      })
    this.#isCurrent = true
  }

  async #readOrigin(): Promise<Origin | undefined> {
    const [row] = await this.#database.runAtStart<OriginRow>('readOrigin')
    if (!row) return undefined
    const { format, seed, drawn: isDrawn, base } = row
    if (format !== FORMAT) {
      throw this.#database.unusable(`its format is ${format}, this Sandramp uses ${FORMAT}`)
    }
    this.origin ??= { seed, isDrawn, base: restoreBase(JSON.parse(base) as StoredBase) }
    return this.origin
  }

  /** A world is read at its next use. */
  list(): readonly string[] {
    return []
  }

  get room(): number {
    return this.#reader.room
  }

  async catchUp(id: string, known?: PostgresHead, how?: 'whole'): Promise<CaughtUp | undefined> {
    if (!this.origin) return undefined
    await this.createTables()
    return this.#reader.catchUp(id, this.origin, known, how)
  }

  async append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    const ids = new Set<string>()
    const again = commits.findIndex(({ id }) => ids.size === ids.add(id).size)
    if (again < 0) return this.#appendApart(commits)
    // A world that begins again needs a statement that sees its end.
    const first = await this.#appendApart(commits.slice(0, again))
    for (const it of first) if (it.is === 'apart') await it.result
    return [...first, ...(await this.append(commits.slice(again)))]
  }

  /** Large commits go alone, and the others do not wait for them. */
  async #appendApart(commits: readonly Commit[]): Promise<AppendResult[]> {
    const given = commits.map((commit) => ({ commit, row: this.#toRow(commit) }))
    const large = new Map<Given, AppendResult>()
    for (const it of given) {
      const append = async () => (await this.#append([it]))[0] ?? FAILED
      if ((it.row.body?.length ?? 0) > SMALL)
        large.set(it, { is: 'apart', result: this.#apart(append) })
    }
    const small = given.filter((it) => !large.has(it))
    const stored = small.length > 0 ? await this.#append(small) : []
    return given.map((it) => large.get(it) ?? stored.shift() ?? FAILED)
  }

  async #append(given: readonly Given[]): Promise<SettledResult[]> {
    this.#counts.attempts += given.length
    try {
      const stored = await this.#insert(given)
      return given.map(({ commit, row: { tag, body } }) => {
        const row = stored.get(tag)
        if (!row) this.#counts.reruns++
        else if (commit.ends) this.#reader.ends.set(commit.id, row.tag)
        return toResult(commit, row, body?.length ?? 0)
      })
    } catch (error) {
      if (given.length > 1 && isAboutValues(error)) {
        const results: SettledResult[] = []
        for (const one of given) results.push(...(await this.#append([one])))
        return results
      }
      const mayBeDone = !(error instanceof StatementError) || error.mayBeDone
      if (mayBeDone) this.#counts.unknown += given.length
      return given.map(() => ({ is: mayBeDone ? 'unknown' : 'failed' }))
    }
  }

  /** Returns the rows that were stored, by tag. */
  async #insert(given: readonly Given[]): Promise<ReadonlyMap<string, CommitRow>> {
    const rows = given.map(({ row }) => row)
    const columns = COLUMNS.map((name) => rows.map((it) => it[name]))
    const [worlds, , tags] = columns
    const keys = rows.flatMap(({ world, hashes }) => hashes.map((hash) => [hash, world] as const))
    const values = [...columns, keys.map(([hash]) => hash), keys.map(([, world]) => world)]
    const length = rows.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
    const wait_ms = length / CHARACTERS_PER_MS
    const deadline = this.#database.deadline(wait_ms)
    const run = () => this.#database.run<CommitRow>('append', values, deadline, wait_ms)
    const { rows: inserted, isRepeated } = await run()
    // An earlier try may have stored them. A commit that neither try stored cannot be stored any more.
    const earlier = isRepeated ? await this.#findCommits(worlds, tags, deadline) : []
    return new Map([...inserted, ...earlier].map((row) => [row.tag, row]))
  }

  async #findCommits(
    ...[worlds, tags, deadline]: [unknown, unknown, number]
  ): Promise<readonly CommitRow[]> {
    try {
      return (await this.#database.run<CommitRow>('findCommits', [worlds, tags], deadline)).rows
    } catch {
      throw new Error('nobody knows what an earlier try stored')
    }
  }

  #toRow(commit: Commit): Given['row'] {
    const {
      id: world,
      head,
      tenant,
      created_at,
      bytes,
      isSuspect,
      ends = false,
      entries,
      origin,
      acts,
    } = commit
    const stored: StoredCommit = { entries, origin, acts }
    return {
      ...toIndexed(commit),
      world,
      previous: (head as PostgresHead | undefined)?.tag ?? this.#reader.ends.get(world),
      tag: randomUUID(),
      ends,
      body: ends ? null : JSON.stringify(stored),
      begins: !head,
      tenant,
      created_at,
      bytes,
      suspect: isSuspect ?? false,
    }
  }

  async compact(
    id: string,
    { n, tag, size }: PostgresHead,
    world: StoredWorld,
    neededFrom?: number,
  ): Promise<void> {
    const body = JSON.stringify(world)
    // Set first: commits that are appended meanwhile follow the checkpoint.
    size.checkpoint = body.length
    size.tail = 0
    await this.#apart(() => {
      const wait_ms = body.length / CHARACTERS_PER_MS
      const deadline = this.#database.deadline(wait_ms)
      return this.#database.run('saveCheckpoint', [id, n, tag, body], deadline, wait_ms)
    })
    this.#counts.checkpoints++
    if (neededFrom !== undefined)
      await this.#database.run('moveBase', [id, n, world.seq, neededFrom])
  }

  /** The database's time less this machine's. */
  get clockOffset(): number {
    return this.#database.clockOffset
  }

  get health(): LogHealth {
    const { error } = this.#database
    const status = error === null ? 'ok' : 'failing'
    return { kind: 'postgres', status, error, counts: this.#counts }
  }

  async ping(): Promise<void> {
    await this.#database.run('readServer')
  }

  async close(): Promise<void> {
    this.index.close()
    await this.requests.flush()
    await this.#database.close()
  }
}

/** Of the commits that a statement inserts, in the order of its parameters. */
const COLUMNS = [
  'world',
  'previous',
  'tag',
  'ends',
  'body',
  'begins',
  'last_four',
  'tenant',
  'name',
  'created_at',
  'bytes',
  'suspect',
] as const
