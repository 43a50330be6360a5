import TinyQueue from 'tinyqueue'
import type { Derived } from './table.js'
import type { Timer } from './timers.js'

interface Slot {
  due: number
  order: number
  id: string
}

const sooner = (a: Slot, b: Slot) => a.due - b.due || a.order - b.order

/** How many slots are looked at for each timer that is asked for: most removed ones have surfaced. */
const LOOKS = 64

/**
 * Pending timers by due time, then order of scheduling. A removed timer stays in the heap until it
 * surfaces; `isLive` tells such leftovers apart.
 */
export class DueQueue implements Derived<Timer> {
  #heap = new TinyQueue<Slot>([], sooner)
  readonly #isLive: (id: string, due: number) => boolean

  constructor(isLive: (id: string, due: number) => boolean) {
    this.#isLive = isLive
  }

  change(before: Timer | undefined, after: Timer | undefined): void {
    if (after && after.due !== null && after.due !== before?.due) {
      this.#heap.push({ due: after.due, order: after.n, id: after.id })
    }
  }

  /** The ids of the timers that fire next, in order, which stay where they are. */
  first(most: number): string[] {
    const heap = this.#heap.data
    // The children of a place in the heap come later than what stands there itself.
    const open = new TinyQueue<number>([0], (a, b) => sooner(heap[a] as Slot, heap[b] as Slot))
    if (heap.length === 0) return []
    const ids = new Set<string>()
    for (let looks = most * LOOKS; looks > 0 && ids.size < most; looks--) {
      const place = open.pop()
      const slot = place === undefined ? undefined : heap[place]
      if (place === undefined || !slot) break
      if (this.#isLive(slot.id, slot.due)) ids.add(slot.id)
      for (const child of [2 * place + 1, 2 * place + 2]) if (heap[child]) open.push(child)
    }
    return [...ids]
  }

  /** The id and due time of the timer that fires next. */
  peek(): { id: string; due: number } | undefined {
    for (;;) {
      const slot = this.#heap.peek()
      if (!slot || this.#isLive(slot.id, slot.due)) return slot
      this.#heap.pop()
    }
  }
}
