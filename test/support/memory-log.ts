import type { LoggedWorlds, RequestStore, StoredExchange } from '../../src/history/request-log.js'
import { type MachineClock, machineClock } from '../../src/lib/machine-clock.js'
import type {
  AppendResult,
  CaughtUp,
  Commit,
  Head,
  ListedWorld,
  LogHealth,
  Origin,
  StoredCommit,
  Tenant,
  Verdict,
  WorldIndex,
  WorldLog,
  WorldPage,
  WorldQuery,
} from '../../src/worlds/port.js'
import { restoreWorld, type StoredWorld } from '../../src/worlds/stored-world.js'
import { pageOfWorlds, toIndexed } from '../../src/worlds/world-index.js'

/** A world: its commits, oldest first. */
interface MemoryWorld {
  readonly commits: { readonly head: Head; readonly body: string }[]
  /** The newest checkpoint, and how many commits it holds. */
  checkpoint: { readonly count: number; readonly world: string } | undefined
  readonly listed: ListedWorld
  readonly created_at: string | undefined
}

interface MemoryLogOptions {
  readonly isShared?: boolean
  /** Commits after which a world is long. */
  readonly checkpointAfter?: number
  /** Of the times in the list of worlds. */
  readonly clock?: MachineClock
}

/** A log that ends with the process, for tests. Several sandboxes may share one. */
export class MemoryLog implements WorldLog, WorldIndex, RequestStore {
  readonly isShared: boolean
  readonly index: WorldIndex | undefined
  readonly requests: RequestStore | undefined
  readonly name = 'memory'
  readonly noteDelay_ms = 2 * 3_600_000
  readonly isWritable = true
  readonly #checkpointAfter: number
  origin: Origin | undefined
  /** Least recently used first. */
  readonly #worlds = new Map<string, MemoryWorld>()
  /** Ids of worlds, by hashes of keys that were created in them. */
  readonly #keys = new Map<string, string>()
  /** Of suspects; undefined until they are judged. */
  readonly #verdicts = new Map<string, Verdict | undefined>()
  readonly #clock: MachineClock
  readonly tenants: Tenant[] = []
  #exchanges: (StoredExchange & { readonly world: string })[] = []
  #exchangeCount = 0

  constructor({
    isShared = false,
    checkpointAfter = Infinity,
    clock = machineClock,
  }: MemoryLogOptions = {}) {
    this.#clock = clock
    this.isShared = isShared
    this.index = isShared ? this : undefined
    this.requests = this.index && this
    this.#checkpointAfter = checkpointAfter
  }

  async begin(proposal: Origin): Promise<Origin> {
    this.origin ??= proposal
    return this.origin
  }

  list(): readonly string[] {
    return this.isShared ? [] : [...this.#worlds.keys()]
  }

  async catchUp(id: string, known?: Head, how?: 'whole'): Promise<CaughtUp | undefined> {
    const { commits, checkpoint, listed, created_at } = this.#worlds.get(id) ?? {}
    const head = commits?.at(-1)?.head
    if (!this.origin || !commits || !head) return undefined
    const after = (count: number) =>
      commits.slice(count).map(({ body }): StoredCommit => JSON.parse(body))
    const place = commits.findIndex(({ head }) => head === known)
    if (place >= 0) return { head, entries: [], commits: after(place + 1) }
    const { base } = this.origin
    const from = how === 'whole' ? undefined : checkpoint
    const world = restoreWorld(from && JSON.parse(from.world), base)
    const owner = { tenant: listed?.tenant, created_at }
    return { head, world, ...owner, entries: [], commits: after(from?.count ?? 0) }
  }

  async append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    return commits.map((commit) => this.#append(commit))
  }

  async compact(id: string, known: Head, world: StoredWorld): Promise<void> {
    const stored = this.#worlds.get(id)
    const count = (stored?.commits.findIndex(({ head }) => head === known) ?? -1) + 1
    if (stored && count > (stored.checkpoint?.count ?? 0)) {
      stored.checkpoint = { count, world: JSON.stringify(world) }
    }
  }

  async worldOfKey(hash: string): Promise<string | undefined> {
    return this.#keys.get(hash)
  }

  async listWorlds(query: WorldQuery): Promise<WorldPage> {
    const worlds = [...this.#worlds.values()].map(({ listed }) => listed).reverse()
    const bad = worlds.filter(({ id }) => this.#verdicts.get(id)?.hasProblem)
    const { total: with_problems } = pageOfWorlds(bad, query)
    const { total } = pageOfWorlds(worlds, query)
    return { ...pageOfWorlds(query.problems ? bad : worlds, query), total, with_problems }
  }

  async listUnjudged(after: string): Promise<readonly string[]> {
    const isUnjudged = (id: string) => {
      const { head, exchange } = this.#verdicts.get(id) ?? {}
      const newest = this.#exchanges.findLast(({ world }) => world === id)
      return head !== this.#worlds.get(id)?.commits.at(-1)?.head || exchange?.n !== newest?.n
    }
    return [...this.#verdicts.keys()].filter((id) => id > after && isUnjudged(id)).toSorted()
  }

  async keepVerdicts(verdicts: readonly Verdict[]): Promise<void> {
    for (const it of verdicts) this.#verdicts.set(it.id, it)
  }

  async listTenants(): Promise<readonly Tenant[]> {
    const worlds = [...this.#worlds.values()]
    const count = (name: string) => worlds.filter(({ listed }) => listed.tenant === name).length
    return this.tenants.map((it) => ({ ...it, worlds: count(it.name) }))
  }

  keepSessionKey(name: string, key: string): void {
    const tenant = this.tenants.find((it) => it.name === name)
    if (tenant) tenant.session_key = key
  }

  noteUse(id: string): void {
    const world = this.#worlds.get(id)
    if (!world) return
    this.#worlds.delete(id)
    this.#worlds.set(id, { ...world, listed: { ...world.listed, used_at: this.#clock() } })
  }

  add(world: string, body: string, _: number, wasUnclear: boolean): void {
    if (wasUnclear) this.#suspect(world)
    this.#exchanges.push({ world, n: ++this.#exchangeCount, at: '', body })
  }

  async read(of: LoggedWorlds, count: number): Promise<readonly StoredExchange[]> {
    const ownerOf = (id: string) => this.#worlds.get(id)?.listed.tenant ?? ''
    const isOf = (id: string) =>
      typeof of === 'string' ? id === of : (of?.includes(ownerOf(id)) ?? true)
    return this.#exchanges.filter(({ world }) => isOf(world)).slice(-count)
  }

  async clear(id: string): Promise<void> {
    this.#exchanges = this.#exchanges.filter(({ world }) => world !== id)
  }

  get health(): LogHealth {
    return { kind: 'file', file: 'memory', status: 'ok', error: null }
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #suspect(id: string): void {
    if (!this.#verdicts.has(id)) this.#verdicts.set(id, undefined)
  }

  #append(commit: Commit): AppendResult {
    if (commit.isSuspect) this.#suspect(commit.id)
    const { id, head, entries, origin, acts, tenant, created_at, ends } = commit
    const { last_four, name, hashes } = toIndexed(commit)
    for (const hash of hashes) this.#keys.set(hash, id)
    const now = this.#clock()
    const world = this.#worlds.get(id) ?? {
      commits: [],
      checkpoint: undefined,
      listed: { id, last_four, name, tenant, used_at: now },
      created_at,
    }
    if (world.commits.at(-1)?.head !== head) return { is: 'behind' }
    if (ends) {
      this.#worlds.delete(id)
      return { is: 'appended', head: undefined }
    }
    const seq = entries.at(-1)?.seq ?? head?.seq ?? 0
    const next: Head = { seq }
    world.commits.push({ head: next, body: JSON.stringify({ entries, origin, acts }) })
    this.#worlds.set(id, world)
    const length = world.commits.length - (world.checkpoint?.count ?? 0)
    return { is: 'appended', head: next, isLong: length >= this.#checkpointAfter }
  }
}
