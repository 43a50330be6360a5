import { isoTime } from '../world/kernel/time.js'
import type { View } from './view.js'

/** `2026-06-15 09:00:02`, with milliseconds only where there are some. */
export const readable = (iso: string): string => iso.replace('T', ' ').replace(/(\.000)?Z$/, '')

/** The machine's time at a time of the world, as far as the clock has run evenly since. */
const machineTimeAt = ({ tables }: View, at: number): number | undefined => {
  const clock = tables.clock.get('clock')
  if (!clock || clock.speed === 0 || at < clock.world_ms) return undefined
  return clock.machine_ms + (at - clock.world_ms) / clock.speed
}

const titleOf = (iso: string, real_ms: number | undefined): string => {
  const real =
    real_ms === undefined ? 'the real time is not known' : `really ${isoTime(Math.floor(real_ms))}`
  return `${iso} in the world; ${real}`
}

/** As much of a time as tells it from the world's now: the time of day, or the day, or the year too. */
const short = (at: string, now: string): string => {
  const [day = '', time = ''] = at.replace(/(\.\d+)?Z$/, '').split('T')
  if (day === now.slice(0, 10)) return time
  return day.slice(0, 4) === now.slice(0, 4) ? `${day.slice(5)} ${time.slice(0, 5)}` : day
}

/** A time of the world, the real one on hover. */
export const Time = ({
  view,
  at,
  made,
  whole = false,
}: {
  view: View
  at: string
  /** The machine's time then, where it was written down. */
  made?: number | undefined
  whole?: boolean
}) => (
  <time datetime={at} title={titleOf(at, made ?? machineTimeAt(view, Date.parse(at)))}>
    {whole ? readable(at) : short(at, isoTime(view.world.now))}
  </time>
)

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** What a timer that counts reads waits for. */
export const readsInWords = (reads: number): string =>
  reads === 1 ? 'after one more read' : `after ${reads} more reads`

/** A span of time in its two largest units. */
export const span = (ms: number): string => {
  const parts: string[] = []
  let rest = ms
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count} ${unit}`)
    rest -= count * size
    if (parts.length === 2) break
  }
  return parts.length > 0 ? parts.join(' ') : `${ms} ms`
}
