import TinyQueue from 'tinyqueue'
import type { DerivedIndex } from './secondary-index.js'
import type { Timer } from './timer-records.js'

interface HeapItem {
  due: number
  order: number
  id: string
}

const sooner = (a: HeapItem, b: HeapItem) => a.due - b.due || a.order - b.order

/** Heap slots to examine per requested timer; stale slots do not count. */
const MAX_SCAN = 64

/**
 * Pending timers by due time, then by order of scheduling. A removed timer stays in the heap until
 * it surfaces, and is then skipped.
 */
export class TimerQueue implements DerivedIndex<Timer> {
  #heap = new TinyQueue<HeapItem>([], sooner)
  readonly #find: (id: string) => Timer | undefined

  constructor(find: (id: string) => Timer | undefined) {
    this.#find = find
  }

  change(before: Timer | undefined, after: Timer | undefined): void {
    if (after && after.due !== null && after.due !== before?.due) {
      this.#heap.push({ due: after.due, order: after.n, id: after.id })
    }
  }

  /** The next timers in order; they stay in the queue. */
  first(most: number): Timer[] {
    const heap = this.#heap.data
    // Children in the heap are never earlier than their parent.
    const open = new TinyQueue<number>([0], (a, b) =>
      sooner(heap[a] as HeapItem, heap[b] as HeapItem),
    )
    if (heap.length === 0) return []
    const timers = new Set<Timer>()
    for (let looks = most * MAX_SCAN; looks > 0 && timers.size < most; looks--) {
      const place = open.pop()
      const slot = place === undefined ? undefined : heap[place]
      if (place === undefined || !slot) break
      const timer = this.#timerOf(slot)
      if (timer) timers.add(timer)
      for (const child of [2 * place + 1, 2 * place + 2]) if (heap[child]) open.push(child)
    }
    return [...timers]
  }

  peek(): Timer | undefined {
    for (;;) {
      const slot = this.#heap.peek()
      const timer = slot && this.#timerOf(slot)
      if (!slot || timer) return timer
      this.#heap.pop()
    }
  }

  #timerOf({ id, due }: HeapItem): Timer | undefined {
    const timer = this.#find(id)
    return timer?.due === due ? timer : undefined
  }
}
