import type { LiveWorld } from '../worlds/live-world.js'
import type { Html } from './components/html.js'

export interface Drawing {
  readonly page: Html
  readonly status: number
}

interface Wave {
  readonly n: number
  readonly drawings: Map<string, Promise<Drawing>>
  viewers: number
  cost_ms: number
  /** Drawings overlap, so each takes only what no other one has counted. */
  countedUntil_ms: number
}

const MIN_REST_MS = 500
const MAX_REST_MS = 2_000
/** One viewer takes a thirtieth of the time. */
const REST_PER_VIEWER = 30
/** All viewers together take a tenth of the time, until each has added this: 20 viewers get news within a second. */
const REST_PER_COST = 9
const MAX_ADDED_MS = 40
/** Of a page that is already drawn. */
const SEND_MS = 1

const cpuTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const waves = new WeakMap<LiveWorld, Wave>()

const waveOf = (live: LiveWorld): Wave => {
  const n = live.subscriptions.wave
  const known = waves.get(live)
  if (known?.n === n) return known
  const wave = { n, drawings: new Map(), viewers: 0, cost_ms: 0, countedUntil_ms: 0 }
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
  wave.viewers++
  wave.cost_ms += SEND_MS
  const known = wave.drawings.get(address)
  if (known) return known
  const began_ms = cpuTime()
  const drawing = draw().finally(() => {
    const ended_ms = cpuTime()
    wave.cost_ms += ended_ms - Math.max(began_ms, wave.countedUntil_ms)
    wave.countedUntil_ms = ended_ms
  })
  wave.drawings.set(address, drawing)
  return drawing
}

/** After an action, its page must not go back to what others saw before. */
export const forgetDrawings = (live: LiveWorld): boolean => waves.delete(live)

/** How long viewers wait for their next update, by the CPU time of the last one. */
export const restOf = (live: LiveWorld): number => {
  const { viewers, cost_ms } = waves.get(live) ?? { viewers: 0, cost_ms: 0 }
  const each_ms = cost_ms / Math.max(viewers, 1)
  const all_ms = viewers * Math.min(REST_PER_COST * each_ms, MAX_ADDED_MS)
  return Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, REST_PER_VIEWER * each_ms, all_ms))
}
