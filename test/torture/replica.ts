import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CLI, type Running, startProgram } from '../cli/sandramp.js'
import { DatabaseProxy } from '../support/database-proxy.js'
import type { Counts } from './counts.js'
import type { Caller } from './tenant.js'

const PRELOAD = fileURLToPath(new URL('preload.js', import.meta.url))
const TIMEOUT_MS = 20_000
/** All that a 503 may say. */
const REASONS = /not known|not made|cannot be reached|is clos/

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
  readonly body: any
}

/** A sandbox process with its own clock and its own network to the database. */
export class Replica {
  readonly proxy: DatabaseProxy
  isUp = false
  readonly #args: readonly string[]
  readonly #clock_ms: number
  readonly #counts: Counts
  #running: Running | undefined
  #url = ''

  private constructor(proxy: DatabaseProxy, data: string, clock_ms: number, counts: Counts) {
    this.proxy = proxy
    const shared = ['--data', data, '--tenants', '--control-token', randomUUID()]
    this.#args = ['start', '--port', '0', '--log', 'silent', ...shared]
    this.#clock_ms = clock_ms
    this.#counts = counts
  }

  static async start(database: string, clock_ms: number, counts: Counts): Promise<Replica> {
    const { proxy, url } = await DatabaseProxy.start(database)
    const replica = new Replica(proxy, url, clock_ms, counts)
    await replica.run()
    return replica
  }

  /** Starts the process; again while the database cannot be reached. */
  async run(): Promise<void> {
    const args = ['--import', PRELOAD, CLI, ...this.#args]
    const env = { TORTURE_CLOCK_MS: String(this.#clock_ms) }
    for (;;) {
      const running = startProgram(process.execPath, args, undefined, env)
      try {
        this.#url = await running.printed(/listening on (\S+)/)
      } catch (error) {
        if (/cannot be used/.test(String(error))) continue
        throw error
      }
      this.#running = running
      this.isUp = true
      void running.ended.then(({ code, stderr }) => {
        if (this.isUp) this.#counts.find(`a replica ended with ${code}: ${stderr}`)
        // The log has what a 500 does not say.
        if (this.#counts.findings.length > 0) console.error(stderr)
      })
      return
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#running?.child.kill(name)
  }

  async stop(name: NodeJS.Signals): Promise<void> {
    this.isUp = false
    this.signal(name)
    await this.#running?.ended
  }

  /** Undefined if no answer came. */
  async call(
    method: string,
    path: string,
    { key, token, isAttacker }: Caller,
    body?: object,
  ): Promise<Reply | undefined> {
    try {
      const response = await fetch(new URL(path, this.#url), {
        method,
        headers: {
          'x-api-key': key,
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await response.text()
      const { status } = response
      const isRefused = isAttacker && ((status >= 400 && status < 500) || status === 507)
      const isExpected = status < 300 || isRefused || (status === 503 && REASONS.test(text))
      if (!isExpected) this.#counts.find(`${method} ${path}: ${status} ${text}`)
      return { status, body: text === '' ? undefined : JSON.parse(text) }
    } catch {
      return undefined
    }
  }
}
