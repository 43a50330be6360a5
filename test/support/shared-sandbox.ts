import { createApp } from '../../src/app.js'
import { resolveDependencies } from '../../src/runtime/build-sandbox.js'
import {
  DEFAULT_BODY_LIMIT,
  parseRateLimit,
  type SandboxOptions,
} from '../../src/runtime/options.js'
import { Sandbox, type SandboxDependencies } from '../../src/runtime/sandbox.js'
import type { AppendResult, Commit, WorldLog } from '../../src/worlds/port.js'
import { keys } from './fixture-ids.js'
import { MemoryLog } from './memory-log.js'
import { Timers } from './timers.js'

type Outcome = 'behind' | 'failed' | 'not stored' | 'answer lost'

/** A log in memory whose next writes end as a test says. */
export class UnreliableLog extends MemoryLog {
  /** Of the next writes, in order. Later writes succeed. */
  readonly outcomes: Outcome[] = []
  /** Writes that began. */
  writes = 0
  /** Hold writes, or the answers to them, until they resolve. */
  held: Promise<void> | undefined
  heldAnswers: Promise<void> | undefined

  override async append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    const outcome = this.outcomes.shift()
    const { heldAnswers } = this
    this.writes++
    await this.held
    if (outcome === 'behind' || outcome === 'failed') return commits.map(() => ({ is: outcome }))
    const results = outcome === 'not stored' ? [] : await super.append(commits)
    await heldAnswers
    return outcome === undefined ? results : commits.map(() => ({ is: 'unknown' }))
  }
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read it field by field
  readonly body: any
}

/** One of the sandboxes of a log. */
export interface SharedSandbox {
  readonly sandbox: Sandbox
  readonly timers: Timers
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answered>
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** Opens a sandbox on a log, or in memory without one. */
export const openOn = async (
  log: WorldLog | undefined,
  options: SandboxOptions = {},
  others: Partial<SandboxDependencies> = {},
): Promise<SharedSandbox> => {
  const timers = new Timers()
  const parts = await resolveDependencies({ clock: 'manual', seed: 's', ...options })
  const sandbox = await Sandbox.start({ ...parts, schedule: timers.later, log, ...others })
  return { sandbox, timers, ...appOf(sandbox, options) }
}

/** The app of a sandbox, which throws what would be a bug, and ways to call it. */
export const appOf = (
  sandbox: Sandbox,
  options: Pick<SandboxOptions, 'controlToken' | 'rateLimit'> = {},
): Pick<SharedSandbox, 'call' | 'fetch'> => {
  const report = (bug: unknown) => {
    throw bug
  }
  const app = createApp(sandbox, {
    controlToken: options.controlToken,
    bodyLimit: DEFAULT_BODY_LIMIT,
    rateLimit: options.rateLimit === undefined ? undefined : parseRateLimit(options.rateLimit),
    log: undefined,
    report,
  })
  const fetch = async (path: string, init?: RequestInit) =>
    app.fetch(new Request(new URL(path, 'http://localhost'), init))
  const call: SharedSandbox['call'] = async (method, path, body, key) => {
    const ownKey = key ?? (path.startsWith('/_sandbox') ? undefined : keys.full)
    const response = await fetch(path, {
      method,
      headers: {
        ...(ownKey !== undefined && { 'x-api-key': ownKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { status, headers } = response
    const text = await response.text()
    const isJson = headers.get('content-type')?.startsWith('application/json')
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
  }
  return { call, fetch }
}
