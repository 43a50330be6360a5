import * as z from 'zod'
import { RISKS } from '../../assumptions/register/assumption.js'
import { ok, operation } from '../../http/operation/operation.js'
import { renderMarkdown } from '../../runtime/questions/markdown.js'
import { type QuestionsReport, reportQuestions } from '../../runtime/questions/report.js'
import { settlement, showSettlement, worldsQuery } from './assumptions.js'

const told = z.object({ name: z.string(), description: z.string() })

const relied = z.object({
  id: z.string().meta({ example: 'payout.repeat' }),
  risk: z.enum(RISKS),
  question: z.string(),
  operations: z.array(z.string()).meta({ description: 'Empty for all of them' }),
  assumed: told.meta({
    description:
      'How this world reads it, or how its answers did that read it otherwise than it is settled',
  }),
  others: z.array(told).meta({ description: 'How else it can be read' }),
  consequence: z.string().meta({ description: 'If the service reads it otherwise, …' }),
  basis: z.string().meta({ description: 'The words of the contract behind the default' }),
  hits: z.int().meta({ description: 'How many answers relied on it' }),
  last_hit: z.iso.datetime().nullable(),
})

const example = z.object({
  request_id: z.uuid(),
  at: z.iso.datetime().meta({ description: 'The world’s time' }),
  method: z.string(),
  path: z.string().meta({ description: 'With its query' }),
  request: z.unknown().meta({ description: 'The body, long texts and lists cut' }),
  status: z.int().nullable(),
  response: z.unknown().meta({ description: 'The body, long texts and lists cut' }),
})

const report = z
  .object({
    at: z.iso.datetime().meta({ description: 'The world’s time' }),
    seed: z.string(),
    requests: z.int().meta({ description: 'How many requests the log holds' }),
    open: z.array(
      relied.extend({
        message: z.string().meta({ description: 'The question as it can be sent' }),
        settled: settlement.nullable().meta({
          description:
            'How it is settled, where these answers read it otherwise; null when nobody has answered',
        }),
        example: example.nullable().meta({
          description: 'A request whose answer relied on it; null when the log holds none any more',
        }),
      }),
    ),
    settled: z.array(relied.extend({ settled: settlement })),
    unexercised: z.array(relied.extend({ message: z.string() })).meta({
      description: 'Questions of high risk of operations that were called, without a hit',
    }),
    left_out: z.array(z.object({ topic: z.string(), question: z.string() })).meta({
      description: 'Gaps of the contract that no reading answers; always the same',
    }),
  })
  .meta({ id: 'QuestionsReport' })

const MARKDOWN = 'text/markdown'

const shown = ({ open, settled, ...rest }: QuestionsReport): z.input<typeof report> =>
  ({
    ...rest,
    open: open.map((it) => ({ ...it, settled: it.settled && showSettlement(it.settled) })),
    settled: settled.map((it) => ({ ...it, settled: showSettlement(it.settled) })),
  }) as z.input<typeof report>

export const reportOpenQuestions = operation({
  id: 'reportOpenQuestions',
  method: 'get',
  path: '/_sandbox/assumptions/report',
  tag: 'Assumptions',
  summary: 'Report open questions',
  description:
    'The assumptions that requests of this world relied on, highest risk first, each as a question ' +
    'for the operator with an example request. The report also lists high risks that no request met, and ' +
    'topics that the contract omits. `worlds=all` covers all open worlds.',
  query: z.object({
    format: z.enum(['json', 'md']).default('json').meta({ description: 'JSON or Markdown' }),
    worlds: worldsQuery,
  }),
  answers: {
    200: {
      description: 'The report',
      schema: report,
      also: [MARKDOWN],
    },
  },
  needsNoWorld: true,
  handle: async ({ sandbox, live, scope, query }) => {
    const logs = await sandbox.readLogs(live, scope, query.worlds)
    const it = await reportQuestions(sandbox, live, logs)
    if (query.format === 'json') return ok(shown(it))
    return new Response(renderMarkdown(it), {
      headers: {
        'content-type': `${MARKDOWN}; charset=utf-8`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  },
})
