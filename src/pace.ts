import type { ClockMode } from './world/clock.js'

/** How a world's time runs. */
export interface Pace {
  readonly mode: ClockMode
  /** World time for one unit of machine time: 0 for manual, 1 for real. */
  readonly speed: number
}

export const HIGHEST_SPEED = 1_000_000
export const PACE_FORMS = `real, manual, or a speed such as 60x, at most ${HIGHEST_SPEED}x`
const SPEED = /^(\d{1,7}(?:\.\d{1,3})?)x$/

/** Reads `real`, `manual` or `60x`; undefined for anything else. */
export const readPace = (text: string): Pace | undefined => {
  if (text === 'real') return { mode: 'real', speed: 1 }
  if (text === 'manual') return { mode: 'manual', speed: 0 }
  const speed = Number(SPEED.exec(text)?.[1])
  return speed > 0 && speed <= HIGHEST_SPEED ? { mode: 'speed', speed } : undefined
}
