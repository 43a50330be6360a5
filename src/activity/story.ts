import type { Noun, Why, WhyEntry } from '../history/explain.js'
import type { Cause, DomainEvent, Entry, RuleCause } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'
import { toIso } from '../kernel/time.js'
import { compareByDue, type Timer } from '../kernel/timer-records.js'
import type { LiveWorld } from '../worlds/live-world.js'
import { isSameCause } from '../worlds/undo-history.js'
import {
  entrySentence,
  plannedStep,
  type Step,
  type StepView,
  stepSentence,
  toSteps,
} from './entry-sentences.js'
import { readHistories } from './histories.js'
import { plannedMoves, toPlainText } from './record-sentences.js'
import type { View } from './view.js'

/** A step of a record, done or planned. */
export interface StoryStep extends Step {
  /** World time; null for a plan that waits for reads. */
  readonly at: string | null
  /** Number in the journal; undefined for a planned step. */
  readonly entry?: number
}

export interface Story {
  /** Whether nothing is missing at its beginning. */
  readonly complete: boolean
  /** Where what is known begins. */
  readonly begins_at: string
  /** Oldest first. */
  readonly done: readonly StoryStep[]
  /** Next one first. */
  readonly planned: readonly StoryStep[]
}

export const readStory = (view: View, noun: Noun, record: Row): Story => {
  const { id } = record
  const found = explainRecord(view, noun, id)
  const { complete, begins_at, entries } = found
  const done = entries.flatMap(({ entry, events }) => {
    const own = events.filter((event) => (event.subject ?? event.id) === id)
    const isOwn = own.length > 0 || entry.refused || entry.cause.kind === 'fixtures'
    const { seq, at } = entry
    return isOwn ? toSteps(view, entry, own, id).map((it) => ({ ...it, at, entry: seq })) : []
  })
  return { complete, begins_at, done, planned: plannedSteps(view, record) }
}

export const explainRecord = (view: View, noun: Noun, id: string): Why => {
  const { beginning, world, journal } = view.live
  return readHistories(view).explain(beginning, noun, id, world.now, journal.oldest)
}

/** The pending timers of a record, next one first. */
export const findTimers = ({ tables }: Pick<View, 'tables'>, id: string): Timer[] =>
  tables.timers.list('subject', id).sort(compareByDue)

const plannedSteps = (view: View, record: Row): StoryStep[] => {
  const { status = '' } = record as { readonly status?: string }
  return findTimers(view, record.id)
    .flatMap((timer) => plannedMoves(timer, status))
    .map(({ due, timer, done }) => ({
      ...plannedStep(view, { ...timer, done }, record.id),
      at: due === null ? null : toIso(due),
    }))
}

/** `you` are the control API, a test or the console. */
export const toActor = ({ kind }: Cause | RuleCause) => {
  if (kind === 'request' || kind === 'read') return 'client'
  if (kind === 'control' || kind === 'library') return 'you'
  if (kind === 'rule' || kind === 'timer') return 'scenario'
  return kind === 'fixtures' ? 'fixtures' : 'sandbox'
}

/** The sentences about an entry, or only those about a record. */
export const describeEntry = (
  view: StepView,
  entry: Entry,
  events: readonly DomainEvent[] = entry.events,
  about?: string,
): string => {
  const steps = toSteps(view, entry, events, about)
  return [...new Set(steps.map((it) => toPlainText(stepSentence(it))))].join('. ')
}

/** An entry that only planned a step of the record says so. */
export const describeWhy = (view: StepView, it: WhyEntry, about?: string): string =>
  it.isAbout
    ? describeEntry(view, it.entry, it.events, about)
    : `${describeEntry(view, it.entry, [])}, which planned a later step`

/** The act of a cause; null if the journal no longer has it. */
export const describeCause = ({ journal, world }: LiveWorld, cause: Cause): string | null => {
  const entry = journal.all().findLast((it) => isSameCause(it.cause, cause))
  return entry ? toPlainText(entrySentence(world.tables, entry)) : null
}
