import {
  DURATION_HELP,
  durationError,
  type Instant,
  MAX_INSTANT,
  parseDuration,
  toIso,
  UNTIL_HELP,
} from '../kernel/time.js'
import { describeValue } from '../lib/zod-errors.js'
import type { LiveWorld } from './live-world.js'
import { unknownOptionMessage } from './options.js'

/** Where programs want the world's time to be moved to. Only a program can give what is refused here. */

const ADVANCE_FORMS = `${DURATION_HELP}, { by }, { to } or { until: 'idle' }`

/** By a duration, to an instant, or until idle. Throws a TypeError that says what came and what is accepted. */
export const parseAdvanceTarget = (live: LiveWorld, how: unknown): Instant | 'idle' => {
  const { by, to, until, ...others } = (typeof how === 'string' ? { by: how } : Object(how)) as {
    by?: unknown
    to?: string | Date
    until?: unknown
  }
  const strange = unknownOptionMessage(others, 'by, to, until')
  if (strange !== undefined) throw new TypeError(strange)
  const given = [by, to, until].filter((it) => it !== undefined)
  if (given.length > 1) {
    throw new TypeError(
      `${given.map(describeValue).join(' and ')} came; accepted: one of ${ADVANCE_FORMS}`,
    )
  }
  if (until === 'idle') return 'idle'
  if (until !== undefined) {
    throw new TypeError(`until: ${describeValue(until)} came; accepted: idle`)
  }
  const { now } = live.current()
  if (to !== undefined) return assertReachable(new Date(to).getTime(), now, to, INSTANT, 'to: ')
  const ms = typeof by === 'string' ? parseDuration(by) : undefined
  if (ms === undefined) {
    const accepted = typeof by === 'string' ? durationError(by, ADVANCE_FORMS) : ADVANCE_FORMS
    throw new TypeError(`${describeValue(by ?? how)} came; accepted: ${accepted}`)
  }
  return assertReachable(now + ms, now, by, DURATION)
}

/** By a duration or until idle, for what is verified then. Throws as above. */
export const parseUntil = (live: LiveWorld, until: unknown): Instant | 'idle' => {
  if (until === 'idle') return until
  const ms = typeof until === 'string' ? parseDuration(until) : undefined
  if (ms === undefined) {
    const accepted = durationError(String(until), UNTIL_HELP)
    throw new TypeError(`until: ${describeValue(until)} came; accepted: ${accepted}`)
  }
  const { now } = live.current()
  return assertReachable(now + ms, now, until, DURATION, 'until: ')
}

const INSTANT = 'a Date or a date-time'
const DURATION = 'a duration that leads'

/** Refuses what is no instant, lies behind the world's now, or is one that time does not reach. */
const assertReachable = (
  to: number,
  now: number,
  given: unknown,
  accepted: string,
  field = '',
): number => {
  if (to >= now && to <= MAX_INSTANT) return to
  const came = given instanceof Date ? String(given) : describeValue(given)
  throw new TypeError(
    `${field}${came} came; accepted: ${accepted} from now, ${toIso(now)}, up to ${toIso(MAX_INSTANT)}`,
  )
}
