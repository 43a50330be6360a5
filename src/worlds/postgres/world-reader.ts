import { getHeapStatistics } from 'node:v8'
import { AppError } from '../../lib/app-error.js'
import { askTogether } from '../../lib/ask-together.js'
import { groupBy } from '../../lib/group-by.js'
import { formatSize } from '../../lib/sizes.js'
import { limitConcurrency } from '../../lib/turns.js'
import type { CaughtUp, Origin } from '../port.js'
import { restoreWorld, type StoredWorld } from '../stored-world.js'
import { type PageRow, type PostgresHead, parseCommit, toCaughtUp } from './commit-rows.js'
import type { Database, StatementName } from './database.js'
import { isAboutValues } from './database.js'

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

type Asked = readonly (readonly [key: string, question: Question])[]

type Answer = readonly NewsRow[] | Error

type Answered = readonly [key: string, answer: Answer]

const MAX_ROUNDS = 2
const HEAP_PART = 0.6
const BYTES_PER_CHARACTER = 3

/** Reads worlds, and what follows a known commit, with one statement for all that ask at once. */
export class WorldReader {
  /** How many characters of JSON the worlds in memory may have. An object takes more bytes than its text. */
  readonly room = (getHeapStatistics().heap_size_limit * HEAP_PART) / BYTES_PER_CHARACTER
  /** Tags of the commits that ended worlds: if they begin again, they follow these. */
  readonly ends = new Map<string, string>()
  readonly #askTogether = askTogether<Question, Answer>(
    ({ id, known, isWhole }) => `${id} ${known?.tag} ${isWhole}`,
    (questions) => this.#send([...questions]),
    limitConcurrency(MAX_ROUNDS),
  )

  /** `apart` runs what takes long, so that it leaves connections to the others. */
  constructor(
    readonly database: Database,
    readonly apart: ReturnType<typeof limitConcurrency>,
  ) {}

  async catchUp(
    id: string,
    origin: Origin,
    known?: PostgresHead,
    how?: 'whole',
  ): Promise<CaughtUp | undefined> {
    const news = known && !how ? await this.#follow(id, known) : undefined
    return news ?? this.#read(id, origin, how === 'whole')
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
    if (!first || this.#hasEnded(id, rows.at(-1))) return undefined
    const { start, tenant, created_at } = first
    const rest = rows.filter(({ n }) => n > start)
    const commits = await this.#readPages(id, start, rest, first.newest)
    const layer = await this.#layerOf(id, first)
    // It ended meanwhile, or its base moved.
    if (!commits || layer === undefined) return this.#read(id, origin, isWhole)
    const stored = layer ? (JSON.parse(layer) as StoredWorld) : undefined
    const world = restoreWorld(stored, origin.base)
    const checkpoint = layer.length
    const head = { ...first, seq: world.seq, held: checkpoint, size: { checkpoint, tail: 0 } }
    return {
      ...toCaughtUp(commits.at(-1) ?? first, commits, head),
      world,
      tenant: tenant ?? undefined,
      created_at: created_at?.toISOString(),
    }
  }

  #hasEnded(id: string, newest: NewsRow | undefined): boolean {
    if (newest?.ends) this.ends.set(id, newest.tag)
    else this.ends.delete(id)
    return newest?.ends ?? false
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
    const commits: PageRow[] = []
    let page = beforeLarge(answer)
    let held = 0
    for (;;) {
      const last = commits.at(-1)?.n ?? after
      if (!page.every(({ n, ends }, i) => !ends && n === last + 1 + i)) return undefined
      for (const row of page) held += parseCommit(row).size
      if (held > this.room) throw this.#tooLarge(id)
      commits.push(...page)
      const next = last + page.length + 1
      if (next > newest) return commits
      const run = () => this.database.run<PageRow>('readPage', [id, next])
      page = (await this.apart(run)).rows
      if (page.length === 0) return undefined
    }
  }

  /** Empty if the world has no checkpoint, undefined if a newer one has replaced it. */
  async #layerOf(id: string, { n, start, ends, body }: NewsRow): Promise<string | undefined> {
    if (n !== start || ends) return ''
    if (body !== null) return body
    const run = () => this.database.run<{ body: string }>('readLayer', [id, n])
    const [row] = (await this.apart(run)).rows
    return row?.body
  }

  #tooLarge(id: string): AppError {
    const problem = `world ${id} has more than the ${formatSize(this.room)} for which this process has room`
    return new AppError('full', { problem, hint: 'Reset it, or delete it' })
  }

  async #ask(question: Question): Promise<readonly NewsRow[]> {
    const answer = (await this.#askTogether(question)) ?? []
    if (answer instanceof Error) throw answer
    return answer
  }

  /** Copies need a shorter statement than worlds that are read. */
  async #send(asked: Asked): Promise<Answered[]> {
    const worldOf = ({ id }: Question) => id
    const copies = asked.filter(([, { known }]) => known)
    const others = asked.filter(([, { known }]) => !known)
    const answers = await Promise.all([
      this.#run(
        'readNews',
        copies,
        worldOf,
        ({ known }) => known?.n,
        ({ known }) => known?.tag,
      ),
      this.#run('readWorlds', others, worldOf, ({ isWhole }) => isWhole),
    ])
    return answers.flat()
  }

  /** Values that are refused fail the question of their own world alone. */
  async #run(
    name: StatementName,
    asked: Asked,
    ...parameters: ((it: Question) => unknown)[]
  ): Promise<Answered[]> {
    if (asked.length === 0) return []
    const values = parameters.map((parameter) => asked.map(([, it]) => parameter(it)))
    try {
      const { rows } = await this.database.run<NewsRow>(name, values)
      const found = groupBy(rows, ({ i }) => i)
      return asked.map(([key], i) => [key, found.get(i + 1) ?? []])
    } catch (error) {
      if (!isAboutValues(error)) throw error
      if (asked.length === 1) return asked.map(([key]) => [key, error])
      const answers = []
      for (const one of asked) answers.push(...(await this.#run(name, [one], ...parameters)))
      return answers
    }
  }
}

const beforeLarge = (rows: readonly PageRow[]): readonly PageRow[] => {
  const large = rows.findIndex(({ body, ends }) => body === null && !ends)
  return large < 0 ? rows : rows.slice(0, large)
}
