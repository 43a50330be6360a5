import { readClockSetting } from '../../domain/clock.js'
import { toIso } from '../../kernel/time.js'
import { type Action, formAction } from '../actions.js'
import { formatClockMode, Now } from '../components/clock-bar.js'
import { ActionForm } from '../components/form.js'
import { Panel } from '../components/panel.js'
import { TimeLine } from '../components/timer-line.js'
import { formatTime, pluralize } from '../format.js'
import type { PageContext } from '../page-context.js'

export const ClockPanel = ({ ctx }: { ctx: PageContext }) => (
  <Panel title="Clock" kind="clock">
    <p class="big-now">
      <Now ctx={ctx} /> <span class="quiet">UTC, {formatClockMode(ctx)}</span>
    </p>
    <ClockModeForm ctx={ctx} />
    <AdvanceForm ctx={ctx} />
    <TimeLine ctx={ctx} />
  </Panel>
)

const ClockModeForm = ({ ctx }: { ctx: PageContext }) => {
  const { mode, speed } = readClockSetting(ctx.tables)
  const now = mode === 'speed' ? `${speed}x` : mode
  const paces = [
    ['manual', 'Pause'],
    ['real', 'Run'],
    ['60x', 'Run 60×'],
  ]
  return (
    <ActionForm ctx={ctx} action="/console/clock/set" label="How time runs">
      <span class="segments">
        {paces.map(([value, text]) => (
          <button
            type="submit"
            name="mode"
            value={value}
            aria-pressed={value === now ? 'true' : 'false'}
          >
            {text}
          </button>
        ))}
      </span>
    </ActionForm>
  )
}

const STEPS = [
  ['1m', '+1 min'],
  ['1h', '+1 h'],
  ['1d', '+1 day'],
]

const AdvanceForm = ({ ctx }: { ctx: PageContext }) => {
  const isIdle = ctx.world.nextDue === undefined
  return (
    <ActionForm ctx={ctx} action="/console/clock/advance" label="Move the clock">
      {STEPS.map(([by, text]) => (
        <button type="submit" name="by" value={by}>
          {text}
        </button>
      ))}
      <button type="submit" name="next" value="1" disabled={isIdle}>
        To next timer
      </button>
      <button type="submit" name="until" value="idle" disabled={isIdle}>
        Until idle
      </button>
    </ActionForm>
  )
}

/** The time of day, with the date if it changed. */
const formatTarget = (at: string, from: string): string => {
  const time = formatTime(at).slice(0, 19)
  return at.slice(0, 10) === from.slice(0, 10) ? time.slice(11) : time
}

const advance = formAction<{ now: string; count: number }>({
  path: '/console/clock/advance',
  operation: 'advanceClock',
  toInput: ({ ctx: { world }, fields }) =>
    fields.next === undefined
      ? { body: fields }
      : { body: { to: toIso(Math.max(world.nextDue ?? world.now, world.now)) } },
  conclude: ({ startedAt }, { now, count }) => {
    const fired = count === 0 ? 'nothing was due' : pluralize(count, 'entry', 'entries')
    return `Advanced to ${formatTarget(now, toIso(startedAt))}: ${fired}.`
  },
})

const set = formAction<{ speed: number }>({
  path: '/console/clock/set',
  operation: 'setClock',
  conclude: (_, { speed }) => (speed === 0 ? 'The clock is paused.' : 'The clock runs.'),
})

export const clockActions: readonly Action[] = [advance, set]
