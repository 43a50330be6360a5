import { toIso } from '../../kernel/time.js'
import type { PageContext } from '../page-context.js'
import { span } from '../span.js'

/** `2026-06-15 09:00:02`, with milliseconds only where there are some. */
export const readable = (iso: string): string => iso.replace('T', ' ').replace(/(\.000)?Z$/, '')

/** The machine's time at a time of the world, as far as the clock has run evenly since. */
const machineTimeAt = ({ tables }: PageContext, at: number): number | undefined => {
  const clock = tables.clock.get('clock')
  if (!clock || clock.speed === 0 || at < clock.world_ms) return undefined
  return clock.machine_ms + (at - clock.world_ms) / clock.speed
}

const formatTitle = (iso: string, real_ms: number | undefined): string => {
  const real =
    real_ms === undefined ? 'the real time is not known' : `really ${toIso(Math.floor(real_ms))}`
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
  ctx,
  at,
  made,
  whole = false,
}: {
  ctx: PageContext
  at: string
  /** The machine's time then, where it was written down. */
  made?: number | undefined
  whole?: boolean
}) => (
  <time datetime={at} title={formatTitle(at, made ?? machineTimeAt(ctx, Date.parse(at)))}>
    {whole ? readable(at) : short(at, toIso(ctx.world.now))}
  </time>
)

/** What a timer that counts reads waits for. */
export const readsInWords = (reads: number): string =>
  reads === 1 ? 'after one more read' : `after ${reads} more reads`

/** How long it is until then, as text that goes on by itself where time does. */
export const Until = ({ ctx, due }: { ctx: PageContext; due: number }) => (
  <span data-due={due}>{span(Math.max(due - ctx.world.now, 0))}</span>
)
