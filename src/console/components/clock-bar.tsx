import { readClockSetting } from '../../domain/clock.js'
import { toIso } from '../../kernel/time.js'
import { formatTime } from '../format.js'
import type { PageContext } from '../page-context.js'
import { ActionForm } from './form.js'
import { Until } from './time.js'

/** The world's time. A script advances it while the clock runs. */
export const Now = ({ ctx }: { ctx: PageContext }) => {
  const { now, tables } = ctx.world
  const { speed } = readClockSetting(tables)
  const iso = toIso(now)
  return (
    <time
      class="clock-text"
      datetime={iso}
      title={`world time ${iso}`}
      data-now={now}
      data-speed={speed}
    >
      {formatTime(iso).slice(0, 19)}
    </time>
  )
}

export const formatClockMode = ({ tables }: PageContext): string => {
  const { mode, speed } = readClockSetting(tables)
  if (mode === 'manual') return 'paused'
  return mode === 'real' ? 'running' : `running at ${speed}×`
}

/** The clock at the top of every page, with the most common moves. */
export const ClockBar = ({ ctx }: { ctx: PageContext }) => {
  const { nextDue } = ctx.world
  return (
    <section id="clock" class="clock-bar" data-live aria-label="World clock">
      <a href={ctx.href('/')} class="clock-now" title="The clock">
        <Now ctx={ctx} /> <span class="quiet">{formatClockMode(ctx)}</span>
      </a>
      <ActionForm ctx={ctx} action="/console/clock/advance" label="Move time">
        <button type="submit" name="by" value="1m">
          +1 min
        </button>
        <button type="submit" name="next" value="1" disabled={nextDue === undefined}>
          {nextDue === undefined ? (
            'next'
          ) : (
            <>
              next +<Until ctx={ctx} due={nextDue} />
            </>
          )}
        </button>
        <button type="submit" name="until" value="idle" disabled={nextDue === undefined}>
          until idle
        </button>
      </ActionForm>
    </section>
  )
}
