import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../lib/app-error.js'
import type { MachineClock, Sleep } from '../lib/machine-clock.js'
import { deriveTenantPrefix, hashSecret, tenantPrefix } from '../lib/secrets.js'
import { sessionKey } from '../lib/session-keys.js'
import { plural } from '../lib/text.js'
import { limitConcurrency } from '../lib/turns.js'
import { assertFits } from './byte-budget.js'
import type { Tenant, WorldIndex } from './port.js'

/** The worlds that a caller of the control API or the console sees and opens. */
export interface Scope {
  /** The tenants whose worlds it sees; undefined for all worlds. */
  readonly tenants: readonly string[] | undefined
  /** Of the keys that it draws; a random one if undefined. */
  readonly prefix?: string
}

/** Of all callers without --tenants. */
export const EVERYTHING: Scope = { tenants: undefined }

/** Decides for all ways to name a world. The default world has no tenant. */
export const isVisible = ({ tenants }: Scope, tenant: string | undefined): boolean =>
  !tenants || (tenant !== undefined && tenants.includes(tenant))

/** How long a replica may not know what others did to tenants and their worlds. */
const MAX_AGE_MS = 5_000

/** Dear calls of a tenant: more at once would keep the database and the loop from others. */
const MAX_AT_ONCE = 2

/** After a dear call that took longer, the next one of the tenant waits for a multiple of the rest. */
const SHORT_MS = 10
const REST_FACTOR = 3
const MAX_REST_MS = 1_000

interface Turns {
  readonly run: ReturnType<typeof limitConcurrency>
  restUntil: number
}

/** The tenants of a database, as of the last seconds. */
export class Tenants {
  #all: readonly Tenant[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined
  readonly #turns = new Map<string, Turns>()

  constructor(
    private readonly index: WorldIndex,
    private readonly now: MachineClock,
    private readonly sleep: Sleep,
    /** Of all worlds of a tenant. */
    private readonly maxBytes = Number.POSITIVE_INFINITY,
  ) {}

  /** Resolves once the tenants are recent; undefined if they are. */
  refresh(): Promise<void> | undefined {
    if (this.now() < this.#readAt + MAX_AGE_MS) return undefined
    this.#reading ??= this.#read(this.now()).finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(now: number): Promise<void> {
    this.#all = await this.index.listTenants()
    this.#readAt = now
  }

  find(by: 'name' | 'prefix_hash' | 'token_hash', value: string | undefined): Tenant | undefined {
    return this.#all.find((it) => it[by] === value)
  }

  findByKey(worldKey: string): Tenant | undefined {
    return this.find('prefix_hash', hashSecret(tenantPrefix(worldKey)))
  }

  findScope(token: string): Scope | undefined {
    const tenant = this.find('token_hash', hashSecret(token))
    if (!tenant) return undefined
    // An earlier version stored none.
    if (tenant.session_key === null) {
      tenant.session_key = sessionKey(token)
      this.index.keepSessionKey(tenant.name, tenant.session_key)
    }
    return { tenants: [tenant.name], prefix: deriveTenantPrefix(token) }
  }

  findSession(prefix: string, isSigned: (sessionKey: string) => boolean): Scope | undefined {
    const tenant = this.find('prefix_hash', hashSecret(prefix))
    return tenant?.session_key && isSigned(tenant.session_key)
      ? { tenants: [tenant.name], prefix }
      : undefined
  }

  /** The tenant of a request, by its key or its token. */
  nameCaller({ 'x-api-key': key, authorization }: IncomingHttpHeaders): string | undefined {
    const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? []
    const tenant =
      (typeof key === 'string' && this.findByKey(key)) ||
      (token !== undefined && this.find('token_hash', hashSecret(token)))
    return tenant ? `tenant ${tenant.name}` : undefined
  }

  /** Of --control-token. */
  get operatorScope(): Scope {
    return { tenants: this.#all.map(({ name }) => name) }
  }

  /** Runs a dear call of a tenant: a few at once, with rests between them that leave time for others. */
  inTurn<T>({ tenants, prefix }: Scope, task: () => Promise<T>): Promise<T> {
    const [name] = tenants ?? []
    if (name === undefined || prefix === undefined) return task()
    const turns = this.#turns.get(name) ?? { run: limitConcurrency(MAX_AT_ONCE), restUntil: 0 }
    this.#turns.set(name, turns)
    return turns.run(async () => {
      if (turns.restUntil > this.now()) await this.sleep(turns.restUntil - this.now())
      const start = this.now()
      try {
        return await task()
      } finally {
        const end = this.now()
        const rest = (end - start - SHORT_MS) * REST_FACTOR
        turns.restUntil = Math.max(turns.restUntil, end + Math.min(rest, MAX_REST_MS))
      }
    })
  }

  /** Counts a world that begins, or refuses it at the limit. */
  addWorld(name: string | undefined): void {
    const tenant = this.find('name', name)
    if (!tenant) return
    const { worlds, max_worlds } = tenant
    if (max_worlds !== null && worlds >= max_worlds) {
      const problem = `No world was opened: tenant ${name} is at its limit of ${plural(max_worlds, 'world')}`
      throw new AppError('unavailable', { problem, hint: 'Delete one' })
    }
    tenant.worlds++
  }

  /** Throws a Refusal if the worlds of a tenant have no room for more. */
  assertRoom(name: string | undefined, more: number): void {
    const tenant = this.find('name', name)
    if (tenant) assertFits(`tenant ${name}`, tenant.bytes, more, this.maxBytes, 'Delete worlds')
  }

  /** Counts what a world of a tenant holds more, until all of them are summed up again. */
  addBytes(name: string | undefined, more: number): void {
    const tenant = this.find('name', name)
    if (tenant) tenant.bytes += more
  }
}
