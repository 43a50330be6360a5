import { deriveTenantPrefix, hashSecret } from '../../src/lib/secrets.js'
import type { SandboxOptions } from '../../src/runtime/options.js'
import type { SandboxDependencies } from '../../src/runtime/sandbox.js'
import type { Tenant } from '../../src/worlds/port.js'
import { MemoryLog } from './memory-log.js'
import { openOn } from './shared-sandbox.js'

export const OPERATOR = 'token-of-the-operator'

/** A partner, who knows its token and its prefix. */
export class Partner {
  readonly token: string
  readonly tenant: Tenant
  readonly prefix: string

  constructor(name: string, limits: Partial<Pick<Tenant, 'max_worlds' | 'rate'>> = {}) {
    this.token = `token-of-${name}`
    this.prefix = deriveTenantPrefix(this.token)
    const hashes = { prefix_hash: hashSecret(this.prefix), token_hash: hashSecret(this.token) }
    const none = {
      session_key: null,
      max_worlds: null,
      rate: null,
      worlds: 0,
      bytes: 0,
      created_at: new Date(0),
    }
    this.tenant = { name, ...hashes, ...none, ...limits }
  }

  key(name: string | number): string {
    return this.prefix + hashSecret(String(name)).slice(0, 10)
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read it field by field
  readonly body: any
}

export interface Sent {
  readonly body?: unknown
  readonly key?: string | undefined
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A log with tenants, the time of its replicas, and a way to start one. */
export const openTenants = (...partners: readonly Partner[]) => {
  const time = { now: Date.parse('2030-01-01T00:00:00.000Z') }
  const machineClock = () => time.now
  const log = new MemoryLog({ isShared: true, clock: machineClock })
  log.tenants.push(...partners.map(({ tenant }) => tenant))
  const start = async (options: SandboxOptions = {}, others: Partial<SandboxDependencies> = {}) => {
    const given = { machineClock, controlToken: OPERATOR, ...options }
    const { fetch } = await openOn(log, given, { tenantsClock: machineClock, ...others })
    return async (method: string, path: string, sent: Sent = {}): Promise<Answer> => {
      const { body, key, token, headers } = sent
      const response = await fetch(path, {
        method,
        headers: {
          ...(key !== undefined && { 'x-api-key': key }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      if (isStream) await response.body?.cancel()
      const text = isStream ? '' : await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        body: isJson ? JSON.parse(text) : undefined,
      }
    }
  }
  return { log, time, start }
}

export type Send = Awaited<ReturnType<ReturnType<typeof openTenants>['start']>>

/** An answer without what differs between any two requests, and without these ids. */
export const maskAnswer = ({ status, headers, text }: Answer, ...ids: readonly string[]) => {
  const { 'x-request-id': _, 'set-cookie': cookie, ...rest } = headers
  const hide = (it: string) => ids.reduce((all, id) => all.replaceAll(id, ':id'), it)
  return {
    status,
    headers: { ...rest, ...(rest.location && { location: hide(rest.location) }) },
    hasCookie: cookie !== undefined,
    text: hide(text).replace(/"requestId":"[^"]+"/, ''),
  }
}
