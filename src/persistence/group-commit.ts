export interface GroupCommitOptions<T> {
  /** Comes back once the items will outlast a crash. */
  readonly write: (items: readonly T[]) => Promise<void>
  /** Takes back all that was not written, oldest first; answers what those who wait are told. */
  readonly failed: (why: unknown, items: readonly T[]) => Error
  /** Begins to write soon, when those that have come at the same time are in. */
  readonly soon: (run: () => void) => void
}

interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (why: Error) => void
}

/** Writes what is waiting, all of it at once, while more comes in: one flush serves all. */
export class GroupCommit<T> {
  readonly #parts: GroupCommitOptions<T>
  #items: T[] = []
  /** Those who wait for what has come in, and for what is being written. */
  #next: Deferred | undefined
  #current: Deferred | undefined
  /** Those who waited for what is written by now: told once the next is on its way, so that the disk need not wait for them. */
  #written: Deferred | undefined
  #isWriting = false
  #isRunning = false
  readonly #between: (() => Promise<void>)[] = []

  constructor(parts: GroupCommitOptions<T>) {
    this.#parts = parts
  }

  add(item: T): void {
    this.#items.push(item)
    this.#wake()
  }

  /** Resolves once all that has come in is written; undefined when it is. */
  get pending(): Promise<void> | undefined {
    if (this.#items.length > 0) {
      this.#next ??= deferred()
      return this.#next.promise
    }
    if (!this.#isWriting) return undefined
    this.#current ??= deferred()
    return this.#current.promise
  }

  /** Runs something while nothing is being written. */
  exclusive(run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#between.push(() => run().then(resolve, reject))
      this.#wake()
    })
  }

  #wake(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#parts.soon(() => void this.#run())
  }

  async #run(): Promise<void> {
    for (;;) {
      const job = this.#between.shift()
      if (job) {
        this.#tell()
        await job()
      } else if (this.#items.length > 0) await this.#write()
      else break
    }
    this.#tell()
    this.#isRunning = false
  }

  #tell(): void {
    this.#written?.resolve()
    this.#written = undefined
  }

  async #write(): Promise<void> {
    const items = this.#items
    this.#items = []
    this.#current = this.#next
    this.#next = undefined
    this.#isWriting = true
    const writing = this.#parts.write(items)
    this.#tell()
    try {
      await writing
      this.#isWriting = false
      this.#written = this.#current
    } catch (error) {
      this.#isWriting = false
      this.#fail(error, items)
    }
    this.#current = undefined
  }

  #fail(error: unknown, items: readonly T[]): void {
    const lost = [...items, ...this.#items]
    this.#items = []
    const next = this.#next
    this.#next = undefined
    const why = this.#parts.failed(error, lost)
    this.#current?.reject(why)
    next?.reject(why)
  }
}

const deferred = (): Deferred => {
  let resolve: Deferred['resolve'] = () => {}
  let reject: Deferred['reject'] = () => {}
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  // Nobody may listen yet, or at all, such as when only timers have made what is lost.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
