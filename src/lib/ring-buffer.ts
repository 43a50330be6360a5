/** The newest things of one kind, up to a number: when it is full, the oldest make room one by one. */
export class Ring<T> {
  readonly #items: T[] = []
  /** Where the next one goes once the ring is full. */
  #next = 0

  constructor(readonly capacity: number) {}

  get size(): number {
    return this.#items.length
  }

  add(item: T): void {
    if (this.#items.length < this.capacity) this.#items.push(item)
    else if (this.capacity > 0) {
      this.#items[this.#next] = item
      this.#next = (this.#next + 1) % this.capacity
    }
  }

  /** Takes the newest one out again; what had made room for it does not come back. */
  drop(): void {
    if (this.#next > 0) {
      this.#items.push(...this.#items.splice(0, this.#next))
      this.#next = 0
    }
    this.#items.pop()
  }

  /** The one that makes room for the next; undefined while there is room. */
  get leaving(): T | undefined {
    return this.#items.length < this.capacity ? undefined : this.#items[this.#next]
  }

  /** The one that was added last. */
  get newest(): T | undefined {
    return this.#items.at(this.#next - 1)
  }

  /** The one at a place counted from the oldest. */
  at(place: number): T | undefined {
    return this.#items[(this.#next + place) % this.#items.length]
  }

  /** So many of them, oldest first, from a place counted from the oldest. */
  slice(start: number, count: number): T[] {
    const first = this.#next + start
    const ahead = this.#items.slice(first, first + count)
    const wrapped = Math.max(0, first + ahead.length - this.#items.length)
    return [...ahead, ...this.#items.slice(wrapped, wrapped + count - ahead.length)]
  }

  /** All of them, oldest first. */
  all(): T[] {
    return this.slice(0, this.size)
  }

  clear(): void {
    this.#items.length = 0
    this.#next = 0
  }
}
