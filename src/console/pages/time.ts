import { agoText, CONTROL_TEXTS, laterSteps, timerCause } from '../../activity/control-sentences.js'
import { clientChanges, entrySentence, timerSentence } from '../../activity/entry-sentences.js'
import { BEGIN } from '../../activity/groups.js'
import { plannedStatus } from '../../activity/record-sentences.js'
import { toActor } from '../../activity/story.js'
import {
  changeSentence,
  findTakenBack,
  findTakenByReset,
  moreRecords,
  takenBackText,
} from '../../activity/ways-back.js'
import { pluralize } from '../../history/format.js'
import { buildLineage } from '../../history/lineage.js'
import type { Entry } from '../../kernel/entry.js'
import { toIso } from '../../kernel/time.js'
import type { Timer } from '../../kernel/timer-records.js'
import type { Snapshot } from '../../worlds/snapshots.js'
import { drawButton, drawFields } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import { drawText, markOf } from '../components/text.js'
import { drawTimeline, drawWayBack, type Step } from '../components/timeline.js'
import type { PageContext } from '../page-context.js'

const MAX_PLANNED = 12
const MAX_PAST = 200
/** Of the calls in a row that are one step. */
const MAX_UNFOLDED = 25
const MAX_RECORDS = 50

/** One line: what is planned, now, and the entries and snapshots that led here. */
export const drawTimeControl = (ctx: PageContext): Html => {
  const planned = ctx.world.upcoming(MAX_PLANNED)
  const more = ctx.tables.timers.size - planned.length
  const fields = [{ name: 'name', label: 'Snapshot' }]
  const take = { operation: 'takeSnapshot', fields, submit: 'Take it', kind: 'quiet' } as const
  const now = { kind: 'now', at: 'now', what: 'Now', actions: drawFields(ctx, take) }
  const steps = [...planned.map((it) => plannedStep(ctx, it)).reverse(), now, ...pastSteps(ctx)]
  return html`
    <section id="time">
      <header><h2>Time and snapshots</h2></header>
      ${more > 0 && html`<p class="note">${laterSteps(more)}</p>`}
      ${drawTimeline(ctx, steps)}
    </section>`
}

const drawAct = (
  ctx: PageContext,
  operation: string,
  given: Readonly<Record<string, string>>,
  text: string,
): Html => drawButton(ctx, { operation, given, kind: 'quiet' }, text)

const plannedStep = (ctx: PageContext, timer: Timer): Step => {
  const { id, due } = timer
  const at = due === null ? undefined : toIso(due)
  return {
    kind: `planned ${markOf(plannedStatus(timer))}`,
    at: at ?? 'later',
    what: drawText(ctx, timerSentence(ctx, timer)),
    cause: timerCause(timer),
    actions: [
      drawAct(ctx, 'fireTimer', { id }, 'Fire now'),
      drawAct(ctx, 'cancelTimer', { id }, 'Cancel'),
    ],
    money: at && drawAct(ctx, 'advanceClock', { to: at }, 'Go there'),
  }
}

const isOfClient = ({ cause }: Entry): boolean => toActor(cause) === 'client'

/** The newest entries that lead here. Entries of a client in a row are one step. */
const pastSteps = (ctx: PageContext): Step[] => {
  const { live } = ctx
  const beginning = live.beginning.at(-1)?.seq ?? 0
  const entries = buildLineage(live.journal.newestAfter(beginning, MAX_PAST))
  const [oldest] = entries
  const between = oldest && oldest.command !== BEGIN ? oldest.seq - beginning - 1 : 0
  const runs: Entry[][] = []
  for (const entry of entries) {
    const last = runs.at(-1)
    if (last?.every(isOfClient) && isOfClient(entry)) last.push(entry)
    else runs.push([entry])
  }
  const steps = [
    ...runs.map((run) => [run.at(-1)?.seq, entryStep(ctx, run)]),
    ...live.snapshots().map((it) => [it.seq, snapshotStep(ctx, it)]),
  ] as [seq: number, step: Step][]
  steps.sort(([a], [b]) => b - a)
  return [...steps.map(([, step]) => step), beginStep(ctx, between)]
}

const entryStep = (ctx: PageContext, run: readonly Entry[]): Step => {
  const [{ seq }] = run as [Entry]
  const { at, cause, events } = run.at(-1) as Entry
  const drawOne = (it: Entry) => drawText(ctx, entrySentence(ctx.tables, it))
  const isRule = cause.kind === 'timer'
  const to = String(events.find((event) => 'to' in event)?.to)
  const body = html`<ol>${run
    .slice(-MAX_UNFOLDED)
    .toReversed()
    .map(
      (it) =>
        html`<li class="row note"><span>${drawOne(it)}</span> ${drawWayBack(ctx, it.seq)}</li>`,
    )}</ol>`
  const isOne = run.length === 1
  return {
    kind: toActor(cause) === 'you' ? 'you' : isRule ? markOf(to) : 'call',
    at,
    what: isOne ? run.map(drawOne) : clientChanges(run),
    entry: isRule ? undefined : seq,
    details: isOne
      ? undefined
      : { summary: `The newest ${Math.min(run.length, MAX_UNFOLDED)} of them`, body },
  }
}

/** Lists the records that an undo to an entry or a reset takes back, with the button that does it. */
export const drawBack = (ctx: PageContext): Html => {
  const [operation, to] = [ctx.query.get('do') ?? '', Number(ctx.query.get('to'))]
  const isReset = operation === 'reset'
  if (!isReset && (operation !== 'undo' || !Number.isSafeInteger(to))) return undefined
  const taken = isReset ? findTakenByReset(ctx) : findTakenBack(ctx, to)
  const { records } = taken
  const act = { operation, given: isReset ? {} : { to: String(to) }, kind: 'danger' } as const
  return html`
    <section class="callout warn">
      <h2>This takes back ${takenBackText(taken)}</h2>
      ${isReset && html`<p>${CONTROL_TEXTS.reset}</p>`}
      <ul>${records
        .slice(0, MAX_RECORDS)
        .map((it) => html`<li>${drawText(ctx, changeSentence(ctx.tables, it))}</li>`)}</ul>
      ${records.length > MAX_RECORDS && html`<p class="note">${moreRecords(records.length - MAX_RECORDS)}</p>`}
      <div class="row">
        ${drawButton(ctx, act, isReset ? 'Reset' : 'Take it back')}
        <a class="button" href="${ctx.href('/control')}">Keep it</a>
      </div>
    </section>`
}

const snapshotStep = (ctx: PageContext, { name, seq, world }: Snapshot): Step => ({
  kind: 'flag',
  at: toIso(world.now),
  what: `Snapshot ${name}`,
  cause: [agoText(Math.max(ctx.live.journal.newest - seq, 0))],
  actions: [
    drawAct(ctx, 'restoreSnapshot', { name }, 'Restore'),
    drawAct(ctx, 'forkSnapshot', { name }, 'Open as a world'),
    drawAct(ctx, 'deleteSnapshot', { name }, 'Delete'),
  ],
})

const beginStep = (ctx: PageContext, between: number): Step => ({
  kind: 'now',
  at: ctx.live.beginning.at(-1)?.at ?? toIso(ctx.world.now),
  what: 'World began',
  cause: [
    `Fixtures, seed ${ctx.world.seed}`,
    between > 0 ? `. ${pluralize(between, 'older entry', 'older entries')} between` : '',
  ],
  money: html`<a class="button quiet" href="${ctx.href('/control?do=reset')}">Reset…</a>`,
})
