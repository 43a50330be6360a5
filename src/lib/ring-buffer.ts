/** Holds the newest `capacity` items; each new one replaces the oldest. */
export class Ring<T> {
  readonly #items: T[] = []
  /** Index of the next item to replace once the buffer is full. */
  #next = 0
  /** Counts all items, kept or not. */
  added = 0

  constructor(readonly capacity: number) {}

  get size(): number {
    return this.#items.length
  }

  /** Its number among all items, from 0. */
  get oldest(): number {
    return this.added - this.size
  }

  add(item: T): void {
    this.added++
    if (this.#items.length < this.capacity) this.#items.push(item)
    else if (this.capacity > 0) {
      this.#items[this.#next] = item
      this.#next = (this.#next + 1) % this.capacity
    }
  }

  /** Removes the newest item. The item that it replaced is lost. */
  drop(): void {
    if (this.#next > 0) {
      this.#items.push(...this.#items.splice(0, this.#next))
      this.#next = 0
    }
    this.#items.pop()
    this.added--
  }

  /** The item that the next one replaces; undefined while there is room. */
  get leaving(): T | undefined {
    return this.#items.length < this.capacity ? undefined : this.#items[this.#next]
  }

  get newest(): T | undefined {
    return this.#items.at(this.#next - 1)
  }

  /** `place` counts from the oldest item. */
  at(place: number): T | undefined {
    return this.#items[(this.#next + place) % this.#items.length]
  }

  /** Returns `count` items, oldest first. `start` counts from the oldest item. */
  slice(start: number, count: number): T[] {
    const first = this.#next + start
    const ahead = this.#items.slice(first, first + count)
    const wrapped = Math.max(0, first + ahead.length - this.#items.length)
    return ahead.concat(this.#items.slice(wrapped, wrapped + count - ahead.length))
  }

  all(): T[] {
    return this.slice(0, this.size)
  }

  clear(): void {
    this.#items.length = 0
    this.#next = 0
  }
}
