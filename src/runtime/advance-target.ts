import {
  DURATION_HELP,
  durationError,
  type Instant,
  MAX_INSTANT,
  parseDuration,
  toIso,
  UNTIL_HELP,
} from '../kernel/time.js'
import { describeValue, formatInvalid, inWords } from '../lib/app-error.js'
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
  const strange = unknownOptionMessage(others, ['by', 'to', 'until'])
  if (strange !== undefined) throw new TypeError(strange)
  const given = [by, to, until].filter((it) => it !== undefined)
  if (given.length > 1) {
    const received = inWords(given.map(describeValue).join(' and '))
    throw new TypeError(formatInvalid(TARGET, received, `one of ${ADVANCE_FORMS}`))
  }
  if (until === 'idle') return 'idle'
  if (until !== undefined) {
    throw new TypeError(formatInvalid('until', until, 'idle'))
  }
  const { now } = live.current()
  if (to !== undefined) return assertReachable(new Date(to).getTime(), now, to, INSTANT, 'to')
  const ms = typeof by === 'string' ? parseDuration(by) : undefined
  if (ms === undefined) {
    const expected = typeof by === 'string' ? durationError(by, ADVANCE_FORMS) : ADVANCE_FORMS
    throw new TypeError(formatInvalid(TARGET, by ?? how, expected))
  }
  return assertReachable(now + ms, now, by, DURATION, TARGET)
}

/** By a duration or until idle, for what is verified then. Throws as above. */
export const parseUntil = (live: LiveWorld, until: unknown): Instant | 'idle' => {
  if (until === 'idle') return until
  const ms = typeof until === 'string' ? parseDuration(until) : undefined
  if (ms === undefined) {
    const expected = durationError(String(until), UNTIL_HELP)
    throw new TypeError(formatInvalid('until', until, expected))
  }
  const { now } = live.current()
  return assertReachable(now + ms, now, until, DURATION, 'until')
}

const TARGET = 'target'
const INSTANT = 'a Date or a date-time'
const DURATION = 'a duration that leads'

/** Refuses what is no instant, lies behind the world's now, or is one that time does not reach. */
const assertReachable = (
  to: number,
  now: number,
  given: unknown,
  expected: string,
  field: string,
): number => {
  if (to >= now && to <= MAX_INSTANT) return to
  const range = `from now, ${toIso(now)}, up to ${toIso(MAX_INSTANT)}`
  throw new TypeError(formatInvalid(field, given, `${expected} ${range}`))
}
