import * as z from 'zod'
import { HIT_NOUNS, search } from '../../activity/search.js'
import { text } from '../../contract/fields.js'
import { ok, operation } from '../../http/operation/operation.js'
import { inSlices } from '../../lib/slices.js'

const MAX_HITS = 20

const hit = z
  .object({
    noun: z.enum(HIT_NOUNS),
    id: z.string().meta({ description: 'Of a page of the console, its path' }),
    title: z.string().meta({ example: '1,500.00 NGN to Access Bank' }),
    status: z.string().nullable().meta({ description: 'Of the record, or of the answer' }),
  })
  .meta({ id: 'SearchHit' })

export const searchWorld = operation({
  id: 'searchWorld',
  method: 'get',
  path: '/_sandbox/search',
  tag: 'Journal',
  summary: 'Search records, requests and pages',
  description:
    'Finds all words of a text in ids, names, amounts, accounts, statuses and reasons of records and in the names of pages, ' +
    `and the text in the log: operations, error codes, bodies. The newest ${MAX_HITS} of each noun.`,
  query: z.object({ q: text(500).meta({ description: 'The text', example: '1,500.00 ada' }) }),
  answers: {
    200: {
      description: 'The hits',
      schema: z.object({ items: z.array(hit) }).meta({ id: 'SearchHits' }),
    },
  },
  handle: async ({ sandbox, live, world, query: { q } }) => {
    await live.requests.update()
    const view = { sandbox, live, tables: world.tables }
    return ok({ items: await inSlices(search(view, q, MAX_HITS)) })
  },
})
