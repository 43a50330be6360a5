import type { ExchangeFilter, LoggedExchange } from '../exchanges/exchange.js'
import { fits, showExchange } from '../exchanges/exchange.js'
import { harBody } from '../exchanges/har.js'
import type { Recording } from '../exchanges/recording.js'
import { explain } from '../explain.js'
import { exchangeFilterOf, exchangeFilters } from '../http/exchange-filter.js'
import { invalid } from '../http/wire-error.js'
import { operationIds } from '../scenarios/operations.js'
import type { Action } from './actions.js'
import { confirmPage } from './confirm.js'
import type { Download } from './download.js'
import { FilterForm, UserField } from './filters.js'
import { COMPLAINTS, Field, Select, tied } from './form.js'
import { Facts, Live, Pager } from './parts.js'
import { NoRequests, RequestTable } from './request-table.js'
import { given, type Rows, rowsTaken } from './selecting.js'
import type { Page, View } from './view.js'
import { visible } from './visible.js'

/** The filters in the page's address: the same ones as those of GET /_sandbox/requests. */
const readFilter = (view: View) => {
  const names = Object.keys(exchangeFilters.shape)
  const query = Object.fromEntries(
    names.flatMap((name) => {
      const value = given(view, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const result = exchangeFilters.safeParse(query)
  if (result.success) return { filter: exchangeFilterOf(result.data) }
  const { issues } = result.error
  return { message: explain(issues, query), wrong: issues.map(({ path }) => path[0]) }
}

/** Those that hold a text somewhere, the newest first. */
const holding = (view: View, text: string, filter: ExchangeFilter, most: number): Recording[] =>
  view.line.requests.mentioning(text, most, (recording) => fits(recording, filter))

const rowsOf = (view: View, filter: ExchangeFilter): Rows<LoggedExchange> => {
  const { requests } = view.line
  const text = given(view, 'text')
  const take = (from: number, count: number) =>
    text === undefined
      ? requests.newest(filter, from, count)
      : holding(view, text, filter, from + count).slice(from)
  const rows = rowsTaken(view, take, requests.size)
  return { ...rows, records: rows.records.map(showExchange) }
}

export const requestsPage = (view: View): Page => {
  const { filter, message, wrong } = readFilter(view)
  if (!filter) return refusedPage(view, message, wrong)
  const rows = rowsOf(view, filter)
  return {
    title: 'Requests',
    body: (
      <>
        <h1>Requests</h1>
        <Filters view={view} />
        <Live id="list">
          {rows.records.length === 0 ? <NoRequests view={view} /> : null}
          {rows.records.length > 0 ? <RequestTable view={view} exchanges={rows.records} /> : null}
          <Pager view={view} rows={rows} />
          <div class="tools">
            <a href={`/requests.har?${view.query}`} download="sandramp.har">
              Download as HAR
            </a>
            {view.line.requests.size > 0 ? (
              <a href={view.to('/requests/clear')}>Clear the log…</a>
            ) : null}
          </div>
        </Live>
      </>
    ),
  }
}

/** The fields that cannot be used. */
type Wrong = readonly (PropertyKey | undefined)[]

/** What was typed stands in the filters, to be put right. */
const refusedPage = (view: View, message: string, wrong: Wrong): Page => ({
  title: 'Requests',
  status: 400,
  body: (
    <>
      <h1>Requests</h1>
      <Filters view={view} wrong={wrong} />
      <p id={COMPLAINTS} class="notice error" role="alert">
        {visible(message)}
      </p>
    </>
  ),
})

const Filters = ({ view, wrong = [] }: { view: View; wrong?: Wrong }) => (
  <FilterForm view={view}>
    <Field label="Text">
      <input
        name="text"
        value={given(view, 'text')}
        placeholder="in request or answer"
        autocomplete="off"
        data-search
      />
    </Field>
    <Field label="Operation">
      <Select
        name="operation"
        values={[...operationIds, 'unknown']}
        value={given(view, 'operation')}
        empty="any"
      />
    </Field>
    <Field label="Status">
      <input
        name="status"
        value={given(view, 'status')}
        placeholder="404, 4xx"
        size={8}
        autocomplete="off"
        list="status-classes"
        {...tied(wrong.includes('status'))}
      />
      <datalist id="status-classes">
        {['2xx', '3xx', '4xx', '5xx'].map((it) => (
          <option value={it} />
        ))}
      </datalist>
    </Field>
    <Field label="Fault">
      <Select
        name="fault"
        values={[
          ['true', 'by a rule'],
          ['false', 'not by a rule'],
        ]}
        value={given(view, 'fault')}
        empty="any"
      />
    </Field>
    <Field label="Client">
      <Select
        name="aborted"
        values={[
          ['true', 'left before the answer'],
          ['false', 'stayed'],
        ]}
        value={given(view, 'aborted')}
        empty="any"
      />
    </Field>
    <UserField view={view} isWrong={wrong.includes('user_id')} />
  </FilterForm>
)

/** The archive, for the network panel of a browser. */
export const harFile: Download = {
  path: '/requests.har',
  type: 'application/json',
  name: 'sandramp.har',
  body: (view) => {
    const { requests } = view.line
    const { filter, message } = readFilter(view)
    if (!filter) throw invalid(message)
    return harBody(requests.walk(filter, given(view, 'text')), view.sandbox.health().version)
  },
}

export const clearRequestsPage = (view: View): Page => {
  const { requests } = view.line
  return confirmPage(view, {
    title: 'Clear the log?',
    action: '/console/requests/clear',
    verb: 'Clear',
    back: '/requests',
    children: (
      <>
        <p>
          The requests that are kept are forgotten and cannot be brought back, by an undo neither.
          The world stays as it is, and so does what it counts of the assumptions.
        </p>
        <Facts facts={[['Requests in the log', requests.size.toLocaleString('en')]]} />
      </>
    ),
  })
}

const clear: Action = {
  path: '/console/requests/clear',
  operation: 'clearRequests',
  act: ({ view }) => {
    const count = view.line.requests.clear()
    const told = `${count} ${count === 1 ? 'request is' : 'requests are'} forgotten.`
    return { to: view.to('/requests'), told }
  },
}

export const requestsActions: readonly Action[] = [clear]
