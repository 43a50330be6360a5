import type { Child } from 'hono/jsx'
import { findCauses, type Noun, type Why, type WhyEntry } from '../../history/explain.js'
import type { DomainEvent } from '../../kernel/entry.js'
import { clampInstant, toIso } from '../../kernel/time.js'
import { compareByDue, type Timer } from '../../kernel/timers.js'
import { ActionButton, FoldedForm } from '../components/form.js'
import { Json } from '../components/json.js'
import { Time } from '../components/links.js'
import { markOf } from '../components/status.js'
import { Table } from '../components/table.js'
import type { Tab } from '../components/tabs.js'
import type { Step } from '../components/timeline.js'
import { escapeBidi, statusWord } from '../format.js'
import type { PageContext } from '../page-context.js'
import {
  type Attempt,
  attemptCause,
  attemptTitle,
  type Inquiry,
  isLost,
  lostCause,
  lostTitle,
  silence,
} from '../request-sentences.js'
import {
  causeSentence,
  eventTitle,
  formatBetween,
  gapCause,
  gapTitle,
  scenarioRef,
} from '../sentences.js'

/** The entries about a record, oldest first, and those that planned them. */
export const findHistory = ({ live }: PageContext, noun: Noun, id: string): Why =>
  findCauses(live.journal.all(), live.beginning, noun, id, live.world.now)

/** Follows the past of a record if the journal no longer holds all of it. */
export const gapSteps = ({ complete, begins_at }: Why): Step[] =>
  complete ? [] : [{ kind: 'planned', at: begins_at, what: gapTitle, cause: gapCause }]

/** The pending timers of a record, next one first. */
export const findTimers = ({ tables }: PageContext, id: string): Timer[] =>
  tables.timers.list('subject', id).sort(compareByDue)

interface PlannedMove {
  readonly to: string
  /** Undefined if this move or an earlier one waits for reads. */
  readonly at: number | undefined
  readonly timer: Timer
}

const plannedMoves = (timers: readonly Timer[]): PlannedMove[] =>
  timers.flatMap((timer) => {
    let at = timer.due ?? undefined
    return timer.plan.steps.slice(timer.done).flatMap(({ after_ms, after_reads, input }, i) => {
      if (i > 0) at = at === undefined || after_reads ? undefined : clampInstant(at + after_ms)
      const { to } = input as { to?: unknown }
      return typeof to === 'string' ? [{ to, at, timer }] : []
    })
  })

export interface Moves {
  readonly id: string
  /** The control operation that moves the record. */
  readonly operation: string
  /** The legal moves. */
  readonly moves: readonly string[]
  /** The next status if all goes well. Other moves take a reason. */
  readonly next: string | undefined
  readonly timers: readonly Timer[]
  /** The buttons of the moves. */
  readonly verbs: Readonly<Record<string, string>>
}

const REASONS = ['account_closed', 'rejected_by_bank', 'limit_exceeded', 'returned']

/** The future of a record, last step first: what ends it, what is planned, what is next. */
export const futureSteps = (ctx: PageContext, record: Moves): Step[] => {
  const { moves, next, timers } = record
  const all = plannedMoves(timers)
  const at = all.findIndex(({ to }) => to === next)
  const isPlanned = at >= 0
  // A plan stays when somebody else makes its first move.
  const plans = isPlanned ? all.slice(at) : all
  return [
    ...moves.filter((to) => to !== next).map((to) => endStep(ctx, record, to)),
    ...plans.map((plan, i) => plannedStep(ctx, record, plan, i === 0)).reverse(),
    ...(next === undefined || isPlanned ? [] : [nextStep(ctx, record, next)]),
  ]
}

const endStep = (ctx: PageContext, { id, operation, verbs }: Moves, to: string): Step => ({
  kind: `planned ${markOf(to)}`,
  at: 'or',
  what: statusWord(to),
  cause: ['Possible at any time'],
  actions: (
    <FoldedForm
      ctx={ctx}
      operation={operation}
      given={{ id, to }}
      summary={`${verbs[to]}…`}
      submit={`${verbs[to]} it now`}
      kind="danger"
      fields={[{ name: 'reason', suggestions: REASONS }]}
    />
  ),
})

const plannedStep = (
  ctx: PageContext,
  record: Moves,
  { to, at, timer }: PlannedMove,
  isFirst: boolean,
): Step => ({
  kind: `planned ${markOf(to)}`,
  at: at === undefined ? 'later' : toIso(at),
  what: statusWord(to),
  cause: [
    'Planned by ',
    scenarioRef(timer.plan.scenario),
    ...(timer.due === null && isFirst ? [`, after ${timer.reads} more reads`] : []),
  ],
  actions: isFirst ? (
    <>
      {record.moves.includes(to) ? <MoveButton ctx={ctx} record={record} to={to} /> : null}
      {at === undefined ? null : (
        <ActionButton ctx={ctx} operation="advanceClock" given={{ to: toIso(at) }}>
          Move the clock there
        </ActionButton>
      )}
      <ActionButton ctx={ctx} operation="cancelTimer" given={{ id: timer.id }}>
        Drop the plan
      </ActionButton>
    </>
  ) : null,
})

const nextStep = (ctx: PageContext, record: Moves, to: string): Step => ({
  kind: `planned ${markOf(to)}`,
  at: 'next',
  what: statusWord(to),
  cause: ['Nothing is planned: it waits until you move it'],
  actions: <MoveButton ctx={ctx} record={record} to={to} />,
})

const MoveButton = ({ ctx, record, to }: { ctx: PageContext; record: Moves; to: string }) => (
  <ActionButton ctx={ctx} operation={record.operation} given={{ id: record.id, to }} kind="main">
    {record.verbs[to] ?? statusWord(to)} now
  </ActionButton>
)

export const nowStep = ({ world }: PageContext): Step => ({
  kind: 'now',
  at: toIso(world.now),
  what: 'Now',
})

interface Past {
  readonly id: string
  readonly entries: readonly WhyEntry[]
  readonly money?: (event: DomainEvent) => Child
  /** The requests about the record. Some caused no entry. */
  readonly inquiry?: Inquiry | undefined
  /** The request that the page is about. */
  readonly current?: string
}

/** One step per event of the record and per request about it, newest first. */
export const pastSteps = (ctx: PageContext, past: Past): Step[] => {
  const { id, entries, money, inquiry } = past
  const own = entries.map((entry) => ({
    entry,
    events: entry.events.filter((event) => event.id === id),
  }))
  const begin = own.find(({ events }) => events.length > 0)?.entry.at ?? ''
  const steps = own.flatMap(({ entry, events }) =>
    events.map((event): PastStep => {
      const cause = event.cause ?? entry.cause
      const attempt =
        cause.kind === 'request'
          ? inquiry?.attempts.find(({ exchange }) => exchange.id === cause.request)
          : undefined
      const after = formatBetween(begin, entry.at)
      return {
        n: attempt?.n ?? 0,
        seq: entry.seq,
        kind: kindOf(cause.kind, event),
        at: entry.at,
        what: escapeBidi(eventTitle(event)),
        cause: causeSentence(cause, after === '0 s' ? ', at once' : `, ${after} after the start`),
        ...(attempt && attemptParts(past, attempt)),
        money: money?.(event),
        details: {
          summary: `Entry ${entry.seq}`,
          body: <p class="note">{escapeBidi(entry.sentence)}</p>,
        },
      }
    }),
  )
  for (const attempt of inquiry?.attempts ?? []) addAttempt(steps, past, attempt)
  if (inquiry && isLost(inquiry.newest.exchange)) {
    const at = toIso(ctx.world.now)
    steps.push({ n: 0, seq: 0, kind: 'planned call', at, ...silence(inquiry, ctx.world.now) })
  }
  return steps.reverse()
}

/** A step with the number of its attempt and of its entry, or 0. */
type PastStep = Step & { readonly n: number; readonly seq: number }

const attemptParts = ({ inquiry, current }: Past, attempt: Attempt) =>
  inquiry && {
    ...(inquiry.attempts.length > 1 && { what: attemptTitle(inquiry, attempt) }),
    cause: attemptCause(inquiry, attempt, current),
    isCurrent: attempt.exchange.id === current,
  }

/** A request that caused no entry has a step, too, and so has a lost response. */
const addAttempt = (steps: PastStep[], past: Past, attempt: Attempt): void => {
  const { exchange, n, effect } = attempt
  const { at, entries } = exchange
  const place = (before: (step: PastStep) => boolean) => {
    const found = steps.findIndex(before)
    return found < 0 ? steps.length : found
  }
  const base = { n, seq: 0, at, kind: 'call' }
  const what = past.inquiry && attemptTitle(past.inquiry, attempt)
  if (!effect) {
    const end = place((step) => step.n > n || step.at > at)
    steps.splice(end, 0, { ...base, what, ...attemptParts(past, attempt) })
  }
  if (!isLost(exchange)) return
  const last = entries?.to ?? Number.POSITIVE_INFINITY
  const end = place((step) => step.n > n || step.at > at || (step.n !== n && step.seq > last))
  steps.splice(end, 0, { ...base, kind: 'lost', what: lostTitle, cause: lostCause(exchange) })
}

/** A square is a call, and a teal one is yours. Other steps have the mark of their status. */
const kindOf = (cause: string, { to }: DomainEvent): string => {
  if (cause === 'control' || cause === 'library') return 'you'
  return cause === 'request' ? 'call' : markOf(String(to))
}

export const readTab = (answer: unknown): Tab => ({
  name: 'read',
  text: 'As a client reads it',
  body: () => <Json text={JSON.stringify(answer)} label="As a client reads it" />,
})

export const journalTab = (ctx: PageContext, entries: readonly WhyEntry[]): Tab => ({
  name: 'journal',
  text: 'Journal',
  count: entries.length,
  body: () => (
    <Table
      label="Journal"
      rows={entries.toReversed()}
      columns={[
        { name: 'Time', cell: ({ at }) => <Time ctx={ctx} at={at} /> },
        { name: 'Entry', kind: 'number', cell: ({ seq }) => seq },
        { name: 'Command', cell: ({ command }) => <code>{command}</code> },
        { name: 'What', kind: 'reason', cell: ({ sentence }) => escapeBidi(sentence) },
      ]}
    />
  ),
})
