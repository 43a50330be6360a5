import type { Change } from '../world/kernel/journal.js'
import type { Step } from '../world/kernel/step.js'
import type { Row } from '../world/kernel/table.js'

/** One step that takes back all of these: each record once, as it was before the first of them. */
export const merge = (steps: readonly Step[]): Step => {
  const touched = new Map<string, { last: Change; before: Row | undefined }>()
  for (const { writes, before } of steps) {
    writes.forEach((write, i) => {
      const key = `${write.table} ${write.id}`
      const known = touched.get(key)
      if (known) known.last = write
      else touched.set(key, { last: write, before: before[i] })
    })
  }
  // What was made and removed again on the way leaves nothing to take back.
  const kept = [...touched.values()].filter(({ last, before }) => before || last.record)
  const { seq = 0, now = 0, count = 0 } = steps[0] ?? {}
  return {
    seq,
    now,
    count,
    writes: kept.map(({ last }) => last),
    before: kept.map(({ before }) => before),
  }
}
