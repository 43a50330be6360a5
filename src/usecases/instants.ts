import type { World } from '../domain/world.js'
import { type Instant, MAX_INSTANT, parseDuration, toIso } from '../kernel/time.js'
import { invalidValue } from '../lib/app-error.js'

/** The instant that a text names, which must lie between the world's now and the last instant. */
export const assertLater = (world: World, text: string, field: string): Instant => {
  const to = Date.parse(text)
  if (to > MAX_INSTANT) throw invalidValue(field, text, `at most ${toIso(MAX_INSTANT)}`)
  if (to >= world.now) return to
  throw invalidValue(
    field,
    text,
    `an instant from the world’s now, ${toIso(world.now)}`,
    'Time never goes back',
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
    throw invalidValue(field, duration, accepted)
  }
  const target = world.now + ms
  if (target <= MAX_INSTANT) return target
  throw invalidValue(field, duration, `a duration that ends by ${toIso(MAX_INSTANT)}`)
}
