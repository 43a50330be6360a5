import { Layered } from './layered.js'
import type { Derived, IndexKey, Row } from './table.js'

const EMPTY: readonly string[] = []

/**
 * Ids by key, each list in order of making. Adding the newest and removing the oldest or newest cost
 * O(1); anything in between is a binary search and a move of memory. A list of one is kept as the bare
 * id: most keys (references, addresses, hashes) are unique.
 */
export class ListIndex<R extends Row> implements Derived<R> {
  private readonly lists: Layered<string | string[]>
  readonly #key: IndexKey<R>
  readonly #numberOf: (id: string) => number

  constructor(key: IndexKey<R>, numberOf: (id: string) => number, base?: ListIndex<R>) {
    this.#key = key
    this.#numberOf = numberOf
    this.lists = new Layered(base?.lists)
  }

  get(key: string): readonly string[] {
    const list = this.lists.get(key)
    if (list === undefined) return EMPTY
    return typeof list === 'string' ? [list] : list
  }

  /** The oldest id under a key. */
  first(key: string): string | undefined {
    const list = this.lists.get(key)
    return typeof list === 'string' ? list : list?.[0]
  }

  change(before: R | undefined, after: R | undefined): void {
    const from = before && this.#key(before)
    const to = after && this.#key(after)
    if (from === to) return
    if (before && from !== undefined) this.#remove(from, before)
    if (after && to !== undefined) this.#insert(to, after)
  }

  #insert(key: string, record: R): void {
    const known = this.lists.get(key)
    if (known === undefined) {
      this.lists.set(key, record.id)
      return
    }
    const list = this.#writable(key, known)
    const last = list[list.length - 1]
    if (last === undefined || this.#numberOf(last) < record.n) list.push(record.id)
    else list.splice(this.#position(list, record.n), 0, record.id)
  }

  #remove(key: string, record: R): void {
    const known = this.lists.get(key)
    if (known === undefined || typeof known === 'string') {
      this.lists.delete(key)
      return
    }
    const list = this.#writable(key, known)
    if (list[0] === record.id) list.shift()
    else if (list[list.length - 1] === record.id) list.pop()
    else list.splice(this.#position(list, record.n), 1)
    if (list.length === 0) this.lists.delete(key)
  }

  /** Where a record with this number stands in the list, or would stand. */
  #position(list: readonly string[], n: number): number {
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#numberOf(list[middle] ?? '') < n) low = middle + 1
      else high = middle
    }
    return low
  }

  #writable(key: string, known: string | string[]): string[] {
    if (typeof known !== 'string' && this.lists.owns(key)) return known
    const own = typeof known === 'string' ? [known] : [...known]
    this.lists.set(key, own)
    return own
  }
}
