import { type Instant, toIso } from '../../kernel/time.js'
import { nextStep, type Timer } from '../../kernel/timers.js'
import { formatCount, formatTime, pluralize } from '../format.js'
import type { PageContext } from '../page-context.js'
import { ActionForm } from './form.js'
import { PayoutLink, TransferLink, UserLink } from './id.js'
import { RuleLink } from './rule-link.js'
import { readsInWords, Until } from './time.js'

/** The line reads this many timers. */
const MAX_TIMERS = 200
const MAX_STOPS = 8
/** The list below the line shows this many timers. */
const MAX_SHOWN = 4

/** All timers due at one instant. */
interface Stop {
  readonly due: Instant
  readonly timers: Timer[]
  /** The instant may have more timers than the line reads. */
  readonly isCut: boolean
}

const groupStops = (timers: readonly Timer[]): Stop[] => {
  const stops: Stop[] = []
  const cutAt = timers.length < MAX_TIMERS ? undefined : timers.at(-1)?.due
  for (const timer of timers) {
    const last = stops.at(-1)
    if (timer.due === null) continue
    if (last?.due === timer.due) last.timers.push(timer)
    else if (stops.length === MAX_STOPS) break
    else stops.push({ due: timer.due, timers: [timer], isCut: timer.due === cutAt })
  }
  return stops
}

/** The pending timers as stops on a line. A click advances to a stop. */
export const TimeLine = ({ ctx }: { ctx: PageContext }) => {
  const pending = ctx.tables.timers.size
  if (pending === 0) return <p class="quiet">No timer is pending.</p>
  const timers = ctx.world.upcoming(MAX_TIMERS)
  const stops = groupStops(timers)
  /** Timers that wait for reads have no time. Beyond MAX_TIMERS, their number is unknown. */
  const waiting = timers.length < MAX_TIMERS ? pending - timers.length : 0
  return (
    <>
      <ActionForm ctx={ctx} action="/console/clock/advance" label="Go to a pending timer">
        <ol class="time-line">
          <li class="here">now</li>
          {stops.map((stop) => (
            <StopButton ctx={ctx} stop={stop} />
          ))}
        </ol>
      </ActionForm>
      <ul class="lines">
        {timers.slice(0, MAX_SHOWN).map((timer) => (
          <li>
            <TimerInWords ctx={ctx} timer={timer} />
          </li>
        ))}
        {pending > MAX_SHOWN ? (
          <li class="quiet">{formatCount(pending)} timers are pending</li>
        ) : null}
        {waiting > 0 ? (
          <li class="quiet">
            {formatCount(waiting)} {waiting === 1 ? 'waits' : 'wait'} for status reads, not for time
          </li>
        ) : null}
      </ul>
    </>
  )
}

const StopButton = ({ ctx, stop: { due, timers, isCut } }: { ctx: PageContext; stop: Stop }) => {
  const iso = toIso(due)
  const count = `${pluralize(timers.length, 'timer')}${isCut ? ' or more' : ''}`
  return (
    <li>
      <button type="submit" name="to" value={iso} title={`Go to ${formatTime(iso)}: ${count}`}>
        <span class="unseen">{`Go to ${formatTime(iso)}: ${count}, `}</span>
        <span class="dot" aria-hidden="true">
          {isCut ? `${timers.length}+` : timers.length > 1 ? timers.length : ''}
        </span>
        +<Until ctx={ctx} due={due} />
      </button>
    </li>
  )
}

export const TimerInWords = ({ ctx, timer }: { ctx: PageContext; timer: Timer }) => {
  const { subject, scenario, rule } = timer.plan
  const { command = '', input } = nextStep(timer) ?? {}
  const to = (input as { to?: unknown } | undefined)?.to
  const when =
    timer.due === null ? (
      readsInWords(timer.reads ?? 0)
    ) : (
      <>
        in <Until ctx={ctx} due={timer.due} />
      </>
    )
  return (
    <>
      {when}: <TimerSubject ctx={ctx} id={subject} /> {typeof to === 'string' ? `→ ${to}` : command}{' '}
      <span class="quiet">
        by <RuleLink ctx={ctx} scenario={scenario} rule={rule} />
      </span>
    </>
  )
}

const TimerSubject = ({ ctx, id }: { ctx: PageContext; id: string }) => {
  const { transfers, payouts } = ctx.tables
  if (transfers.get(id)) return <TransferLink ctx={ctx} id={id} />
  if (payouts.get(id)) return <PayoutLink ctx={ctx} id={id} />
  return <UserLink ctx={ctx} id={id} />
}
