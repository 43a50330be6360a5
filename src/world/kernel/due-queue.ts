import TinyQueue from 'tinyqueue'
import type { Derived } from './table.js'
import type { Timer } from './timers.js'

interface Slot {
  due: number
  order: number
  id: string
}

const sooner = (a: Slot, b: Slot) => a.due - b.due || a.order - b.order

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

  /** The id and due time of the timer that fires next. */
  peek(): { id: string; due: number } | undefined {
    for (;;) {
      const slot = this.#heap.peek()
      if (!slot || this.#isLive(slot.id, slot.due)) return slot
      this.#heap.pop()
    }
  }
}
