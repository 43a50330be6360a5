import { formatHar } from '../../history/har.js'
import { type ExchangeFilter, type LoggedExchange, showExchange } from '../../history/views.js'
import { badRequest } from '../../http/operation/api-error.js'
import { exchangeFilters, parseExchangeFilter } from '../../http/pipeline/exchange-filter.js'
import { inSlices, streamInSlices } from '../../lib/slices.js'
import { formatIssues } from '../../lib/zod-errors.js'
import { operationIds } from '../../scenarios/language/operations.js'
import { type Action, formAction } from '../actions.js'
import { confirmPage } from '../components/confirm.js'
import { BooleanFilter, FilterForm, UserField } from '../components/filters.js'
import { describedBy, Field, PROBLEMS, Select } from '../components/form.js'
import { Pager } from '../components/pager.js'
import { DescriptionList, LiveRegion } from '../components/panel.js'
import { NoRequests, RequestTable } from '../components/request-table.js'
import type { Download } from '../download.js'
import { escapeBidi, formatCount, pluralize } from '../format.js'
import { pageOfSource, param, type Rows } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'

/** Accepts the same filters as GET /_sandbox/requests. */
const readFilter = (ctx: PageContext) => {
  const names = Object.keys(exchangeFilters.shape)
  const query = Object.fromEntries(
    names.flatMap((name) => {
      const value = param(ctx, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const result = exchangeFilters.safeParse(query)
  if (result.success) return { filter: parseExchangeFilter(result.data, ctx.live.journal) }
  const { issues } = result.error
  return { message: formatIssues(issues, query), wrong: issues.map(({ path }) => path[0]) }
}

const rowsOf = async (ctx: PageContext, filter: ExchangeFilter): Promise<Rows<LoggedExchange>> => {
  const { requests } = ctx.live
  const text = param(ctx, 'text')
  const take = (from: number, count: number) => inSlices(requests.take(filter, from, count, text))
  const rows = await pageOfSource(ctx, take, requests.size)
  return { ...rows, records: rows.records.map(showExchange) }
}

export const requestsPage = async (ctx: PageContext): Promise<Page> => {
  const { filter, message, wrong } = readFilter(ctx)
  if (!filter) return refusedPage(ctx, message, wrong)
  const rows = await rowsOf(ctx, filter)
  return {
    title: 'Requests',
    body: (
      <>
        <h1>Requests</h1>
        <Filters ctx={ctx} />
        <LiveRegion id="list">
          {rows.records.length === 0 ? <NoRequests ctx={ctx} /> : null}
          {rows.records.length > 0 ? <RequestTable ctx={ctx} exchanges={rows.records} /> : null}
          <Pager ctx={ctx} rows={rows} />
          <div class="tools">
            <a href={`/requests.har?${ctx.query}`} download="sandramp.har">
              Download as HAR
            </a>
            {ctx.live.requests.size > 0 ? (
              <a href={ctx.href('/requests/clear')}>Clear the log…</a>
            ) : null}
          </div>
        </LiveRegion>
      </>
    ),
  }
}

/** Names of invalid fields. */
type Wrong = readonly (PropertyKey | undefined)[]

/** Keeps the typed filters, so that the user can correct them. */
const refusedPage = (ctx: PageContext, message: string, wrong: Wrong): Page => ({
  title: 'Requests',
  status: 400,
  body: (
    <>
      <h1>Requests</h1>
      <Filters ctx={ctx} wrong={wrong} />
      <p id={PROBLEMS} class="notice error" role="alert">
        {escapeBidi(message)}
      </p>
    </>
  ),
})

const Filters = ({ ctx, wrong = [] }: { ctx: PageContext; wrong?: Wrong }) => (
  <FilterForm ctx={ctx}>
    <Field label="Text">
      <input
        name="text"
        value={param(ctx, 'text')}
        placeholder="in request or response"
        autocomplete="off"
        data-search
      />
    </Field>
    <Field label="Operation">
      <Select
        name="operation"
        values={[...operationIds, 'unknown']}
        value={param(ctx, 'operation')}
        empty="any"
      />
    </Field>
    <Field label="Status">
      <input
        name="status"
        value={param(ctx, 'status')}
        placeholder="404, 4xx"
        size={8}
        autocomplete="off"
        list="status-classes"
        {...describedBy(wrong.includes('status'))}
      />
      <datalist id="status-classes">
        {['2xx', '3xx', '4xx', '5xx'].map((it) => (
          <option value={it} />
        ))}
      </datalist>
    </Field>
    <BooleanFilter ctx={ctx} label="Fault" name="fault" yes="by a rule" no="not by a rule" />
    <BooleanFilter
      ctx={ctx}
      label="Client"
      name="aborted"
      yes="disconnected early"
      no="stayed connected"
    />
    <UserField ctx={ctx} isWrong={wrong.includes('user_id')} />
  </FilterForm>
)

/** For the network panel of a browser. */
export const harFile: Download = {
  path: '/requests.har',
  type: 'application/json',
  name: 'sandramp.har',
  body: (ctx) => {
    const { requests } = ctx.live
    const { filter, message } = readFilter(ctx)
    if (!filter) throw badRequest(message)
    const recordings = requests.walk(filter, param(ctx, 'text'))
    return streamInSlices(formatHar(recordings, ctx.sandbox.health().version))
  },
}

export const clearRequestsPage = (ctx: PageContext): Page => {
  const { requests } = ctx.live
  return confirmPage(ctx, {
    title: 'Clear the log?',
    action: '/console/requests/clear',
    verb: 'Clear',
    back: '/requests',
    children: (
      <>
        <p>
          All logged requests are deleted. An undo does not restore them. The world and its counts
          of assumptions do not change.
        </p>
        <DescriptionList facts={[['Requests in the log', formatCount(requests.size)]]} />
      </>
    ),
  })
}

const clear = formAction<{ deleted: number }>({
  path: '/console/requests/clear',
  operation: 'clearRequests',
  conclude: ({ ctx }, { deleted }) => ({
    to: ctx.href('/requests'),
    message: `Deleted ${pluralize(deleted, 'request')}.`,
  }),
})

export const requestsActions: readonly Action[] = [clear]
