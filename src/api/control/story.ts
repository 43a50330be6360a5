import * as z from 'zod'
import { becauseText, stepSentence } from '../../activity/entry-sentences.js'
import { toPlainText } from '../../activity/record-sentences.js'
import { readStory, type StoryStep, toActor } from '../../activity/story.js'
import { ok, operation } from '../../http/operation/operation.js'
import { notFound } from '../../kernel/refusal.js'
import { EXAMPLES, idPath } from './fields.js'
import { findRecord } from './records.js'

const step = z
  .object({
    at: z.iso.datetime().nullable().meta({ description: 'Null for a plan that waits for reads' }),
    done: z.boolean().meta({ description: 'False for a planned step' }),
    actor: z.enum(['client', 'you', 'scenario', 'fixtures', 'sandbox']).meta({
      description: '`you` are the control API, a test or the console',
    }),
    verb: z.string().meta({ example: 'marked it as' }),
    object: z.string().meta({ example: 'Failed: account_closed' }),
    value: z.string().nullable().optional().meta({
      description: 'The values that met the conditions of the rule',
      example: '0000000001',
    }),
    because: z.string().optional().meta({
      description: 'The conditions of the rule that did it, and its file and line',
      example: 'account number ends in 01 (magic-values.yaml:14)',
    }),
    request: z.uuid().optional().meta({ description: 'The request that did it' }),
    entry: z.int().optional().meta({ description: 'Its number in the journal' }),
    refused: z.string().optional().meta({ description: 'Why it was refused' }),
    sentence: z.string().meta({ description: 'All of it in words' }),
  })
  .meta({ id: 'StoryStep' })

const showStep = (it: StoryStep): z.input<typeof step> => ({
  at: it.at,
  done: it.entry !== undefined,
  actor: toActor(it.cause),
  verb: toPlainText(it.verb),
  object: toPlainText(it.object),
  because: becauseText(it),
  value: it.because?.value,
  request: 'request' in it.cause ? it.cause.request : undefined,
  entry: it.entry,
  refused: it.refused,
  sentence: toPlainText(stepSentence(it)),
})

export const readRecordStory = operation({
  id: 'readRecordStory',
  method: 'get',
  path: '/_sandbox/records/{id}/story',
  tag: 'Journal',
  summary: 'Read the story of a record',
  description: 'The steps of a record, done and planned, and why each of them happens.',
  params: idPath(EXAMPLES.payouts),
  answers: {
    200: {
      description: 'Its steps since the last reset, the planned ones last',
      schema: z
        .object({
          complete: z
            .boolean()
            .meta({ description: 'Whether nothing is missing at its beginning' }),
          steps: z.array(step),
        })
        .meta({ id: 'Story' }),
    },
  },
  handle: ({ sandbox, live, world, params: { id } }) => {
    const found = findRecord(world, id)
    if (!found) throw notFound('id', `no record has the id ${id}`)
    const view = { sandbox, live, tables: world.tables }
    const { complete, done, planned } = readStory(view, found.noun, found.record)
    return ok({ complete, steps: [...done, ...planned].map(showStep) })
  },
})
