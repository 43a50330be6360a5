/** Ids to step over, from the newest on, before a read compacts the list. */
const MAX_SCAN = 1_000

/**
 * Ids in order of creation. A removal leaves a hole, so that 100,000 records of one status can leave in any order;
 * the list is compacted once most of it is holes.
 */
export class IdList {
  /** Undefined is a hole. */
  #ids: (string | undefined)[]
  /** The number of each id, rising. A hole keeps its number, and the same number fills it again. */
  #numbers: number[]
  #holes = 0
  /** Index of the oldest id. */
  #start = 0

  constructor(ids: (string | undefined)[], numbers: number[]) {
    this.#ids = ids
    this.#numbers = numbers
  }

  copy(): IdList {
    this.#compact()
    return new IdList(this.#ids.slice(), this.#numbers.slice())
  }

  get size(): number {
    return this.#ids.length - this.#holes
  }

  get first(): string | undefined {
    return this.#ids[this.#start]
  }

  /** From place `from` to before `to`, counted from the oldest. */
  slice(from = 0, to = this.size): string[] {
    if (this.size - from > MAX_SCAN) this.#compact()
    if (this.#holes === 0) return this.#ids.slice(from, to) as string[]
    const ids: string[] = []
    for (let i = this.#ids.length - 1, place = this.size; place > from && i >= 0; i--) {
      const id = this.#ids[i]
      if (id !== undefined && --place < to) ids.push(id)
    }
    return ids.reverse()
  }

  add(id: string, n: number): void {
    if (n > (this.#numbers.at(-1) ?? -1)) {
      this.#ids.push(id)
      this.#numbers.push(n)
      return
    }
    const i = this.#indexOf(n)
    if (this.#numbers[i] === n && this.#ids[i] === undefined) {
      this.#ids[i] = id
      this.#holes--
    } else {
      this.#ids.splice(i, 0, id)
      this.#numbers.splice(i, 0, n)
    }
    this.#start = Math.min(this.#start, i)
  }

  remove(id: string, n: number): void {
    const i = this.#ids.indexOf(id, this.#indexOf(n))
    if (i < 0) return
    this.#ids[i] = undefined
    this.#holes++
    if (this.#holes > this.#ids.length / 2) this.#compact()
    while (this.#start < this.#ids.length && this.#ids[this.#start] === undefined) this.#start++
  }

  #compact(): void {
    if (this.#holes === 0) return
    this.#numbers = this.#numbers.filter((_, i) => this.#ids[i] !== undefined)
    this.#ids = this.#ids.filter((id) => id !== undefined)
    this.#holes = 0
    this.#start = 0
  }

  /** The first index whose number is `n` or higher. */
  #indexOf(n: number): number {
    let low = 0
    let high = this.#numbers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#numbers[middle] ?? 0) >= n) high = middle
      else low = middle + 1
    }
    return low
  }
}
