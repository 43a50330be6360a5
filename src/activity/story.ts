import { findCauses, type Noun, type WhyEntry } from '../history/explain.js'
import type { Cause, DomainEvent, RuleCause } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'
import { toIso } from '../kernel/time.js'
import { compareByDue } from '../kernel/timer-records.js'
import { findBecause } from './because.js'
import { statusWord } from './format.js'
import { eventTitle, plannedMoves, withReason } from './sentences.js'
import type { View } from './view.js'

/** `you` are the control API, a test or the console. */
type Actor = 'client' | 'you' | 'scenario' | 'fixtures' | 'sandbox'

/** A step of a record, done or planned. */
export interface Step {
  /** World time; null for a plan that waits for reads. */
  readonly at: string | null
  readonly done: boolean
  readonly actor: Actor
  readonly verb: string
  /** Such as `Failed: account_closed`. */
  readonly object: string
  /** The conditions of the rule that did it, and its file and line. */
  readonly because?: string
  /** The values that met the conditions; null for a rule without any. */
  readonly value?: string | null
  /** The request of a client or of a control call. */
  readonly request?: string
  /** Number in the journal. */
  readonly entry?: number
}

export interface Story {
  /** Whether nothing is missing at its beginning. */
  readonly complete: boolean
  /** Oldest first, planned steps last. */
  readonly steps: readonly Step[]
}

export const readStory = (view: View, noun: Noun, record: Row): Story => {
  const { live } = view
  const { id } = record
  const found = findCauses(live.journal.all(), live.beginning, noun, id, live.world.now)
  const done = found.entries.flatMap((entry) => toSteps(view, entry, record))
  return { complete: found.complete, steps: [...done, ...plannedSteps(view, record)] }
}

const toSteps = (view: View, entry: WhyEntry, record: Row): Step[] => {
  const { seq, at, cause, refused, events } = entry
  const base = { at, done: true, entry: seq }
  if (cause.kind === 'fixtures')
    return [{ ...base, ...toActor(cause), verb: 'came', object: 'with the fixtures' }]
  if (refused) return [{ ...base, ...toActor(cause), verb: 'was refused', object: refused.message }]
  return events
    .filter((event) => event.id === record.id)
    .map((event) => {
      const by = event.cause ?? cause
      return { ...base, ...toActor(by), ...toAct(event), ...toReason(view, by, record) }
    })
}

/** `moved it to` and `Failed: account_closed`, or `created` and `payout`. */
const toAct = (event: DomainEvent) => {
  const { type, to } = event
  if (typeof to === 'string') return { verb: 'moved it to', object: eventTitle(event) }
  const [noun = '', verb = ''] = type.replaceAll('_', ' ').split('.')
  return { verb, object: noun }
}

const toActor = (cause: Cause | RuleCause): { actor: Actor; request?: string } => {
  if (cause.kind === 'request' || cause.kind === 'read')
    return { actor: 'client', request: cause.request }
  if (cause.kind === 'control') return { actor: 'you', request: cause.request }
  if (cause.kind === 'library') return { actor: 'you' }
  if (cause.kind === 'rule' || cause.kind === 'timer') return { actor: 'scenario' }
  return { actor: cause.kind === 'fixtures' ? 'fixtures' : 'sandbox' }
}

/** `account number ends in 01 (magic-values.yaml:14)`, and the value */
const toReason = (view: View, cause: Cause | RuleCause, record: Row) => {
  const found = findBecause(view, cause, record)
  if (!found || !('source' in cause)) return undefined
  const { words, value } = found
  return { because: `${words ?? `scenario ${cause.scenario}`} (${cause.source})`, value }
}

const plannedSteps = (view: View, record: Row): Step[] => {
  const { status = '' } = record as { readonly status?: string }
  return view.tables.timers
    .list('subject', record.id)
    .sort(compareByDue)
    .flatMap((timer) => plannedMoves(timer, status))
    .map(({ to, reason, due, timer: { id, plan, done } }) => ({
      at: due === null ? null : toIso(due),
      done: false,
      actor: 'scenario' as const,
      verb: 'moves it to',
      object: withReason(statusWord(to), reason),
      ...toReason(view, { kind: 'timer', timer: id, ...plan, step: done }, record),
    }))
}
