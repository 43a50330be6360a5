import { type ClockSetting, MAX_SPEED } from '../domain/clock.js'

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

/** Returns the mode and speed for a speed. */
export const clockSettingFor = (speed: number): ClockSetting => {
  if (speed === 0) return { mode: 'manual', speed }
  return speed === 1 ? { mode: 'real', speed } : { mode: 'speed', speed }
}
