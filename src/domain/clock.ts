import { invalidInput, notFound } from '../kernel/refusal.js'
import { type Instant, toIso } from '../kernel/time.js'
import { afterPoll, type Timer } from '../kernel/timer-records.js'
import type { Clock, ClockMode, Tables, Tx } from './schema.js'

export interface ClockSetting {
  readonly mode: ClockMode
  /** World time for one unit of machine time: 0 for manual, 1 for real. */
  readonly speed: number
}

/** Absent for a paused clock, which needs none: the journals of two runs are equal then. */
export interface MachineStart {
  readonly machine_ms?: Instant
}

interface ClockInput extends ClockSetting, MachineStart {
  /** A reset returns to this setting instead of that of the sandbox. */
  readonly begin?: ClockSetting
  /** Set by a reset: the requests of the world are those since this entry. */
  readonly since?: number
}

/** The machine's time as part of the input that starts a clock. */
export const startAt = ({ speed }: ClockSetting, machine_ms: Instant): MachineStart =>
  speed === 0 ? {} : { machine_ms }

export const MAX_SPEED = 1_000_000

const SPEEDS: Readonly<Record<ClockMode, string>> = {
  real: '1, with real',
  manual: '0, with manual',
  speed: `a number above 0, at most ${MAX_SPEED}, with speed`,
}

/** The speeds of the mode, if this is none of them. */
export const speedError = ({ mode, speed }: ClockSetting): string | undefined =>
  fits(mode, speed) ? undefined : SPEEDS[mode]

const fits = (mode: ClockMode, speed: number): boolean => {
  if (mode === 'speed') return speed > 0 && speed <= MAX_SPEED
  return speed === (mode === 'real' ? 1 : 0)
}

/** A world whose clock was never set is paused. */
export const readClockSetting = ({ clock }: Tables): ClockSetting =>
  clock.get('clock') ?? { mode: 'manual', speed: 0 }

/** Applies from the world's now on. */
export const setClock = (tx: Tx, input: ClockInput): Clock => {
  const wanted = speedError(input)
  if (wanted !== undefined) throw invalidInput('speed', input.speed, wanted)
  const known = tx.tables.clock.get('clock')
  const begin = input.begin ?? known?.begin
  const since = input.since ?? known?.since
  const clock: Clock = {
    id: 'clock',
    n: 1,
    mode: input.mode,
    speed: input.speed,
    world_ms: tx.now,
    machine_ms: input.machine_ms ?? tx.now,
    ...(begin && { begin }),
    ...(since && { since }),
  }
  if (known) tx.replace('clock', known, clock)
  else tx.add('clock', clock)
  tx.emit({
    type: 'clock.set',
    id: clock.id,
    now: toIso(tx.now),
    mode: clock.mode,
    speed: clock.speed,
  })
  return clock
}

export const toWorldTime = (clock: Clock, machine_ms: Instant): Instant =>
  Math.floor(clock.world_ms + (machine_ms - clock.machine_ms) * clock.speed)

/** Makes a timer due now: the kernel fires it right after this command. */
export const fireTimer = (tx: Tx, { id }: { readonly id: string }): void => {
  const timer = findTimer(tx, id)
  tx.reschedule(timer, afterPoll({ ...timer, reads: 1 }, tx.now))
  tx.emit({ type: 'timer.fired', id, subject: timer.plan.subject })
}

/** Cancels a timer, and so the steps of its plan that follow. */
export const cancelTimer = (tx: Tx, { id }: { readonly id: string }): Timer => {
  const timer = findTimer(tx, id)
  tx.unschedule(timer)
  tx.emit({ type: 'timer.cancelled', id, subject: timer.plan.subject })
  return timer
}

const findTimer = ({ tables: { timers } }: Tx, id: string): Timer => {
  const timer = timers.get(id)
  if (timer) return timer
  throw notFound('id', `no pending timer has the id ${id}. GET /_sandbox/clock lists the next ones`)
}
