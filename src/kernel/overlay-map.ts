/** Marks a key that the base holds and this layer has removed. */
const TOMBSTONE = Symbol('gone')

const itself = <V>(value: V): V => value

/** How something starts from another of its kind: on top of it, or as a copy that shares its values. */
export type Start = 'layer' | 'copy'

/**
 * A map that may lie on top of another one and never writes to it. A world opened from the shared
 * fixtures costs only what it changes. Layers do not stack: a base has no base of its own.
 */
export class OverlayMap<V> {
  #own: Map<string, V | typeof TOMBSTONE> | undefined
  readonly #base: OverlayMap<V> | undefined

  constructor(from?: OverlayMap<V>, start: Start = 'layer', copyValue: (value: V) => V = itself) {
    this.#base = start === 'copy' && from ? from.#base : from
    if (start === 'layer' || !from || !from.#own) return
    this.#own = new Map(from.#own)
    if (copyValue === itself) return
    for (const [key, value] of from.#own)
      if (value !== TOMBSTONE) this.#own.set(key, copyValue(value))
  }

  get(key: string): V | undefined {
    const ownEntries = this.#own?.get(key)
    if (ownEntries === undefined) return this.#base?.get(key)
    return ownEntries === TOMBSTONE ? undefined : ownEntries
  }

  /** What lies under this key below this layer. */
  baseValue(key: string): V | undefined {
    return this.#base?.get(key)
  }

  /** Whether the value under this key was written by this layer, so that it may be changed in place. */
  owns(key: string): boolean {
    const own = this.#own?.get(key)
    return own !== undefined && own !== TOMBSTONE
  }

  set(key: string, value: V): void {
    this.#own ??= new Map()
    this.#own.set(key, value)
  }

  delete(key: string): void {
    if (this.#base?.get(key) === undefined) this.#own?.delete(key)
    else {
      this.#own ??= new Map()
      this.#own.set(key, TOMBSTONE)
    }
  }

  /** Whether nothing is held or removed, here or below. Asks each time: the base may have been written since. */
  get isUnchanged(): boolean {
    return !this.#own?.size && (this.#base?.isUnchanged ?? true)
  }

  /** What this layer itself holds; undefined under a key of the base that it has removed. */
  *own(): Generator<[string, V | undefined]> {
    for (const [key, value] of this.#own ?? []) yield [key, value === TOMBSTONE ? undefined : value]
  }

  /** The values that this layer itself holds, and the keys of the base that it has removed. */
  diff(): { readonly values: V[]; readonly removed: string[] } {
    const values: V[] = []
    const removed: string[] = []
    for (const [key, value] of this.#own ?? []) {
      if (value === TOMBSTONE) removed.push(key)
      else values.push(value)
    }
    return { values, removed }
  }

  /** Values in no particular order: sort by what the values hold when order matters. */
  *values(): Generator<V> {
    for (const [, value] of this.entries()) yield value
  }

  *entries(): Generator<[string, V]> {
    if (this.#base) {
      for (const entry of this.#base.entries()) if (!this.#own?.has(entry[0])) yield entry
    }
    for (const [key, value] of this.#own ?? []) if (value !== TOMBSTONE) yield [key, value]
  }
}
