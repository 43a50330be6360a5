import { randomUUID } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { AppError } from '../../lib/app-error.js'
import { nextTick, type Schedule } from '../../lib/machine-clock.js'
import { FileError } from '../../lib/read-file.js'
import { formatSize } from '../../lib/sizes.js'
import { limitConcurrency } from '../../lib/turns.js'
import { convertEntries } from '../earlier-records.js'
import { errorMessage } from '../errors.js'
import type {
  AppendResult,
  CaughtUp,
  Commit,
  Head,
  ListedWorld,
  LogHealth,
  Origin,
  SettledResult,
  StoredCommit,
  Tenant,
  WorldIndex,
  WorldLog,
  WorldPage,
  WorldQuery,
} from '../port.js'
import { ReplayState } from '../replay.js'
import {
  restoreBase,
  restoreWorld,
  type StoredBase,
  type StoredWorld,
  toStoredBase,
} from '../stored-world.js'
import { toIndexed } from '../world-index.js'
import { Database, StatementError, type StatementName } from './database.js'
import { PostgresRequests } from './request-store.js'
import { FORMAT, SMALL } from './statements.js'

interface PostgresStoreOptions {
  readonly schedule: Schedule
  /** Informs the operator. */
  readonly warn: (sentence: string) => void
  /** How long a statement is repeated while the server does not answer; 5 s by default, 2 s of it for a try. */
  readonly patience_ms?: number | undefined
}

interface PostgresHead extends Head {
  /** No two commits share it. */
  readonly tag: string
  /** Number of the commit; `seq` is the number of an entry. */
  readonly n: number
  /** In characters of JSON: what the copy was read from. */
  readonly held: number
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
  readonly is_current: boolean
}

interface OriginRow {
  readonly format: number
  readonly seed: string
  readonly drawn: boolean
  readonly base: string
}

interface CommitRow {
  readonly n: number
  readonly tag: string
}

interface PageRow extends CommitRow {
  readonly ends: boolean
  /** Of the commit; of the checkpoint if `n` is `start`. Null if it is too large for a statement of many worlds. */
  readonly body: string | null
  parsed?: ParsedCommit
}

interface ParsedCommit {
  readonly commit: StoredCommit
  /** In characters of JSON. */
  readonly size: number
}

interface NewsRow extends PageRow {
  /** The place of its question, from 1. */
  readonly i: number
  readonly start: number
  /** Of all commits of its world. */
  readonly newest: number
  /** Null for all reads but those of a whole world. */
  readonly tenant: string | null
  readonly created_at: Date | null
}

interface Question {
  readonly id: string
  readonly known: PostgresHead | undefined
  readonly isWhole: boolean
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

type Asked = readonly (readonly [key: string, question: Question])[]

type Answers = ReadonlyMap<string, NewsRow[] | Error>

const FAILED: SettledResult = { is: 'failed' }

const isAboutValues = (error: unknown): error is StatementError =>
  error instanceof StatementError && error.refusesValues

const PATIENCE_MS = 5_000
const MIN_VERSION = 14
/** Shorter commits are read quickly. */
const MIN_CHECKPOINT = 64 * 1024
const MAX_ROUNDS = 2
const MAX_APART = 2
const HEAP_PART = 0.6
const BYTES_PER_CHARACTER = 3
/** A try may take so much longer. */
const CHARACTERS_PER_MS = 1_000
const HOUR_MS = 3_600_000
const MAX_REMOVALS = 10
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
export class PostgresStore implements WorldLog, WorldIndex {
  readonly isShared = true
  readonly name = 'the database'
  readonly index = this
  readonly requests: PostgresRequests
  /** A failed write forbids no later one: the database may be back. */
  readonly isWritable = true
  origin: Origin | undefined
  readonly #database: Database
  readonly #options: PostgresStoreOptions
  /** Questions of the next statement, by key. */
  readonly #asked = new Map<string, Question>()
  #answers: Promise<Answers> | undefined
  readonly #rounds = limitConcurrency(MAX_ROUNDS)
  /** Runs what takes long, so that it leaves connections to the others. */
  readonly #apart = limitConcurrency(MAX_APART)
  /** How many characters of JSON the worlds in memory may have. An object takes more bytes than its text. */
  readonly room = (getHeapStatistics().heap_size_limit * HEAP_PART) / BYTES_PER_CHARACTER
  /** Tags of the commits that ended worlds: if they begin again, they follow these. */
  readonly #ends = new Map<string, string>()
  /** Worlds whose use was stored in this hour. */
  readonly #used = new Set<string>()
  /** Worlds whose use is stored in the next turn. */
  #unnoted: string[] = []
  #cancelExpiry: (() => void) | undefined
  #isCurrent = false
  readonly #counts = { attempts: 0, reruns: 0, unknown: 0, checkpoints: 0 }

  constructor(url: string, options: PostgresStoreOptions) {
    this.#database = new Database(url, options.patience_ms ?? PATIENCE_MS)
    this.requests = new PostgresRequests(this.#database)
    this.#options = options
  }

  async open(): Promise<void> {
    const [server] = await this.#runAtStart<ServerRow>('readServer')
    const version = Math.floor((server?.version ?? 0) / 10_000)
    if (version < MIN_VERSION) {
      throw this.#unusable(`it runs Postgres ${version}, Sandramp needs ${MIN_VERSION} or newer`)
    }
    this.#isCurrent = server?.is_current ?? false
    if (server?.is_set_up) await this.#readOrigin()
  }

  /** Of several processes that begin at once, the first one gives the origin. */
  async begin({ seed, isDrawn, base }: Origin): Promise<Origin> {
    await this.createTables()
    // Refuses a user without the right to write.
    const values = [FORMAT, seed, isDrawn, JSON.stringify(toStoredBase(base))]
    await this.#runAtStart('proposeOrigin', values)
    const origin = await this.#readOrigin()
    if (!origin) throw this.#unusable('its origin was deleted')
    this.#scheduleExpiry()
    return origin
  }

  /** Later starts of one version need no right to create tables. */
  async createTables(): Promise<void> {
    if (this.#isCurrent) return
    if (!this.origin) await this.#runAtStart('createTables')
    else
      await this.#database.run('createTables').catch(({ reason }: StatementError) => {
        throw this.#unusable(`${reason}. Upgrade it with ${UPGRADE}`)
      })
    this.#isCurrent = true
  }

  async #readOrigin(): Promise<Origin | undefined> {
    const [row] = await this.#runAtStart<OriginRow>('readOrigin')
    if (!row) return undefined
    const { format, seed, drawn: isDrawn, base } = row
    if (format !== FORMAT) {
      throw this.#unusable(`its format is ${format}, this Sandramp uses ${FORMAT}`)
    }
    this.origin ??= { seed, isDrawn, base: restoreBase(JSON.parse(base) as StoredBase) }
    return this.origin
  }

  async #runAtStart<Row extends object>(
    statement: StatementName,
    values?: unknown[],
  ): Promise<readonly Row[]> {
    try {
      return (await this.#database.run<Row>(statement, values)).rows
    } catch (error) {
      throw this.#unusable((error as StatementError).reason)
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
    await this.createTables()
    const news = known && !how ? await this.#follow(id, known) : undefined
    return news ?? this.#read(id, this.origin, how === 'whole')
  }

  /** Undefined if the world has ended, or its list no longer has the known commit. */
  async #follow(id: string, known: PostgresHead): Promise<CaughtUp | undefined> {
    const news = await this.#ask({ id, known, isWhole: false })
    if (news.length === 0) return toCaughtUp(known, [], known)
    // A missing row has no number.
    if (!news[0]?.n) return undefined
    const commits = await this.#readPages(id, known.n, news)
    return commits && toCaughtUp(commits.at(-1) ?? known, commits, known)
  }

  async #read(id: string, origin: Origin, isWhole: boolean): Promise<CaughtUp | undefined> {
    const rows = await this.#ask({ id, known: undefined, isWhole })
    const [first] = rows
    const newest = rows.at(-1)
    if (newest?.ends) this.#ends.set(id, newest.tag)
    else this.#ends.delete(id)
    if (!first || !newest || newest.ends) return undefined
    const { start } = first
    const rest = rows.filter(({ n }) => n > start)
    const commits = await this.#readPages(id, start, rest, first.newest)
    const isLayered = first.n === start && !first.ends
    const layer = isLayered ? (first.body ?? (await this.#readLayer(id, start))) : undefined
    // It ended meanwhile, or its base moved.
    if (!commits || (isLayered && !layer)) return this.#read(id, origin, isWhole)
    const { tables } = origin.base
    const whole = layer ? restoreWorld(JSON.parse(layer) as StoredWorld, tables) : undefined
    const { state: world } = new ReplayState(origin.base, whole)
    const checkpoint = layer?.length ?? 0
    const head = { ...first, seq: world.seq, held: checkpoint, size: { checkpoint, tail: 0 } }
    const tenant = first.tenant ?? undefined
    const created_at = first.created_at?.toISOString()
    return { ...toCaughtUp(commits.at(-1) ?? first, commits, head), world, tenant, created_at }
  }

  /**
   * The commits after one, from the rows of an answer and from further pages. Undefined if they do not follow it, or the
   * world ends with one of them.
   */
  async #readPages(
    id: string,
    after: number,
    answer: readonly NewsRow[],
    newest = answer[0]?.newest ?? after,
  ): Promise<PageRow[] | undefined> {
    const large = answer.findIndex(({ body, ends }) => body === null && !ends)
    const commits: PageRow[] = []
    let page: readonly PageRow[] = large < 0 ? answer : answer.slice(0, large)
    let held = 0
    for (;;) {
      const last = commits.at(-1)?.n ?? after
      if (page.some(({ n, ends }, i) => ends || n !== last + 1 + i)) return undefined
      for (const row of page) held += parseCommit(row).size
      if (held > this.room) throw this.#tooLarge(id)
      commits.push(...page)
      const next = last + page.length + 1
      if (next > newest) return commits
      const run = () => this.#database.run<PageRow>('readPage', [id, next])
      page = (await this.#apart(run)).rows
      if (page.length === 0) return undefined
    }
  }

  /** Undefined if a newer one has replaced it. */
  async #readLayer(id: string, n: number): Promise<string | undefined> {
    const run = () => this.#database.run<{ body: string }>('readLayer', [id, n])
    const [row] = (await this.#apart(run)).rows
    return row?.body
  }

  #tooLarge(id: string): AppError {
    const problem = `world ${id} has more than the ${formatSize(this.room)} for which this process has room`
    return new AppError('full', { problem, hint: 'Reset it, or delete it' })
  }

  /** Some rounds at a time: the next one asks for all worlds that were asked for meanwhile. */
  async #ask(question: Question): Promise<readonly NewsRow[]> {
    const { id, known, isWhole } = question
    const key = `${id} ${known?.tag} ${isWhole}`
    this.#asked.set(key, question)
    this.#answers ??= this.#rounds(async () => {
      await new Promise<void>((resolve) => nextTick(resolve))
      const asked = [...this.#asked]
      this.#asked.clear()
      this.#answers = undefined
      return this.#send(asked)
    })
    const answer = (await this.#answers).get(key) ?? []
    if (answer instanceof Error) throw answer
    return answer
  }

  /** Copies need a shorter statement than worlds that are read. */
  async #send(asked: Asked): Promise<Answers> {
    const answers = new Map<string, NewsRow[] | Error>()
    const run = async (
      name: StatementName,
      part: Asked,
      ...parameters: ((it: Question) => unknown)[]
    ): Promise<void> => {
      if (part.length === 0) return
      const values = parameters.map((parameter) => part.map(([, it]) => parameter(it)))
      try {
        const { rows } = await this.#database.run<NewsRow>(name, values)
        const found = part.map((): NewsRow[] => [])
        for (const row of rows) found[row.i - 1]?.push(row)
        for (const [i, [key]] of part.entries()) answers.set(key, found[i] ?? [])
      } catch (error) {
        if (!isAboutValues(error)) throw error
        if (part.length === 1) for (const [key] of part) answers.set(key, error)
        else for (const one of part) await run(name, [one], ...parameters)
      }
    }
    const worldOf = ({ id }: Question) => id
    const copies = asked.filter(([, { known }]) => known)
    const others = asked.filter(([, { known }]) => !known)
    await Promise.all([
      run(
        'readNews',
        copies,
        worldOf,
        ({ known }) => known?.n,
        ({ known }) => known?.tag,
      ),
      run('readWorlds', others, worldOf, ({ isWhole }) => isWhole),
    ])
    return answers
  }

  async worldOfKey(hash: string): Promise<string | undefined> {
    const { rows } = await this.#database.run<{ world: string }>('worldOfKey', [hash])
    return rows[0]?.world
  }

  async listWorlds({ page, size, text = '', name, tenants }: WorldQuery): Promise<WorldPage> {
    type ListRow = ListedWorld & { readonly total: number }
    const { rows } = await this.#database.run<ListRow>('listWorlds', [
      page,
      size,
      text,
      tenants,
      name,
    ])
    return { worlds: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 }
  }

  async listTenants(): Promise<readonly Tenant[]> {
    return (await this.#database.run<Tenant>('listTenants')).rows
  }

  keepSessionKey(tenant: string, key: string): void {
    this.#database.run('keepSessionKey', [tenant, key]).catch(() => {})
  }

  /** False if the name is taken, by a removed tenant too. */
  async addTenant(...row: (string | undefined)[]): Promise<boolean> {
    return (await this.#runAtStart('addTenant', row)).length > 0
  }

  /** Ends the worlds of a tenant. False if there is none. */
  async removeTenant(name: string): Promise<boolean> {
    const isFound = (await this.#runAtStart('removeTenant', [name])).length > 0
    // Replicas may go on with its worlds meanwhile.
    for (let tries = 0; isFound && tries < MAX_REMOVALS; tries++) if (await this.#expire()) break
    return isFound
  }

  /** Its failure costs nothing: the next hour has another try. */
  noteUse(id: string): void {
    if (this.#used.has(id)) return
    this.#used.add(id)
    if (this.#unnoted.push(id) > 1) return
    nextTick(() => {
      this.#database.run('noteUse', [this.#unnoted]).catch(() => {})
      this.#unnoted = []
    })
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
    const isLarge = ({ row }: Given) => (row.body?.length ?? 0) > SMALL
    const small = given.filter((it) => !isLarge(it))
    const large = given.filter(isLarge).map((it) => {
      const result = this.#apart(async () => (await this.#append([it]))[0] ?? FAILED)
      return [it.commit, { is: 'apart', result }] as const
    })
    const stored = small.length > 0 ? await this.#append(small) : []
    const results = new Map<Commit, AppendResult>(large)
    for (const [i, { commit }] of small.entries()) results.set(commit, stored[i] ?? FAILED)
    return commits.map((commit) => results.get(commit) ?? FAILED)
  }

  async #append(all: readonly Given[]): Promise<SettledResult[]> {
    const given = all.map(({ row }) => row)
    const commits = all.map(({ commit }) => commit)
    const columns = COLUMNS.map((name) => given.map((it) => it[name]))
    const [worlds, , tags] = columns
    const keys = given.flatMap(({ world, hashes }) => hashes.map((hash) => [hash, world] as const))
    const values = [...columns, keys.map(([hash]) => hash), keys.map(([, world]) => world)]
    const length = given.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
    const wait_ms = length / CHARACTERS_PER_MS
    const deadline = this.#database.deadline(wait_ms)
    let mayBeDone = false
    this.#counts.attempts += commits.length
    try {
      const { rows, isRepeated } = await this.#database.run<CommitRow>(
        'append',
        values,
        deadline,
        wait_ms,
      )
      mayBeDone = true
      // An earlier try may have stored them. A commit that neither try stored cannot be stored any more.
      const earlier = isRepeated
        ? (await this.#database.run<CommitRow>('findCommits', [worlds, tags], deadline)).rows
        : []
      const stored = new Map([...rows, ...earlier].map((row) => [row.tag, row]))
      return commits.map((commit, i) => {
        const { tag = '', body = '' } = given[i] ?? {}
        const row = stored.get(tag)
        if (!row) this.#counts.reruns++
        else if (commit.ends) this.#ends.set(commit.id, row.tag)
        return toResult(commit, row, body?.length ?? 0)
      })
    } catch (error) {
      if (commits.length > 1 && isAboutValues(error)) {
        const results: SettledResult[] = []
        for (const one of all) results.push(...(await this.#append([one])))
        return results
      }
      mayBeDone ||= !(error instanceof StatementError) || error.mayBeDone
      if (mayBeDone) this.#counts.unknown += commits.length
      return commits.map(() => ({ is: mayBeDone ? 'unknown' : 'failed' }))
    }
  }

  #toRow(commit: Commit): Given['row'] {
    const {
      id: world,
      head,
      tenant,
      created_at,
      bytes,
      ends = false,
      entries,
      origin,
      acts,
    } = commit
    const stored: StoredCommit = { entries, origin, acts }
    return {
      ...toIndexed(commit),
      world,
      previous: (head as PostgresHead | undefined)?.tag ?? this.#ends.get(world),
      tag: randomUUID(),
      ends,
      body: ends ? null : JSON.stringify(stored),
      begins: !head,
      tenant,
      created_at,
      bytes,
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

  #scheduleExpiry(): void {
    this.#cancelExpiry?.()
    this.#cancelExpiry = this.#options.schedule(HOUR_MS, () => {
      this.#scheduleExpiry()
      this.#used.clear()
      this.#expire().catch((error) =>
        this.#options.warn(`unused worlds were not deleted: ${errorMessage(error)}`),
      )
    })
  }

  /** False if some world had a newer commit. */
  async #expire(): Promise<boolean> {
    const { rows } = await this.#database.run<{ id: string; tag: string }>('findUnused')
    const results = await this.append(
      rows.map(({ id, tag }) => {
        const head: Pick<PostgresHead, 'seq' | 'tag'> = { seq: 0, tag }
        return { id, head, entries: [], ends: true }
      }),
    )
    await this.#database.run('deleteEnded')
    return results.every(({ is }) => is === 'appended')
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
    this.#cancelExpiry?.()
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
] as const

/** All requests that wait for a world share its rows: parsed by each of them, they would hold it up for seconds. */
const parseCommit = (row: PageRow): ParsedCommit => {
  row.parsed ??= {
    commit: convertEntries(JSON.parse(row.body ?? '') as StoredCommit),
    size: row.body?.length ?? 0,
  }
  return row.parsed
}

/** `known` is what the commits follow. */
const toCaughtUp = (
  { n, tag }: CommitRow,
  rows: readonly PageRow[],
  { seq, held, size }: Pick<PostgresHead, 'seq' | 'held' | 'size'>,
): CaughtUp => {
  const parsed = rows.map(parseCommit)
  const more = parsed.reduce((sum, { size }) => sum + size, 0)
  const commits = parsed.map(({ commit }) => commit)
  const newest = commits.at(-1)?.entries.at(-1)?.seq ?? seq
  size.tail += more
  const head: PostgresHead = { n, tag, seq: newest, held: held + more, size }
  return { head, entries: [], commits }
}

const toResult = (
  { head, entries, ends }: Commit,
  row: CommitRow | undefined,
  length: number,
): SettledResult => {
  if (!row) return { is: 'behind' }
  if (ends) return { is: 'appended', head: undefined }
  const { held, size } = (head as PostgresHead | undefined) ?? {
    held: 0,
    size: { checkpoint: 0, tail: 0 },
  }
  size.tail += length
  const isLong = size.tail > Math.max(MIN_CHECKPOINT, size.checkpoint)
  const next: PostgresHead = {
    ...row,
    seq: entries.at(-1)?.seq ?? 0,
    held: held + length,
    size,
  }
  return { is: 'appended', head: next, isLong }
}
