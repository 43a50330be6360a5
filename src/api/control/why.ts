import * as z from 'zod'
import { explainRequest, findCauses } from '../../history/explain.js'
import { ok, operation } from '../../http/operation/operation.js'
import { showTimers, timer } from './clock.js'
import { EXAMPLES, idPath } from './fields.js'
import { entryParts } from './journal.js'
import { findExchange, findRecord } from './records.js'

const step = z
  .object({
    ...entryParts,
    events: entryParts.events.meta({ description: 'Its events about the record' }),
    sentence: z.string().meta({ description: 'The same in words' }),
    because: z.int().nullable().meta({
      description: 'For what a timer did: the number of the entry that set the timer',
    }),
  })
  .meta({ id: 'WhyEntry' })

const answer = z
  .object({
    complete: z.boolean().meta({ description: 'Whether nothing is missing at its beginning' }),
    begins_at: z.iso.datetime().meta({ description: 'Where what is known begins' }),
    entries: z.array(step).meta({ description: 'Oldest first' }),
    next: z.array(timer).meta({ description: 'The pending timers of the record' }),
  })
  .meta({ id: 'Why' })

export const why = operation({
  id: 'why',
  method: 'get',
  path: '/_sandbox/records/{id}/why',
  tag: 'Journal',
  summary: 'Explain a record or a request',
  description:
    'The entries that changed a record of any kind, refused ones too, each with its cause, and the entries that set ' +
    'its timers. `next` has the timers that are pending. `complete` is false if the journal no longer has the ' +
    'beginning. For a request, by its `x-request-id`, the entries that it caused.',
  params: idPath(EXAMPLES.payouts),
  answers: { 200: { description: 'Its history since the last reset', schema: answer } },
  handle: async ({ live, world, params: { id } }) => {
    const { journal, beginning } = live
    const record = findRecord(world, id)
    const found = record
      ? findCauses(journal.all(), beginning, record.noun, id, world.now)
      : explainRequest(journal.all(), await findExchange(live, id), world.now)
    return ok({ ...found, next: showTimers(world.tables.timers.list('subject', id)) })
  },
})
