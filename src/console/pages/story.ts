import { timerCause } from '../../activity/control-sentences.js'
import { stepCause, stepTitle } from '../../activity/entry-sentences.js'
import { type Attempt, type Inquiry, isInDoubt, isLost } from '../../activity/groups.js'
import { isDone, laterText, plannedMoves, RECORD_TEXTS } from '../../activity/record-sentences.js'
import {
  attemptCause,
  attemptTitle,
  lostCause,
  lostTitle,
  silence,
} from '../../activity/request-sentences.js'
import { findTimers, type Story, type StoryStep } from '../../activity/story.js'
import { statusWord } from '../../history/format.js'
import type { DomainEvent } from '../../kernel/entry.js'
import { toIso } from '../../kernel/time.js'
import { drawButton, drawFolded } from '../components/form.js'
import type { Html } from '../components/html.js'
import type { Tab } from '../components/parts.js'
import { drawJson, drawUntil, markOf } from '../components/text.js'
import type { Step } from '../components/timeline.js'
import type { PageContext } from '../page-context.js'

type PlannedMove = ReturnType<typeof plannedMoves>[number]

interface Moves {
  readonly id: string
  readonly status: string
  readonly operation: string
  readonly moves: readonly string[]
  /** The next status if all goes well. Other moves take a reason. */
  readonly next?: string | undefined
}

const REASONS = ['account_closed', 'rejected_by_bank', 'limit_exceeded', 'returned']

/** The future of a record, last step first: what ends it, what is planned, what is next. */
export const futureSteps = (ctx: PageContext, record: Moves): Step[] => {
  const { id, status, operation, moves, next } = record
  const all = findTimers(ctx, id).flatMap((it) => plannedMoves(it, status))
  const at = all.findIndex(({ to }) => to === next)
  // A plan stays when somebody else makes its first move.
  const [plan, ...later] = all.slice(Math.max(at, 0))
  const drawMove = (to: string): Html => {
    const verb = toVerb(status, to)
    const move = { operation, given: { id, to } }
    if (to === next) return drawButton(ctx, { ...move, kind: 'main' }, `${verb} now`)
    const fields = [{ name: 'reason', suggestions: REASONS }]
    return drawFolded(ctx, {
      ...move,
      summary: verb,
      submit: `${verb} it now`,
      kind: 'danger',
      fields,
    })
  }
  const toStep = (to: string) => ({ kind: `planned ${markOf(to)}`, what: statusWord(to) })
  const toPossible = (to: string): Step => ({
    ...toStep(to),
    at: plan || to !== next ? 'or' : 'next',
    cause:
      RECORD_TEXTS[to === next ? (plan ? 'anyTime' : 'noPlan') : plan ? 'endsPlan' : 'anyTime'],
    actions: drawMove(to),
  })
  const toPlanned = ({ to, due, timer }: PlannedMove): Step => ({
    ...toStep(to),
    at: due === null ? 'later' : toIso(due),
    what: [statusWord(to), due !== null && [', in ', drawUntil(ctx, due)]],
    cause: timerCause(timer),
  })
  const toFirst = (plan: PlannedMove): Step => {
    const { to, due, timer } = plan
    const reads = timer.due === null ? [`, after ${timer.reads} more reads`] : []
    const goThere = due !== null && { operation: 'advanceClock', given: { to: toIso(due) } }
    const actions = [
      moves.includes(to) && drawMove(to),
      goThere && drawButton(ctx, goThere, 'Move the clock there'),
      drawButton(ctx, { operation: 'cancelTimer', given: { id: timer.id } }, 'Drop the plan'),
    ]
    return { ...toPlanned(plan), cause: [...timerCause(timer), ...reads], actions }
  }
  return [
    ...moves.filter((to) => to !== next && to !== plan?.to).map(toPossible),
    ...later.map(toPlanned).reverse(),
    ...(plan ? [toFirst(plan)] : []),
    ...(next === undefined || at >= 0 ? [] : [toPossible(next)]),
  ]
}

const toVerb = (status: string, to: string): string =>
  to.endsWith('FAILED')
    ? isDone(status)
      ? 'Return'
      : 'Fail'
    : (PAYMENT_VERBS[to] ?? statusWord(to))

const PAYMENT_VERBS: Readonly<Record<string, string>> = {
  PAYOUT_PROCESSED: 'Process',
  FUNDS_RECEIVED: 'Receive funds',
  CONVERSION_PROCESSED: 'Convert',
  PAYMENT_SUBMITTED: 'Submit payment',
  PAYMENT_PROCESSED: 'Process payment',
  CANCELLED: 'Cancel',
}

interface Past {
  readonly story: Story
  readonly money?: (event: DomainEvent) => Html
  readonly inquiry?: Inquiry | undefined
  readonly current?: string
}

/** The place of a request without an entry is after the entries before it. */
type PastStep = Step & { readonly place: number }

/** One step per event of the record and per request about it, newest first. */
export const pastSteps = (ctx: PageContext, past: Past): Step[] => {
  const { inquiry, story } = past
  const [first] = story.done
  const own = story.done.filter(({ cause }) => cause.kind !== 'fixtures')
  const begin = own[0]?.at ?? ''
  const steps: Step[] = [...own.map((it) => doneStep(past, it, begin)), ...attemptSteps(past)].sort(
    (a, b) => a.at.localeCompare(b.at) || a.place - b.place,
  )
  if (inquiry && isInDoubt(inquiry) && !inquiry.pair) {
    steps.push({ kind: 'planned call', at: 'now', ...silence(inquiry, ctx.world.now) })
  }
  steps.reverse()
  if (!story.complete) {
    const { begins: what, gap: cause } = RECORD_TEXTS
    steps.push({ kind: 'planned', at: story.begins_at, what, cause })
  }
  if (first?.cause.kind === 'fixtures')
    steps.push({ kind: 'flag', at: first.at ?? '', what: stepTitle(first) })
  return steps
}

const doneStep = (past: Past, step: StoryStep, begin: string): PastStep => {
  const { cause, entry = 0, event, refused } = step
  const at = step.at ?? ''
  const attempts = past.inquiry?.attempts ?? []
  const request = cause.kind === 'request' ? cause.request : undefined
  const attempt = attempts.find(({ exchange }) => exchange.id === request)
  const later = 'source' in cause ? laterText(begin, at, 'the start') : ''
  return {
    place: entry,
    at,
    kind: kindOf(cause.kind, event),
    cause: [...stepCause(step, later), refused === undefined ? '' : `: ${refused}`],
    ...(attempt && attemptParts(past, attempt)),
    ...(attempts.length > 1 && attempt ? {} : { what: stepTitle(step) }),
    money: event && past.money?.(event),
    entry,
  } as PastStep
}

const attemptParts = ({ inquiry, current }: Past, attempt: Attempt) =>
  inquiry && {
    what: attemptTitle(inquiry, attempt),
    cause: attemptCause(inquiry, attempt, current),
    isCurrent: attempt.exchange.id === current,
  }

/** A request that caused no entry has a step, too, and so has a lost response. */
const attemptSteps = (past: Past): PastStep[] => {
  let newest = 0
  return (past.inquiry?.attempts ?? []).flatMap((attempt) => {
    const { exchange, effect } = attempt
    const { at, entries } = exchange
    newest = entries?.to ?? newest
    const base = { at, place: newest + 0.5 }
    const call = { ...base, kind: 'call', what: '', ...attemptParts(past, attempt) }
    const lost = { ...base, kind: 'lost', what: lostTitle, cause: lostCause(exchange) }
    return [...(effect && effect !== 'undone' ? [] : [call]), ...(isLost(exchange) ? [lost] : [])]
  })
}

/** A square is a call, and a teal one is yours. Other steps have the mark of their status. */
const kindOf = (cause: string, event: DomainEvent | undefined): string => {
  if (cause === 'control' || cause === 'library') return 'you'
  return cause === 'request' ? 'call' : markOf(String(event?.to))
}

interface Payment extends Moves, Past {
  readonly answer: unknown
}

export const toStory = (ctx: PageContext, payment: Payment) => {
  const now = { kind: 'now', at: 'now', what: 'Now' }
  const steps = [...futureSteps(ctx, payment), now, ...pastSteps(ctx, payment)]
  return { steps, tabs: [answerTab(payment.answer)] }
}

export const answerTab = (answer: unknown): Tab => {
  const text = 'As a client reads it'
  return { value: 'read', text, body: () => drawJson(JSON.stringify(answer), text) }
}
