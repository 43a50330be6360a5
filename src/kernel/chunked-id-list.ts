/** Small enough to shift quickly, large enough to keep the list of chunks short. */
const MAX_CHUNK = 512
/** The first chunk is refilled below this size, because most removals happen there. */
const MIN_CHUNK = 64

type NumberOf = (id: string) => number

/**
 * Ids in order of creation. Appending is constant time; a removal shifts one chunk, so that 100,000
 * records of one status can leave in any order.
 */
export class ChunkedIdList {
  #chunks: string[][] = []
  #size = 0
  /** Undefined after the newest id was removed; then it is looked up again. */
  #newest: number | undefined

  constructor(ids: readonly string[] = []) {
    for (let i = 0; i < ids.length; i += MAX_CHUNK) {
      this.#chunks.push(ids.slice(i, i + MAX_CHUNK))
    }
    this.#size = ids.length
  }

  copy(): ChunkedIdList {
    const copy = new ChunkedIdList()
    copy.#chunks = this.#chunks.map((piece) => piece.slice())
    copy.#size = this.#size
    copy.#newest = this.#newest
    return copy
  }

  get size(): number {
    return this.#size
  }

  get first(): string | undefined {
    return this.#chunks[0]?.[0]
  }

  /** From place `from` to before `to`, counted from the oldest. */
  slice(from = 0, to = this.#size): string[] {
    const ids: string[] = []
    let start = 0
    for (const piece of this.#chunks) {
      if (start >= to) break
      if (start + piece.length > from) {
        ids.push(...piece.slice(Math.max(0, from - start), to - start))
      }
      start += piece.length
    }
    return ids
  }

  add(id: string, n: number, numberOf: NumberOf): void {
    this.#size++
    const last = this.#chunks.at(-1)
    this.#newest ??= numberOf(last?.at(-1) ?? '')
    if (this.#newest > n) {
      this.#insert(id, n, numberOf)
      return
    }
    this.#newest = n
    if (last && last.length < MAX_CHUNK) last.push(id)
    else this.#chunks.push([id])
  }

  remove(id: string, n: number, numberOf: NumberOf): void {
    // Most removals are among the oldest ids.
    const early = this.#chunks[0]?.indexOf(id) ?? -1
    const at = early >= 0 ? 0 : this.#chunkOf(n, numberOf)
    const piece = this.#chunks[at]
    if (!piece) return
    piece.splice(early >= 0 ? early : findIndex(piece, n, numberOf), 1)
    if (piece.length === 0) this.#chunks.splice(at, 1)
    else if (at === 0 && piece.length < MIN_CHUNK) this.#refill(piece)
    if (n === this.#newest) this.#newest = undefined
    this.#size--
  }

  #insert(id: string, n: number, numberOf: NumberOf): void {
    const at = this.#chunkOf(n, numberOf)
    const piece = this.#chunks[at] ?? []
    piece.splice(findIndex(piece, n, numberOf), 0, id)
    if (piece.length > MAX_CHUNK) {
      this.#chunks.splice(at + 1, 0, piece.splice(MAX_CHUNK / 2))
    }
  }

  /** Otherwise a few ids that never leave could remain as the whole first chunk. */
  #refill(first: string[]): void {
    const [, second = []] = this.#chunks
    first.push(...second.splice(0, MAX_CHUNK - MIN_CHUNK))
    if (second.length === 0) this.#chunks.splice(1, 1)
  }

  /** The first chunk whose newest id has this number or a higher one. */
  #chunkOf(n: number, numberOf: NumberOf): number {
    return lowestIndex(this.#chunks.length, (i) => numberOf(this.#chunks[i]?.at(-1) ?? '') >= n)
  }
}

/** Place of the id with this number in a chunk, or where it would be inserted. */
const findIndex = (piece: readonly string[], n: number, numberOf: NumberOf): number =>
  lowestIndex(piece.length, (i) => numberOf(piece[i] ?? '') >= n)

/** Binary search: the first place before `end` that holds, else `end`. */
const lowestIndex = (end: number, holds: (place: number) => boolean): number => {
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
