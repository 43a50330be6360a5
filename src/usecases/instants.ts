import type { World } from '../domain/world.js'
import { badRequest } from '../http/api-error.js'
import { type Instant, MAX_INSTANT, parseDuration, toIso } from '../kernel/time.js'
import { truncate } from '../lib/text.js'
import { describeValue, MAX_SNIPPET } from '../lib/zod-errors.js'

/** The instant that a text names, which must lie between the world's now and the last instant. */
export const assertLater = (world: World, text: string, field: string): Instant => {
  const to = Date.parse(text)
  const came = truncate(text, MAX_SNIPPET)
  if (to > MAX_INSTANT) throw badRequest(`${field}: ${came} is beyond ${toIso(MAX_INSTANT)}`)
  if (to >= world.now) return to
  throw badRequest(
    `${field}: ${came} is before the world’s now, ${toIso(world.now)}; time never goes back`,
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
    throw badRequest(`${field}: ${describeValue(duration)} came; accepted: ${accepted}`)
  }
  const target = world.now + ms
  if (target <= MAX_INSTANT) return target
  throw badRequest(`${field}: ${duration} leads beyond ${toIso(MAX_INSTANT)}`)
}
