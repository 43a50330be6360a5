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

  /** The one that makes room for the next; undefined while there is room. */
  get leaving(): T | undefined {
    return this.#items.length < this.capacity ? undefined : this.#items[this.#next]
  }

  /** All of them, oldest first. */
  all(): T[] {
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)]
  }

  clear(): void {
    this.#items.length = 0
    this.#next = 0
  }
}
