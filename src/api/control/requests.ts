import * as z from 'zod'
import { toPagination } from '../../contract/pagination.js'
import { formatHar } from '../../history/har.js'
import type { EndedRequest } from '../../history/subscriptions.js'
import { matchesFilter, showExchange } from '../../history/views.js'
import type { RequestView } from '../../http/operation/context.js'
import { ok, operation } from '../../http/operation/operation.js'
import { ALL_WORLDS } from '../../http/pipeline/control-api.js'
import { exchangeFilters, parseExchangeFilter } from '../../http/pipeline/exchange-filter.js'
import { EVENT_STREAM } from '../../http/pipeline/response-headers.js'
import { notFound } from '../../kernel/refusal.js'
import { inSlices, streamInSlices } from '../../lib/slices.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import { operationIds } from '../../scenarios/language/operations.js'
import { isVisible, type Scope } from '../../worlds/tenants.js'
import { idPath } from './fields.js'
import { listSchema, pageQuery } from './lists.js'

const message = (body: string) =>
  z.object({
    headers: z.record(z.string(), z.string()).meta({ description: 'Without secrets' }),
    body: z.unknown().meta({ description: body }),
  })

const rule = z.string().meta({ example: 'bank-rejects/2' })

const exchange = z
  .object({
    id: z.uuid().meta({ description: 'The request id, x-request-id of the answer' }),
    n: z
      .int()
      .meta({ description: 'Its number in the world, in the order in which requests arrived' }),
    at: z.iso.datetime().meta({ description: 'The world’s time' }),
    started_at: z.iso.datetime().meta({ description: 'The machine’s time' }),
    duration_ms: z.number().meta({ description: '0 while it is pending' }),
    pending: z.boolean().meta({
      description: 'True while a rule delays or holds the request, or it waits for another one',
    }),
    aborted_ms: z.number().nullable().meta({
      description:
        'Milliseconds from `started_at` to the moment when the client left without the answer; null when it did not',
    }),
    method: z.string(),
    path: z.string(),
    query: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .meta({ description: 'A parameter that came several times is a list' }),
    operation: z
      .enum(operationIds)
      .nullable()
      .meta({ description: 'Null on a path or method that the service does not have' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'Null while it is pending, and when it was cut without an answer' }),
    user_id: z.uuid().nullable().meta({ description: 'Whom it was about' }),
    request: message('JSON; text when malformed or cut; its size when it is no text; null without'),
    response: message('JSON; text when cut; null without'),
    garbled: z.boolean().meta({ description: 'True when a rule cut or malformed the response' }),
    shown: z.array(z.tuple([z.string(), z.string()])).meta({
      description:
        'The transfers, payouts and users in the response, each as id and status at that time; at most 100. A refusal shows the user whose status it refuses',
    }),
    shown_more: z.boolean().meta({ description: 'True when the response showed more' }),
    outcome: z.string().nullable().meta({
      description: 'Status and reason of the one record that the request made or read',
      example: 'PAYOUT_FAILED account_closed',
    }),
    fault: rule
      .nullable()
      .meta({ description: 'The rule that answered, altered, delayed or cut off the request' }),
    rules: z.array(rule).meta({ description: 'All rules that fired' }),
    assumed: z.array(z.string()).meta({
      description: 'The assumptions behind the response, as `<id>=<reading>`',
      example: ['payout.fee=on_top'],
    }),
    entries: z
      .object({ from: z.int(), to: z.int() })
      .nullable()
      .meta({ description: 'The numbers of the journal entries that it made' }),
    world: z.string().optional().meta({ description: 'Id of its world; only with `world=all`' }),
  })
  .meta({ id: 'LoggedExchange' })

export const listRequests = operation({
  id: 'listRequests',
  method: 'get',
  path: '/_sandbox/requests',
  tag: 'Requests',
  summary: 'List requests',
  description:
    'Requests to the service with their responses, newest first, including rejected ones and ' +
    'unknown paths. API keys appear with their last four characters and a short hash. Control tokens ' +
    'are masked, data URIs removed, and bodies cut at 16,384 characters. The newest 1,000 are kept; ' +
    '`--request-log` changes the number. `world=all` lists those of all worlds in memory; on a database, ' +
    'of the worlds of this replica.',
  acceptsAll: true,
  query: pageQuery.extend(exchangeFilters.shape).extend({
    before_reset: z.literal('true').optional().meta({
      description:
        'Lists the requests before the last reset, which verdicts do not count; not with `world=all`',
    }),
  }),
  answers: { 200: { description: 'One page', schema: listSchema(exchange, 'RequestList') } },
  handle: async ({ sandbox, scope, live, query, request }) => {
    if (isAboutAll(request)) {
      const recent = sandbox.worlds
        .list()
        .filter(({ tenant }) => isVisible(scope, tenant))
        .slice(0, MAX_UPDATED)
      await Promise.all(recent.map(({ requests }) => requests.update()))
      const { found, total } = await inSlices(newestOfAll(sandbox, scope, query))
      return jsonStream(request, formatList(found, showEnded, toPagination(query, total)))
    }
    const filter = parseExchangeFilter(query, live.journal)
    await live.requests.update()
    const chosen = { ...filter, ...(query.before_reset && { beforeReset: true }) }
    const { found, total } = await inSlices(live.requests.page(chosen, query))
    return jsonStream(request, formatList(found, showExchange, toPagination(query, total)))
  },
})

/** On a database, each update is a query. */
const MAX_UPDATED = 100

const isAboutAll = (request: RequestView): boolean => request.queries().world?.[0] === ALL_WORLDS

type ExchangeQuery = z.output<typeof exchangeFilters>

/** One page of the matching exchanges of all worlds, newest first by the machine's time. */
function* newestOfAll(
  { worlds }: Sandbox,
  scope: Scope,
  query: ExchangeQuery & z.output<typeof pageQuery>,
): Generator<void, { readonly found: readonly EndedRequest[]; readonly total: number }> {
  const size = (query.page + 1) * query.size
  let newest: EndedRequest[] = []
  let total = 0
  for (const live of worlds.list()) {
    if (!isVisible(scope, live.tenant)) continue
    const filter = parseExchangeFilter(query, live.journal)
    const own = yield* live.requests.page(filter, { page: 0, size })
    total += own.total
    newest.push(...own.found.map((logRecord) => ({ logRecord, world: live })))
    newest.sort((a, b) => b.logRecord.started_at - a.logRecord.started_at)
    newest = newest.slice(0, size)
  }
  return { found: newest.slice(query.page * query.size), total }
}

const showEnded = ({ logRecord, world }: EndedRequest) => ({
  ...showExchange(logRecord),
  world: world.id,
})

const jsonStream = (
  { method }: RequestView,
  texts: Iterator<string>,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(method === 'HEAD' ? null : streamInSlices(texts), {
    headers: { 'content-type': 'application/json', ...headers },
  })

function* formatList<T>(
  found: readonly T[],
  show: (item: T) => object,
  pagination: object,
): Generator<string> {
  yield '{"items":['
  let separator = ''
  for (const item of found) {
    yield separator + JSON.stringify(show(item))
    separator = ','
  }
  yield `],"pagination":${JSON.stringify(pagination)}}`
}

export const streamRequests = operation({
  id: 'streamRequests',
  method: 'get',
  path: '/_sandbox/requests/stream',
  tag: 'Requests',
  summary: 'Watch requests',
  description:
    'Requests as server-sent events, each once it has ended: `event` is `request`, `data` the request as in the list, ' +
    '`id` its number. `world=all` shows those of all worlds, without an `id`; on a database, of the worlds of this ' +
    'replica. `dropped` means that more than 1,000 requests waited for the reader, `end` that the sandbox closes or ' +
    'the world was deleted; both have a `reason` and close the stream. While a stream is open, timers fire when they are due. At most 100 are open, and 50 of one client.',
  acceptsAll: true,
  query: exchangeFilters,
  answers: {
    200: {
      description: 'The stream',
      schema: z.string().meta({ description: 'Server-sent events' }),
      type: 'text/event-stream',
    },
  },
  isStream: true,
  errors: ['5030'],
  handle: ({ sandbox, scope, live, query, request }) => {
    const isAll = isAboutAll(request)
    const show = (ended: EndedRequest): string => {
      if (isAll && !isVisible(scope, ended.world.tenant)) return ''
      if (!isChosen(ended, query)) return ''
      const { n } = ended.logRecord
      const data = JSON.stringify(isAll ? showEnded(ended) : showExchange(ended.logRecord))
      return `${isAll ? '' : `id: ${n}\n`}event: request\ndata: ${data}\n\n`
    }
    const { subscriptions } = isAll ? { subscriptions: sandbox.worlds.requests } : live
    // Nobody would read or close the body of a HEAD request.
    const body = request.method === 'HEAD' ? null : subscriptions.openRequests(show)
    return new Response(body, { headers: EVENT_STREAM })
  },
})

const isChosen = ({ logRecord, world }: EndedRequest, query: ExchangeQuery): boolean => {
  const filter = parseExchangeFilter(query, world.journal)
  const { about } = filter
  if (!matchesFilter(logRecord, filter)) return false
  if (!about || about.entries.some((n) => n >= logRecord.from && n <= logRecord.to)) return true
  return JSON.stringify(showExchange(logRecord)).includes(about.id)
}

export const readRequest = operation({
  id: 'readRequest',
  method: 'get',
  path: '/_sandbox/requests/{id}',
  tag: 'Requests',
  summary: 'Read a request',
  description: 'One request with its response, by its `x-request-id`.',
  params: idPath(),
  answers: { 200: { description: 'The request and its answer', schema: exchange } },
  handle: async ({ live, params: { id } }) => {
    await live.requests.update()
    const logRecord = live.requests.find(id)
    if (!logRecord) throw notFound('id', `the log has no request ${id}`)
    return ok(showExchange(logRecord))
  },
})

const har = z
  .object({
    log: z.object({
      version: z.literal('1.2'),
      creator: z.object({ name: z.string(), version: z.string() }),
      entries: z.array(
        z.looseObject({
          startedDateTime: z.iso.datetime(),
          time: z.number().meta({ description: 'In milliseconds' }),
          request: z.looseObject({ method: z.string(), url: z.string() }),
          response: z.looseObject({ status: z.int() }),
          _operation: z.string().nullable(),
          _fault: z.string().nullable(),
          _pending: z.boolean(),
          _aborted_ms: z.number().nullable(),
        }),
      ),
    }),
  })
  .meta({ id: 'Har' })

export const exportRequests = operation({
  id: 'exportRequests',
  method: 'get',
  path: '/_sandbox/requests.har',
  tag: 'Requests',
  summary: 'Export requests',
  description:
    'The requests as an HTTP Archive 1.2, oldest first, for the network panel of a browser.',
  query: exchangeFilters,
  answers: { 200: { description: 'The archive', schema: har } },
  handle: async ({ sandbox, live, query, request }) => {
    const filter = parseExchangeFilter(query, live.journal)
    await live.requests.update()
    const recordings = live.requests.walk(filter)
    return jsonStream(request, formatHar(recordings, sandbox.health().version), {
      'content-disposition': 'attachment; filename="sandramp.har"',
    })
  },
})

export const clearRequests = operation({
  id: 'clearRequests',
  method: 'delete',
  path: '/_sandbox/requests',
  tag: 'Requests',
  summary: 'Clear the request log',
  description:
    'Deletes the logged requests, those before the last reset, too. Their numbers continue.',
  answers: {
    200: {
      description: 'How many were forgotten',
      schema: z.object({ deleted: z.int() }).meta({ id: 'RequestsCleared' }),
    },
  },
  handle: async ({ live }) => {
    const deleted = await live.requests.clear()
    live.notify()
    return ok({ deleted })
  },
})
