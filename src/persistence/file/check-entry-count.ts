import { tableNames } from '../../domain/schema.js'
import type { WorldState } from '../../domain/world.js'
import { DeterministicRandom, formatUuid } from '../../kernel/prng.js'
import { Refusal } from '../../kernel/refusal.js'
import { toTable } from './state.js'

/** So many entries ahead are looked at: one id that is there already tells that the count is wrong. */
const ENTRIES_AHEAD = 1_000
/** More ids than any command draws one after the other. */
const MAX_DRAWS = 8

/**
 * Refuses a world that would draw ids which it has already: a new record would take the place of what has
 * that id. Such a count was lowered by hand, since what takes entries back removes their records as well.
 */
export const assertNoIdReuse = ({ tables, seed, count, seq }: WorldState, path: string): void => {
  const random = new DeterministicRandom(seed)
  for (let entry = Math.min(seq, count + ENTRIES_AHEAD) - 1; entry >= count; entry--) {
    for (let draw = 0; draw < MAX_DRAWS; draw++) {
      const id = formatUuid(random.bytes(entry, draw))
      const table = tableNames.find((name) => toTable(tables, name).get(id))
      if (!table) continue
      const accepted = `accepted: ${entry + 1} or more`
      const why = `${count} came, but ${table} has ${id} already, which would be drawn again`
      throw new Refusal('rule', `${why}; ${accepted}`, `${path}.count`)
    }
  }
}
