import { type Instant, isoTime } from '../world/kernel/time.js'
import { stepOf, type Timer } from '../world/kernel/timers.js'
import { ActionForm } from './form.js'
import { PayoutLink, TransferLink } from './id.js'
import { RuleLink } from './rule-link.js'
import { readable, readsInWords, Until } from './time.js'
import { UserLink } from './user-link.js'
import type { View } from './view.js'

/** How many timers are looked at, and at how many instants of theirs the line stops. */
const MOST_TIMERS = 200
const MOST_STOPS = 8
const MOST_TOLD = 4

/** One instant at which something is due. */
interface Stop {
  readonly due: Instant
  readonly timers: Timer[]
  /** There may be more than were looked at. */
  readonly isCut: boolean
}

const stopsOf = (timers: readonly Timer[]): Stop[] => {
  const stops: Stop[] = []
  const cutAt = timers.length < MOST_TIMERS ? undefined : timers.at(-1)?.due
  for (const timer of timers) {
    const last = stops.at(-1)
    if (timer.due === null) continue
    if (last?.due === timer.due) last.timers.push(timer)
    else if (stops.length === MOST_STOPS) break
    else stops.push({ due: timer.due, timers: [timer], isCut: timer.due === cutAt })
  }
  return stops
}

/** What is pending, as stops on a line: a click goes there. */
export const TimeLine = ({ view }: { view: View }) => {
  const pending = view.tables.timers.size
  if (pending === 0) return <p class="quiet">Nothing is pending.</p>
  const timers = view.world.upcoming(MOST_TIMERS)
  const stops = stopsOf(timers)
  /** They wait for reads alone; nobody has counted them where there are more timers than were looked at. */
  const waiting = timers.length < MOST_TIMERS ? pending - timers.length : 0
  return (
    <>
      <ActionForm view={view} action="/console/clock/advance" label="Go to a pending timer">
        <ol class="time-line">
          <li class="here">now</li>
          {stops.map((stop) => (
            <StopButton view={view} stop={stop} />
          ))}
        </ol>
      </ActionForm>
      <ul class="told">
        {timers.slice(0, MOST_TOLD).map((timer) => (
          <li>
            <TimerInWords view={view} timer={timer} />
          </li>
        ))}
        {pending > MOST_TOLD ? (
          <li class="quiet">{pending.toLocaleString('en')} are pending in all</li>
        ) : null}
        {waiting > 0 ? (
          <li class="quiet">
            {waiting.toLocaleString('en')} {waiting === 1 ? 'waits' : 'wait'} for status reads, not
            for time
          </li>
        ) : null}
      </ul>
    </>
  )
}

const StopButton = ({ view, stop: { due, timers, isCut } }: { view: View; stop: Stop }) => {
  const iso = isoTime(due)
  const count = `${timers.length} ${timers.length === 1 ? 'timer' : 'timers'}${isCut ? ' or more' : ''}`
  return (
    <li>
      <button type="submit" name="to" value={iso} title={`Go to ${readable(iso)}: ${count}`}>
        <span class="unseen">{`Go to ${readable(iso)}: ${count}, `}</span>
        <span class="dot" aria-hidden="true">
          {isCut ? `${timers.length}+` : timers.length > 1 ? timers.length : ''}
        </span>
        +<Until view={view} due={due} />
      </button>
    </li>
  )
}

/** What a timer will do, to what, and which rule asked for it. */
export const TimerInWords = ({ view, timer }: { view: View; timer: Timer }) => {
  const { subject, scenario, rule } = timer.plan
  const { command = '', input } = stepOf(timer) ?? {}
  const to = (input as { to?: unknown } | undefined)?.to
  const when =
    timer.due === null ? (
      readsInWords(timer.reads ?? 0)
    ) : (
      <>
        in <Until view={view} due={timer.due} />
      </>
    )
  return (
    <>
      {when}: <SubjectOf view={view} id={subject} /> {typeof to === 'string' ? `→ ${to}` : command}{' '}
      <span class="quiet">
        by <RuleLink view={view} scenario={scenario} rule={rule} />
      </span>
    </>
  )
}

const SubjectOf = ({ view, id }: { view: View; id: string }) => {
  const { transfers, payouts } = view.tables
  if (transfers.get(id)) return <TransferLink view={view} id={id} />
  if (payouts.get(id)) return <PayoutLink view={view} id={id} />
  return <UserLink view={view} id={id} />
}
