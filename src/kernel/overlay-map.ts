const TOMBSTONE = Symbol('gone')

const itself = <V>(value: V): V => value

/** A layer on top of another map, or a copy that shares its values. */
export type Start = 'layer' | 'copy'

/**
 * A map on top of another one that it never writes to, so a world costs only its changes. Layers do
 * not stack: a base has no base.
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

  baseValue(key: string): V | undefined {
    return this.#base?.get(key)
  }

  /** Whether this layer wrote the value, so that it may be mutated. */
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

  /** Whether this layer wrote or removed a value. */
  get hasOwn(): boolean {
    return (this.#own?.size ?? 0) > 0
  }

  /** Nothing is written or removed here or below. Not cached: the base may change. */
  get isUnchanged(): boolean {
    return !this.hasOwn && (this.#base?.isUnchanged ?? true)
  }

  /** The values of this layer, and the removed keys of the base. */
  own(): { readonly values: V[]; readonly removed: string[] } {
    // Copying all values at once is thirty times as fast as a loop, which would hold up requests.
    const all = [...(this.#own?.values() ?? [])]
    if (!all.includes(TOMBSTONE)) return { values: all as V[], removed: [] }
    const values: V[] = []
    const removed: string[] = []
    for (const [key, value] of this.#own ?? []) {
      if (value === TOMBSTONE) removed.push(key)
      else values.push(value)
    }
    return { values, removed }
  }

  /** In no particular order. */
  *values(): Generator<V> {
    const base = this.#base ? this.#base.#own : undefined
    for (const [key, value] of base ?? []) {
      if (value !== TOMBSTONE && !this.#own?.has(key)) yield value
    }
    for (const value of this.#own?.values() ?? []) if (value !== TOMBSTONE) yield value
  }

  /** The newest first, by their first write. A copy of all at once and a loop cost less than an iterator. */
  *newestFirst(): Generator<V> {
    const { values } = this.own()
    for (let i = values.length - 1; i >= 0; i--) yield values[i] as V
    const base = this.#base ? [...this.#base.entries()] : []
    for (const [key, value] of base.reverse()) if (!this.#own?.has(key)) yield value
  }

  *entries(): Generator<[string, V]> {
    if (this.#base) {
      for (const entry of this.#base.entries()) if (!this.#own?.has(entry[0])) yield entry
    }
    for (const [key, value] of this.#own ?? []) if (value !== TOMBSTONE) yield [key, value]
  }
}
