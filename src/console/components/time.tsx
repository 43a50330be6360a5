import { parseInstant, toIso } from '../../kernel/time.js'
import { formatDuration, formatTime, formatTimeShort } from '../format.js'
import type { PageContext } from '../page-context.js'

/** Undefined for times before the last change of the clock, and for a paused clock. */
const machineTimeAt = ({ tables }: PageContext, at: number): number | undefined => {
  const clock = tables.clock.get('clock')
  if (!clock || clock.speed === 0 || at < clock.world_ms) return undefined
  return clock.machine_ms + (at - clock.world_ms) / clock.speed
}

const formatTitle = (iso: string, real_ms: number | undefined): string => {
  const real =
    real_ms === undefined ? 'machine time unknown' : `machine time ${toIso(Math.floor(real_ms))}`
  return `world time ${iso}; ${real}`
}

/** A world time, with the machine time as tooltip. */
export const Time = ({
  ctx,
  at,
  machine_ms,
  whole = false,
}: {
  ctx: PageContext
  at: string
  /** The machine's time, if the journal or the log stored it. */
  machine_ms?: number | undefined
  whole?: boolean
}) => (
  <time datetime={at} title={formatTitle(at, machine_ms ?? machineTimeAt(ctx, parseInstant(at)))}>
    {whole ? formatTime(at) : formatTimeShort(at, toIso(ctx.world.now))}
  </time>
)

export const readsInWords = (reads: number): string =>
  reads === 1 ? 'after one more read' : `after ${reads} more reads`

/** The time until `due`. A script counts it down while the clock runs. */
export const Until = ({ ctx, due }: { ctx: PageContext; due: number }) => (
  <span data-due={due}>{formatDuration(Math.max(due - ctx.world.now, 0))}</span>
)
