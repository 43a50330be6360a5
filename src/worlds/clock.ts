import { type ClockSetting, MAX_SPEED } from '../domain/clock.js'
import type { World } from '../domain/world.js'
import {
  DURATION_HELP,
  durationError,
  INSTANT_HELP,
  type Instant,
  MAX_INSTANT,
  parseDuration,
  parseInstant,
  toIso,
  UNTIL_HELP,
} from '../kernel/time.js'
import { invalidValue, inWords } from '../lib/app-error.js'

/** Start time of a world whose clock is not real. */
export const START_TIMES = ['fixtures', 'machine'] as const
export type StartTime = (typeof START_TIMES)[number]

export const CLOCK_MODE_HELP = `real, manual, or a speed such as 60x, at most ${MAX_SPEED}x`
const SPEED = /^(\d{1,7}(?:\.\d{1,3})?)x$/

/** Reads `real`, `manual` or `60x`; undefined for anything else. */
export const parseClockMode = (text: string): ClockSetting | undefined => {
  if (text === 'real') return clockSettingFor(1)
  if (text === 'manual') return clockSettingFor(0)
  const speed = Number(SPEED.exec(text)?.[1])
  return speed > 0 && speed <= MAX_SPEED ? { mode: 'speed', speed } : undefined
}

const clockSettingFor = (speed: number): ClockSetting => {
  if (speed === 0) return { mode: 'manual', speed }
  return speed === 1 ? { mode: 'real', speed } : { mode: 'speed', speed }
}

/** A duration, an instant or `until: 'idle'`. */
export interface AdvanceRequest {
  readonly by?: string | undefined
  readonly to?: string | undefined
  readonly until?: string | undefined
}

export const parseAdvanceTarget = (world: World, request: AdvanceRequest): Instant | 'idle' => {
  const { by, to, until } = request
  const sent = (['by', 'to', 'until'] as const).filter((name) => request[name] !== undefined)
  if (sent.length !== 1) {
    throw invalidValue(
      'body',
      inWords(sent.join(' and ') || 'no field'),
      'one of by, to and until, such as {"by":"30m"} or {"until":"idle"}',
    )
  }
  if (to !== undefined) return parseLater(world, to, 'to')
  if (by !== undefined) return addDuration(world, by, 'by', DURATION_HELP)
  if (until !== 'idle') throw invalidValue('until', until, 'idle')
  return 'idle'
}

/** Parses the time to which a verification moves the world first. */
export const parseUntil = (world: World, until: string): Instant | 'idle' =>
  until === 'idle' ? until : addDuration(world, until, 'until', UNTIL_HELP)

/** Parses an instant that is not before the world's time. */
export const parseLater = ({ now }: World, value: string, field: string): Instant => {
  const instant = parseInstant(value)
  if (Number.isNaN(instant)) throw invalidValue(field, value, INSTANT_HELP)
  if (instant >= now && instant <= MAX_INSTANT) return instant
  throw invalidValue(
    field,
    value,
    `an instant from the world’s now, ${toIso(now)}, up to ${toIso(MAX_INSTANT)}`,
    'Time never goes back',
  )
}

const addDuration = ({ now }: World, value: string, field: string, forms: string): Instant => {
  const ms = parseDuration(value)
  if (ms === undefined) throw invalidValue(field, value, durationError(value, forms))
  if (now + ms <= MAX_INSTANT) return now + ms
  throw invalidValue(field, value, `a duration that ends by ${toIso(MAX_INSTANT)}`)
}

/** Undefined without mode and speed. A client may send back the mode and speed that the clock shows. */
export const parseClockSetting = (
  { mode, speed }: { readonly mode?: string | undefined; readonly speed?: number | undefined },
  field = 'mode',
): ClockSetting | undefined => {
  if (speed !== undefined && (mode === undefined || mode === 'speed')) return clockSettingFor(speed)
  if (mode === undefined) return undefined
  const setting = parseClockMode(mode)
  if (!setting) throw invalidValue(field, mode, CLOCK_MODE_HELP)
  if (speed === undefined || speed === setting.speed) return setting
  throw invalidValue(
    'speed',
    inWords(`${speed} with mode ${JSON.stringify(mode)}`),
    `${setting.speed}, or speed alone`,
  )
}
