import { setImmediate as turn } from 'node:timers/promises'
import type { InnerSandbox } from '../support/inner-sandbox.js'

/** So many turns of the event loop nothing may happen before time moves on. */
const QUIET_TURNS = 3
const SILENT_TURNS = 100

/** One time for a sandbox and its client: when both wait, the world moves on to the next moment. */
export class VirtualTime {
  #now = 0
  /** Requests that are under way, and those of them that a rule delays. */
  #asked = 0
  #delayed = 0
  readonly #due: { readonly at: number; readonly go: () => void }[] = []

  /** For the sandbox: delays of rules. */
  readonly delay = async (ms: number): Promise<void> => {
    this.#delayed++
    await this.sleep(ms)
    this.#delayed--
  }

  readonly sleep = (ms: number): Promise<void> =>
    new Promise((go) => this.#due.push({ at: this.#now + ms, go }))

  readonly timeout = (ms: number): AbortSignal => {
    const controller = new AbortController()
    void this.sleep(ms).then(() => controller.abort(new DOMException('late', 'TimeoutError')))
    return controller.signal
  }

  /** A client's fetch; a request that it gave up still runs in the sandbox. */
  fetchOf(sandbox: InnerSandbox) {
    return (url: string, init: RequestInit): Promise<Response> => {
      this.#asked++
      return sandbox.fetch(url, init).finally(() => this.#asked--)
    }
  }

  /** Lets time pass until a job is done. */
  async until(sandbox: InnerSandbox, job: Promise<unknown>): Promise<void> {
    let isDone = false
    const end = () => {
      isDone = true
    }
    void job.then(end, end)
    for (;;) {
      await this.#quiet()
      const [next] = this.#due.sort((a, b) => a.at - b.at)
      if (isDone && this.#asked + this.#delayed === 0) return
      if (!next) throw new Error('nobody waits for anything, and nothing goes on')
      this.#due.shift()
      if (next.at > this.#now) sandbox.advance(`${next.at - this.#now}ms`)
      this.#now = Math.max(this.#now, next.at)
      next.go()
    }
  }

  /** A request may also wait for another one that a rule delays, which only shows by its silence. */
  async #quiet(): Promise<void> {
    let quiet = 0
    for (let turns = 0; turns < SILENT_TURNS && quiet < QUIET_TURNS; turns++) {
      await turn()
      quiet = this.#asked === this.#delayed ? quiet + 1 : 0
      if (this.#delayed === 0) turns = 0
    }
  }
}
