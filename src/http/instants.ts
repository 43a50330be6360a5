import { describe, LONGEST_SNIPPET } from '../explain.js'
import { type Instant, isoTime, LAST_INSTANT, parseDuration } from '../world/kernel/time.js'
import { shortened } from '../world/shortened.js'
import type { World } from '../world/world.js'
import { invalid } from './wire-error.js'

/** The instant that a text names, which must lie between the world's now and the last instant. */
export const laterThan = (world: World, text: string, field: string): Instant => {
  const to = Date.parse(text)
  const came = shortened(text, LONGEST_SNIPPET)
  if (to > LAST_INSTANT) throw invalid(`${field}: ${came} is beyond ${isoTime(LAST_INSTANT)}`)
  if (to >= world.now) return to
  throw invalid(
    `${field}: ${came} is before the world’s now, ${isoTime(world.now)}; time never goes back`,
  )
}

/** The instant that lies a duration after the world's now. */
export const instantAfter = (
  world: World,
  duration: string,
  field: string,
  accepted: string,
): Instant => {
  const ms = parseDuration(duration)
  if (ms === undefined) {
    throw invalid(`${field}: ${describe(duration)} came; accepted: ${accepted}`)
  }
  const target = world.now + ms
  if (target <= LAST_INSTANT) return target
  throw invalid(`${field}: ${duration} leads beyond ${isoTime(LAST_INSTANT)}`)
}
