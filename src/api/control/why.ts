import * as z from 'zod'
import { findCauses, type Noun, nouns } from '../../history/explain.js'
import { type Operation, ok, operation } from '../../http/operation/operation.js'
import { showTimers, timer } from './clock.js'
import { EXAMPLES, idPath } from './fields.js'
import { entryParts } from './journal.js'
import { capitalized, knownRecord, withArticle } from './resource.js'

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

const createWhyOperation = (noun: Noun): Operation => {
  const words = noun.slice(0, -1).split('_')
  const singular = words.join(' ').replace('api', 'API')
  return operation({
    id: `why${words.map(capitalized).join('')}`,
    method: 'get',
    path: `/_sandbox/${noun.replace('_', '-')}/{id}/why`,
    tag: 'Journal',
    summary: `Explain ${withArticle(singular)}`,
    description:
      'The entries that changed the record, refused ones too, each with its cause, and the entries that set ' +
      'its timers. `next` has the timers that are pending. `complete` is false if the journal no longer has the beginning.',
    params: idPath(EXAMPLES[noun]),
    answers: { 200: { description: 'Its history since the last reset', schema: answer } },
    handle: ({ live, world, params: { id } }) => {
      knownRecord<unknown>(world.tables[noun], id, singular)
      const { journal, beginning } = live
      const why = findCauses(journal.all(), beginning, noun, id, world.now)
      return ok({ ...why, next: showTimers(world.tables.timers.list('subject', id)) })
    },
  })
}

export const whyOperations: readonly Operation[] = (Object.keys(nouns) as Noun[]).map(
  createWhyOperation,
)
