import { type ClockMode, HIGHEST_SPEED } from './world/clock.js'

/** How a world's time runs. */
export interface Pace {
  readonly mode: ClockMode
  /** World time for one unit of machine time: 0 for manual, 1 for real. */
  readonly speed: number
}

/** Where the time of a world begins that does not run with the machine's. */
export const START_TIMES = ['fixtures', 'machine'] as const
export type StartTime = (typeof START_TIMES)[number]

export const PACE_FORMS = `real, manual, or a speed such as 60x, at most ${HIGHEST_SPEED}x`
const SPEED = /^(\d{1,7}(?:\.\d{1,3})?)x$/

/** Reads `real`, `manual` or `60x`; undefined for anything else. */
export const readPace = (text: string): Pace | undefined => {
  if (text === 'real') return paceAt(1)
  if (text === 'manual') return paceAt(0)
  const speed = Number(SPEED.exec(text)?.[1])
  return speed > 0 && speed <= HIGHEST_SPEED ? { mode: 'speed', speed } : undefined
}

/** The pace that has this speed. */
export const paceAt = (speed: number): Pace => {
  if (speed === 0) return { mode: 'manual', speed }
  return speed === 1 ? { mode: 'real', speed } : { mode: 'speed', speed }
}
