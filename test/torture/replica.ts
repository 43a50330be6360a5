import { type Running, startCli } from '../cli/sandramp.js'
import { DatabaseProxy } from '../support/database-proxy.js'

/** A sandbox process with a network of its own to the database. */
export class Replica {
  readonly proxy: DatabaseProxy
  isUp = false
  /** False while a fault holds it up on purpose. */
  isWell = true
  readonly #data: string
  #running: Running | undefined
  #url = ''

  private constructor(proxy: DatabaseProxy, data: string) {
    this.proxy = proxy
    this.#data = data
  }

  static async start(database: string): Promise<Replica> {
    const { proxy, url } = await DatabaseProxy.start(database)
    const replica = new Replica(proxy, url)
    await replica.run()
    return replica
  }

  /** Starts the process; again while the database cannot be reached. */
  async run(): Promise<void> {
    for (;;) {
      const running = startCli(['start', '--port', '0', '--log', 'silent', '--data', this.#data])
      try {
        this.#url = await running.printed(/listening on (\S+)/)
        this.#running = running
        this.isUp = true
        return
      } catch {
        await running.ended
      }
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
  async call(method: string, path: string, key: string, body?: object): Promise<Reply | undefined> {
    try {
      const response = await fetch(new URL(path, this.#url), {
        method,
        headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch {
      return undefined
    }
  }
}

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
  readonly body: any
}
