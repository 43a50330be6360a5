import { nextTick } from '../../lib/machine-clock.js'
import { errorMessage } from '../errors.js'
import type {
  ListedWorld,
  LogHost,
  Tenant,
  Verdict,
  WorldIndex,
  WorldLog,
  WorldPage,
  WorldQuery,
} from '../port.js'
import type { PostgresHead } from './commit-rows.js'
import type { Database } from './database.js'

interface IndexOptions extends LogHost {
  readonly append: WorldLog['append']
  /** Resolves once all requests so far are stored. */
  readonly settle: () => Promise<void>
}

const HOUR_MS = 3_600_000
const MAX_REMOVALS = 10

/** Lists worlds and tenants, and deletes worlds that nobody uses. */
export class PostgresIndex implements WorldIndex {
  readonly noteDelay_ms = 2 * HOUR_MS
  readonly #database: Database
  readonly #options: IndexOptions
  /** Worlds whose use was stored in this hour. */
  readonly #used = new Set<string>()
  /** Worlds whose use is stored in the next turn. */
  #unnoted: string[] = []
  #cancelExpiry: (() => void) | undefined

  constructor(database: Database, options: IndexOptions) {
    this.#database = database
    this.#options = options
  }

  async worldOfKey(hash: string): Promise<string | undefined> {
    const { rows } = await this.#database.run<{ world: string }>('worldOfKey', [hash])
    return rows[0]?.world
  }

  async listWorlds({ page, size, text = '', ...query }: WorldQuery): Promise<WorldPage> {
    type ListRow = ListedWorld & Required<Pick<WorldPage, 'total' | 'with_problems'>>
    const { name, tenants, problems = false } = query
    const { rows } = await this.#database.run<ListRow>('listWorlds', [
      page,
      size,
      text,
      tenants,
      name,
      problems,
    ])
    const { total = 0, with_problems = 0 } = rows[0] ?? {}
    return { worlds: rows.filter(({ id }) => id !== null), total, with_problems }
  }

  async listUnjudged(after: string, tenants?: readonly string[]): Promise<readonly string[]> {
    await this.#options.settle()
    const { rows } = await this.#database.run<{ id: string }>('listUnjudged', [after, tenants])
    return rows.map(({ id }) => id)
  }

  async keepVerdicts(verdicts: readonly Verdict[]): Promise<void> {
    await this.#database.run('keepVerdicts', [
      verdicts.map(({ id }) => id),
      verdicts.map(({ head }) => (head as PostgresHead).n),
      verdicts.map(({ exchange }) => exchange?.at),
      verdicts.map(({ hasProblem }) => hasProblem),
    ])
  }

  async listTenants(): Promise<readonly Tenant[]> {
    return (await this.#database.run<Tenant>('listTenants')).rows
  }

  keepSessionKey(tenant: string, key: string): void {
    this.#database.run('keepSessionKey', [tenant, key]).catch(() => {})
  }

  /** False if the name is taken, by a removed tenant too. */
  async addTenant(...row: (string | undefined)[]): Promise<boolean> {
    return (await this.#database.runAtStart('addTenant', row)).length > 0
  }

  /** Ends the worlds of a tenant. False if there is none. */
  async removeTenant(name: string): Promise<boolean> {
    const isFound = (await this.#database.runAtStart('removeTenant', [name])).length > 0
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

  scheduleExpiry(): void {
    this.#cancelExpiry?.()
    this.#cancelExpiry = this.#options.schedule(HOUR_MS, () => {
      this.scheduleExpiry()
      this.#used.clear()
      this.#expire().catch((error) =>
        this.#options.warn(`unused worlds were not deleted: ${errorMessage(error)}`),
      )
    })
  }

  /** False if some world had a newer commit. */
  async #expire(): Promise<boolean> {
    const { rows } = await this.#database.run<{ id: string; tag: string }>('findUnused')
    const results = await this.#options.append(
      rows.map(({ id, tag }) => {
        const head: Pick<PostgresHead, 'seq' | 'tag'> = { seq: 0, tag }
        return { id, head, entries: [], ends: true }
      }),
    )
    await this.#database.run('deleteEnded')
    return results.every(({ is }) => is === 'appended')
  }

  close(): void {
    this.#cancelExpiry?.()
  }
}
