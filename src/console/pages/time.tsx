import { buildLineage } from '../../history/lineage.js'
import type { Snapshot } from '../../history/snapshots.js'
import type { Entry } from '../../kernel/entry.js'
import { toIso } from '../../kernel/time.js'
import type { Timer } from '../../kernel/timers.js'
import { ActionButton, ActionForm } from '../components/form.js'
import { Text } from '../components/links.js'
import { markOf } from '../components/status.js'
import { type Step, Timeline } from '../components/timeline.js'
import { requestsSentence, snapshotCause, timerCause, timerSentence } from '../control-sentences.js'
import { pluralize } from '../format.js'
import { History } from '../layout.js'
import type { PageContext } from '../page-context.js'
import { entrySentence } from '../sentences.js'
import { nowStep } from './story.js'

const MAX_PLANNED = 12
const MAX_PAST = 200
const MAX_UNFOLDED = 20

/** One line: what is planned, now, and the entries and snapshots that led here. */
export const TimeLine = ({ ctx }: { ctx: PageContext }) => {
  const planned = ctx.world.upcoming(MAX_PLANNED)
  const more = ctx.tables.timers.size - planned.length
  return (
    <section id="time">
      <header>
        <h2>Time and snapshots</h2>
        <div class="row">
          <History ctx={ctx} />
        </div>
      </header>
      {more > 0 ? <p class="note">{pluralize(more, 'more step')} planned after these.</p> : null}
      <Timeline
        ctx={ctx}
        steps={[
          ...planned.map((it) => plannedStep(ctx, it)).reverse(),
          { ...nowStep(ctx), actions: <TakeSnapshot ctx={ctx} /> },
          ...pastSteps(ctx),
        ]}
      />
    </section>
  )
}

const TakeSnapshot = ({ ctx }: { ctx: PageContext }) => (
  <ActionForm
    ctx={ctx}
    operation="takeSnapshot"
    fields={[{ name: 'name', label: 'Snapshot' }]}
    submit="Take it"
    kind="quiet"
  />
)

const plannedStep = (ctx: PageContext, timer: Timer): Step => {
  const { id, due, plan, done } = timer
  const { to } = Object(plan.steps[done]?.input) as { to?: unknown }
  const given = { id }
  return {
    kind: `planned ${markOf(String(to))}`,
    at: due === null ? 'later' : toIso(due),
    what: <Text ctx={ctx} prose={timerSentence(ctx.tables, timer)} />,
    cause: timerCause(timer),
    actions: (
      <>
        <ActionButton ctx={ctx} operation="fireTimer" given={given} kind="quiet">
          Fire now
        </ActionButton>
        <ActionButton ctx={ctx} operation="cancelTimer" given={given} kind="quiet">
          Cancel
        </ActionButton>
      </>
    ),
    money:
      due === null ? null : (
        <ActionButton ctx={ctx} operation="advanceClock" given={{ to: toIso(due) }} kind="quiet">
          Go there
        </ActionButton>
      ),
  }
}

const isOfClient = ({ cause }: Entry): boolean => cause.kind === 'request' || cause.kind === 'read'

/** The newest entries that lead here. Entries of a client in a row are one step. */
const pastSteps = (ctx: PageContext): Step[] => {
  const { live } = ctx
  const beginning = live.beginning.at(-1)?.seq ?? 0
  const entries = buildLineage(live.journal.newestAfter(beginning, MAX_PAST))
  const between = (entries[0]?.seq ?? beginning + 1) - beginning - 1
  const runs: Entry[][] = []
  for (const entry of entries) {
    const last = runs.at(-1)
    if (last?.every(isOfClient) && isOfClient(entry)) last.push(entry)
    else runs.push([entry])
  }
  const steps = [
    ...runs.map((run, i) => [run.at(-1)?.seq ?? 0, entryStep(ctx, run, i === runs.length - 1)]),
    ...live.snapshots().map((it) => [it.seq, snapshotStep(ctx, it)]),
  ] as [seq: number, step: Step][]
  steps.sort(([a], [b]) => b - a)
  return [...steps.map(([, step]) => step), beginStep(ctx, between)]
}

const entryStep = (ctx: PageContext, run: readonly Entry[], isNewest: boolean): Step => {
  const { seq, at, cause, events } = run.at(-1) as Entry
  const sentences = run
    .slice(-MAX_UNFOLDED)
    .map((it) => <Text ctx={ctx} prose={entrySentence(ctx.tables, it)} />)
  const isRule = cause.kind === 'timer'
  const isYou = cause.kind === 'control' || cause.kind === 'library'
  const to = String(events.find((event) => 'to' in event)?.to)
  return {
    kind: isYou ? 'you' : isRule ? markOf(to) : 'call',
    at,
    what: run.length === 1 ? sentences[0] : requestsSentence(run.length),
    money:
      isNewest || isRule ? null : (
        <ActionButton ctx={ctx} operation="undo" given={{ to: String(seq) }} kind="quiet">
          Back to here
        </ActionButton>
      ),
    details:
      run.length === 1
        ? undefined
        : { summary: 'The newest of them', body: sentences.map((it) => <p class="note">{it}</p>) },
  }
}

const snapshotStep = (ctx: PageContext, { name, seq, world }: Snapshot): Step => {
  const given = { name }
  return {
    kind: 'flag',
    at: toIso(world.now),
    what: `Snapshot ${name}`,
    cause: snapshotCause(Math.max(ctx.live.journal.newest - seq, 0)),
    actions: (
      <>
        <ActionButton ctx={ctx} operation="restoreSnapshot" given={given}>
          Restore
        </ActionButton>
        <ActionButton ctx={ctx} operation="forkSnapshot" given={given}>
          Open as a world
        </ActionButton>
        <ActionButton ctx={ctx} operation="deleteSnapshot" given={given} kind="quiet">
          Delete
        </ActionButton>
      </>
    ),
  }
}

const beginStep = (ctx: PageContext, between: number): Step => ({
  kind: 'now',
  at: ctx.live.beginning.at(-1)?.at ?? toIso(ctx.world.now),
  what: 'World began',
  cause: [
    `Fixtures, seed ${ctx.world.seed}`,
    between > 0 ? `. ${pluralize(between, 'older entry', 'older entries')} between` : '',
  ],
  money: (
    <ActionButton ctx={ctx} operation="reset" kind="quiet">
      Reset
    </ActionButton>
  ),
})
