import { IdList } from './id-list.js'
import { OverlayMap, type Start } from './overlay-map.js'

import type { Row } from './row.js'

/**
 * Ids by key, in order of creation. A single id is stored without a list, because most keys
 * (references, addresses, hashes) are unique.
 */
export class SecondaryIndex<R extends Row> implements DerivedIndex<R> {
  private readonly lists: OverlayMap<string | IdList>
  readonly #key: IndexKey<R>
  readonly #numberOf: (id: string) => number
  /** Whether no key ever had two ids in this layer. */
  isUnique: boolean

  constructor(
    key: IndexKey<R>,
    numberOf: (id: string) => number,
    from?: SecondaryIndex<R>,
    start?: Start,
  ) {
    this.#key = key
    this.#numberOf = numberOf
    this.lists = new OverlayMap(from?.lists, start, copyOf)
    this.isUnique = start !== 'copy' || (from?.isUnique ?? true)
  }

  count(key: string): number {
    const list = this.lists.get(key)
    return list instanceof IdList ? list.size : list === undefined ? 0 : 1
  }

  slice(key: string, from?: number, to?: number): string[] {
    const list = this.lists.get(key)
    if (list instanceof IdList) return list.slice(from, to)
    return list === undefined ? [] : [list].slice(from, to)
  }

  first(key: string): string | undefined {
    const list = this.lists.get(key)
    return list instanceof IdList ? list.first : list
  }

  change(before: R | undefined, after: R | undefined): void {
    const from = before && this.#key(before)
    const to = after && this.#key(after)
    if (from === to) return
    if (before && from !== undefined) this.#remove(from, before)
    if (after && to !== undefined) this.#add(to, after)
  }

  #add(key: string, { id, n }: R): void {
    const list = this.lists.get(key)
    if (list === undefined) this.lists.set(key, id)
    else this.#writable(key, list).add(id, n)
  }

  #remove(key: string, { id, n }: R): void {
    const list = this.lists.get(key)
    if (!(list instanceof IdList)) {
      this.lists.delete(key)
      return
    }
    const own = this.#writable(key, list)
    own.remove(id, n)
    if (own.size === 0) this.lists.delete(key)
  }

  #writable(key: string, list: string | IdList): IdList {
    if (list instanceof IdList && this.lists.owns(key)) return list
    this.isUnique = false
    const own = list instanceof IdList ? list.copy() : new IdList([list], [this.#numberOf(list)])
    this.lists.set(key, own)
    return own
  }
}

const copyOf = (list: string | IdList): string | IdList =>
  list instanceof IdList ? list.copy() : list

/** A value that is computed from the records of a table and updated with them. */
export interface DerivedIndex<R extends Row> {
  change(before: R | undefined, after: R | undefined): void
}

/** Undefined leaves the record out of the index. */
export type IndexKey<R extends Row> = (record: R) => string | undefined
