import { machineClock } from '../lib/machine-clock.js'
import type { LiveWorld } from '../runtime/live-world.js'
import type { Html } from './components/html.js'

export interface Drawing {
  readonly page: Html
  readonly status: number
}

interface Wave {
  readonly n: number
  readonly drawings: Map<string, Promise<Drawing>>
  cost_ms: number
}

const MIN_REST_MS = 500
const MAX_REST_MS = 10_000
/** Viewers take a fifteenth of the time: half of their cost is in requests that are not measured. */
const REST_PER_COST = 30
/** Of a page that is already drawn. */
const SEND_MS = 1

const waves = new WeakMap<LiveWorld, Wave>()

const waveOf = (live: LiveWorld): Wave => {
  const n = live.subscriptions.wave
  const known = waves.get(live)
  if (known?.n === n) return known
  const wave = { n, drawings: new Map(), cost_ms: 0 }
  waves.set(live, wave)
  return wave
}

/** Viewers of one page share what is drawn for the first of them after a tick. */
export const shareDrawing = (
  live: LiveWorld,
  address: string,
  draw: () => Promise<Drawing>,
): Promise<Drawing> => {
  const wave = waveOf(live)
  wave.cost_ms += SEND_MS
  const known = wave.drawings.get(address)
  if (known) return known
  const began = machineClock()
  const drawing = draw().finally(() => {
    wave.cost_ms += machineClock() - began
  })
  wave.drawings.set(address, drawing)
  return drawing
}

/** After an action, its page must not go back to what others saw before. */
export const forgetDrawings = (live: LiveWorld): boolean => waves.delete(live)

/** How long viewers wait for their next update, by the cost of the last one. */
export const restOf = (live: LiveWorld): number =>
  Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, REST_PER_COST * (waves.get(live)?.cost_ms ?? 0)))
