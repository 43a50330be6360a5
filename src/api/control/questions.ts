import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import * as z from 'zod'
import { RISKS } from '../../assumptions/register/assumption.js'
import { badRequest } from '../../http/operation/api-error.js'
import type { RequestView } from '../../http/operation/context.js'
import { ok, operation } from '../../http/operation/operation.js'
import { HTML_POLICY, renderHtml } from '../../runtime/questions/html.js'
import { renderBriefMarkdown, renderMarkdown } from '../../runtime/questions/markdown.js'
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

const FORMATS = {
  json: 'application/json',
  html: 'text/html',
  md: 'text/markdown',
} as const
type Format = keyof typeof FORMATS

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
    'for the operator with an example request. JSON, HTML or Markdown by `format` or `accept`. The ' +
    'report also lists high risks that no request met, and topics that the contract omits. ' +
    '`brief=true` is one screen. `worlds=all` covers all open worlds.',
  query: z.object({
    format: z
      .enum(['json', 'html', 'md'])
      .optional()
      .meta({ description: 'The form of the report; goes before `accept`' }),
    worlds: worldsQuery,
    brief: z.enum(['true', 'false']).optional().meta({
      description: 'One screen with boxes to tick, as Markdown or HTML; 400 with format=json',
    }),
  }),
  answers: {
    200: {
      description: 'The report',
      schema: report,
      also: [FORMATS.html, FORMATS.md],
    },
  },
  needsNoWorld: true,
  handle: async ({ sandbox, live, scope, query, request }) => {
    const isBrief = query.brief === 'true'
    const format =
      query.format ?? preferredFormat(request, isBrief ? ['md', 'html'] : ['json', 'html', 'md'])
    const logs = await sandbox.readLogs(live, scope, query.worlds)
    const it = await reportQuestions(sandbox, live, logs)
    if (format === 'json') {
      if (!isBrief) return ok(shown(it))
      throw badRequest('Invalid format: got "json" with brief. Expected md or html.')
    }
    const markdown = isBrief ? renderBriefMarkdown(it) : renderMarkdown(it)
    if (format === 'md') return page(markdown, FORMATS.md)
    return page(await renderHtml(markdown), FORMATS.html, {
      'content-security-policy': HTML_POLICY,
    })
  },
})

/** The format that `accept` prefers; the first one by default. */
const preferredFormat = (req: RequestView, formats: readonly [Format, ...Format[]]): Format => {
  const supports = formats.map((format) => FORMATS[format])
  const type = accepts({ req } as Context, {
    header: 'Accept',
    supports,
    default: FORMATS[formats[0]],
  })
  return formats.find((format) => FORMATS[format] === type) ?? formats[0]
}

const page = (text: string, type: string, headers: Readonly<Record<string, string>> = {}) =>
  new Response(text, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...headers,
    },
  })
