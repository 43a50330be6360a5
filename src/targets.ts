import { describe } from './explain.js'
import { strangeOption } from './options.js'
import type { Timeline } from './timeline.js'
import {
  DURATION_FORMS,
  durationWanted,
  type Instant,
  isoTime,
  LAST_INSTANT,
  parseDuration,
  UNTIL_FORMS,
} from './world/kernel/time.js'

/** Where programs want the world's time to be moved to. Only a program can give what is refused here. */

const ADVANCE_FORMS = `${DURATION_FORMS}, { by }, { to } or { until: 'idle' }`

/** By a duration, to an instant, or until idle. Throws a TypeError that says what came and what is accepted. */
export const targetOf = (line: Timeline, how: unknown): Instant | 'idle' => {
  const { by, to, until, ...others } = (typeof how === 'string' ? { by: how } : Object(how)) as {
    by?: unknown
    to?: string | Date
    until?: unknown
  }
  const strange = strangeOption(others, 'by, to, until')
  if (strange !== undefined) throw new TypeError(strange)
  const given = [by, to, until].filter((it) => it !== undefined)
  if (given.length > 1) {
    throw new TypeError(
      `${given.map(describe).join(' and ')} came; accepted: one of ${ADVANCE_FORMS}`,
    )
  }
  if (until === 'idle') return 'idle'
  if (until !== undefined) {
    throw new TypeError(`until: ${describe(until)} came; accepted: idle`)
  }
  const { now } = line.current()
  if (to !== undefined) return bounded(new Date(to).getTime(), now, to, INSTANT, 'to: ')
  const ms = typeof by === 'string' ? parseDuration(by) : undefined
  if (ms === undefined) {
    const accepted = typeof by === 'string' ? durationWanted(by, ADVANCE_FORMS) : ADVANCE_FORMS
    throw new TypeError(`${describe(by ?? how)} came; accepted: ${accepted}`)
  }
  return bounded(now + ms, now, by, DURATION)
}

/** By a duration or until idle, for what is verified then. Throws as above. */
export const targetUntil = (line: Timeline, until: unknown): Instant | 'idle' => {
  if (until === 'idle') return until
  const ms = typeof until === 'string' ? parseDuration(until) : undefined
  if (ms === undefined) {
    const accepted = durationWanted(String(until), UNTIL_FORMS)
    throw new TypeError(`until: ${describe(until)} came; accepted: ${accepted}`)
  }
  const { now } = line.current()
  return bounded(now + ms, now, until, DURATION, 'until: ')
}

const INSTANT = 'a Date or a date-time'
const DURATION = 'a duration that leads'

/** Refuses what is no instant, lies behind the world's now, or is one that time does not reach. */
const bounded = (to: number, now: number, given: unknown, accepted: string, field = ''): number => {
  if (to >= now && to <= LAST_INSTANT) return to
  const came = given instanceof Date ? String(given) : describe(given)
  throw new TypeError(
    `${field}${came} came; accepted: ${accepted} from now, ${isoTime(now)}, up to ${isoTime(LAST_INSTANT)}`,
  )
}
