import * as z from 'zod'
import { findChanges, findPlans, type RecordChange, showChange } from '../../activity/changes.js'
import { plannedStep, stepSentence } from '../../activity/entry-sentences.js'
import { toPlainText } from '../../activity/record-sentences.js'
import { describeWhy, explainRecord, findTimers } from '../../activity/story.js'
import { explainRequest } from '../../history/explain.js'
import { ok, operation } from '../../http/operation/operation.js'
import type { Timer } from '../../kernel/timer-records.js'
import { showTimers, timer } from './clock.js'
import { EXAMPLES, idPath } from './fields.js'
import { entryParts } from './journal.js'
import { findExchange, findRecord, NOUNS } from './records.js'

const change = z
  .object({
    noun: z.enum(NOUNS),
    id: z.string(),
    did: z.enum(['made', 'changed', 'removed']),
    fields: z
      .array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() }))
      .nullable()
      .meta({ description: 'The fields that differ; null if nothing kept the record before' }),
  })
  .meta({ id: 'RecordChange' })

const step = z
  .object({
    ...entryParts,
    events: entryParts.events.meta({ description: 'Its events about the record' }),
    sentence: z.string().meta({ description: 'The same in words' }),
    because: z.int().nullable().meta({
      description: 'For what a timer did: the number of the entry that set the timer',
    }),
    changes: z.array(change).meta({ description: 'Each record that it touched' }),
  })
  .meta({ id: 'WhyEntry' })

const planned = timer
  .extend({ sentence: z.string().meta({ description: 'Its next step in words' }) })
  .meta({ id: 'PlannedStep' })

const answer = z
  .object({
    complete: z.boolean().meta({ description: 'Whether nothing is missing at its beginning' }),
    begins_at: z.iso.datetime().meta({ description: 'Where what is known begins' }),
    entries: z.array(step).meta({ description: 'Oldest first' }),
    next: z
      .array(planned)
      .meta({ description: 'The pending timers of the record, or those that the request set' }),
  })
  .meta({ id: 'Why' })

export const why = operation({
  id: 'why',
  method: 'get',
  path: '/_sandbox/records/{id}/why',
  tag: 'Journal',
  summary: 'Explain a record or a request',
  description:
    'The entries that changed a record of any kind, refused ones too, each with its cause and what it changed, and the ' +
    'entries that set its timers. `next` has the timers that are pending. `complete` is false if the journal no longer ' +
    'has the beginning. For a request, by its `x-request-id`, the entries that it caused.',
  params: idPath(EXAMPLES.payouts),
  answers: { 200: { description: 'Its history since the last reset', schema: answer } },
  handle: async ({ sandbox, live, world, params: { id } }) => {
    const { tables, now } = world
    const view = { sandbox, live, tables }
    const record = findRecord(world, id)
    const found = record
      ? explainRecord(view, record.noun, id)
      : explainRequest(live.journal.all(), await findExchange(live, id), now)
    const entries = found.entries.map((it) => {
      const { seq, at, command, cause, refused } = it.entry
      const sentence = describeWhy(view, it, record?.record.id)
      const { events, because } = it
      const isAsked = (change: RecordChange) => cause.kind !== 'fixtures' || change.id === id
      const changes = findChanges([it.entry]).filter(isAsked).map(showChange)
      const shown = { seq, at, command, cause, events, sentence, because, changes }
      return { ...shown, ...(refused && { refused }) }
    })
    const timers = record
      ? findTimers(view, id)
      : findPlans(
          tables,
          found.entries.map(({ entry }) => entry),
        )
    const next = showTimers(timers).map((it, i) => ({
      ...it,
      sentence: toPlainText(stepSentence(plannedStep(view, timers[i] as Timer, record?.record.id))),
    }))
    return ok({ ...found, entries, next })
  },
})
