import { randomFillSync } from 'node:crypto'
import { DeterministicRandom, formatUuid } from '../../kernel/prng.js'
import type { LiveWorld } from '../../runtime/live-world.js'
import type { Sandbox } from '../../runtime/sandbox.js'

const BYTES_PER_ID = 16
const pool = new Uint8Array(BYTES_PER_ID * 256)
let next = pool.length

/** A random UUID. The random bytes are fetched for hundreds of ids at once. */
export const newRequestId = (): string => {
  if (next === pool.length) {
    randomFillSync(pool)
    next = 0
  }
  next += BYTES_PER_ID
  return formatUuid(pool, next - BYTES_PER_ID)
}

/** The random numbers behind the request ids of a world. */
interface DrawnIds {
  readonly random: DeterministicRandom
  count: number
}

const drawn = new WeakMap<LiveWorld, DrawnIds>()

/** The id of a request to a world. With a seed and a manual clock, a second run draws the same ids. */
export const drawRequestId = ({ hasRepeatableIds }: Sandbox, live: LiveWorld): string => {
  if (!hasRepeatableIds) return newRequestId()
  const { seed, seq } = live.world
  const ids = drawn.get(live) ?? { random: new DeterministicRandom(`${seed}/requests`), count: 0 }
  drawn.set(live, ids)
  // The count starts at 0 after a restart, but entry numbers go on.
  return formatUuid(ids.random.bytes(seq, ids.count++))
}
