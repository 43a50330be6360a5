import { instantAfter, laterThan } from '../http/instants.js'
import { paceNamed } from '../http/pace-named.js'
import { DURATION_FORMS, type Instant, isoTime } from '../world/kernel/time.js'
import type { Action, Fields } from './actions.js'
import { Now, paceInWords } from './clock-bar.js'
import { ActionForm } from './form.js'
import { Panel } from './parts.js'
import { readable } from './time.js'
import { TimeLine } from './time-line.js'
import type { View } from './view.js'

/** The clock as a large control. */
export const ClockPanel = ({ view }: { view: View }) => (
  <Panel title="Clock" kind="clock">
    <p class="big-now">
      <Now view={view} /> <span class="quiet">UTC, {paceInWords(view)}</span>
    </p>
    <PaceForm view={view} />
    <AdvanceForm view={view} />
    <TimeLine view={view} />
  </Panel>
)

const PaceForm = ({ view }: { view: View }) => {
  const { mode, speed } = view.tables.clock.get('clock') ?? { mode: 'manual', speed: 0 }
  const now = mode === 'speed' ? `${speed}x` : mode
  const paces = [
    ['manual', 'Stand still'],
    ['real', 'Run'],
    ['60x', 'Run 60×'],
  ]
  return (
    <ActionForm view={view} action="/console/clock/set" label="How time runs">
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

const AdvanceForm = ({ view }: { view: View }) => {
  const isIdle = view.world.nextDue === undefined
  return (
    <ActionForm view={view} action="/console/clock/advance" label="Move the clock">
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

const targetOf = ({ world }: View, { by, to, until, next }: Fields): Instant | 'idle' => {
  if (until === 'idle') return 'idle'
  if (next !== undefined) return Math.max(world.nextDue ?? world.now, world.now)
  if (to !== undefined) return laterThan(world, to, 'to')
  return instantAfter(world, by ?? '', 'by', DURATION_FORMS)
}

const advance: Action = {
  path: '/console/clock/advance',
  operation: 'advanceClock',
  act: async ({ view, fields, cause }) => {
    const { now, count } = await view.line.advanceInSlices(targetOf(view, fields), cause)
    const fired =
      count === 0
        ? 'nothing was due'
        : `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`
    return `It is ${readable(isoTime(now))} now: ${fired}.`
  },
}

const set: Action = {
  path: '/console/clock/set',
  operation: 'setClock',
  act: ({ view, fields: { mode = '' }, cause }) => {
    const pace = paceNamed(mode)
    view.line.setPace(pace, cause)
    return pace.mode === 'manual' ? 'Time stands still.' : 'Time runs.'
  },
}

export const clockActions: readonly Action[] = [advance, set]
