import { explain } from '../explain.js'
import { exchangeFilterOf, exchangeFilters } from '../http/exchange-filter.js'
import { invalid } from '../http/wire-error.js'
import type { ExchangeFilter, LoggedExchange } from '../journal/exchange.js'
import { fits, showExchange } from '../journal/exchange.js'
import { harOf } from '../journal/har.js'
import type { Recording } from '../journal/recording.js'
import { operationIds } from '../scenarios/operations.js'
import type { Action } from './actions.js'
import { HttpStatus } from './badge.js'
import { reasonOf } from './complaints.js'
import { confirmPage } from './confirm.js'
import type { Download } from './download.js'
import { FilterForm, UserField } from './filters.js'
import { Field, Select } from './form.js'
import { shortId } from './id.js'
import { DataTable, Empty, Facts, Live, Pager } from './parts.js'
import { NamedRule } from './rule-link.js'
import { given, pageNumber, ROWS, type Rows } from './selecting.js'
import { Time } from './time.js'
import { demoCurl } from './try.js'
import type { Page, View } from './view.js'

/** The filters in the page's address: the same ones as those of GET /_sandbox/requests. */
const filterOf = (view: View): ExchangeFilter => {
  const names = Object.keys(exchangeFilters.shape)
  const query = Object.fromEntries(
    names.flatMap((name) => {
      const value = given(view, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const result = exchangeFilters.safeParse(query)
  if (result.success) return exchangeFilterOf(result.data)
  throw invalid(explain(result.error.issues, query))
}

/** Those that hold a text somewhere, the newest first. */
const holding = (view: View, text: string, filter: ExchangeFilter, most: number): Recording[] =>
  view.line.requests.mentioning(text, most, (recording) => fits(recording, filter))

const rowsOf = (view: View, filter: ExchangeFilter): Rows<LoggedExchange> => {
  const page = pageNumber(view)
  const from = page * ROWS
  const { requests } = view.line
  const text = given(view, 'text')
  const found =
    text === undefined
      ? requests.newest(filter, from, ROWS + 1)
      : holding(view, text, filter, from + ROWS + 1).slice(from)
  const records = found.slice(0, ROWS).map(showExchange)
  return { records, page, total: undefined, more: found.length > ROWS }
}

export const requestsPage = (view: View): Page => {
  const rows = rowsOf(view, filterOf(view))
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

const Filters = ({ view }: { view: View }) => (
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
      />
      <datalist id="status-classes">
        {['2xx', '4xx', '5xx'].map((it) => (
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
    <UserField view={view} />
  </FilterForm>
)

export const NoRequests = ({ view }: { view: View }) => {
  if (!view.sandbox.keepsRequests) {
    return <Empty>This sandbox keeps no requests: it was started with --request-log 0.</Empty>
  }
  if (view.line.requests.size > 0) return <Empty>None of those that are kept is like this.</Empty>
  return (
    <Empty command={demoCurl(view, '/onboarding/api/v1/users/all')}>
      None has come yet. Send one:
    </Empty>
  )
}

export const RequestTable = ({
  view,
  exchanges,
  brief = false,
}: {
  view: View
  exchanges: readonly LoggedExchange[]
  /** Without what a narrow place has no room for. */
  brief?: boolean
}) => (
  <DataTable
    label="Requests"
    columns={[
      'Time',
      'Status',
      'Request',
      ...(brief ? [] : [{ name: 'ms', kind: 'number minor' } as const]),
    ]}
  >
    {exchanges.map((it) => (
      <tr>
        <td>
          <Time view={view} at={it.at} made={Date.parse(it.started_at)} />
        </td>
        <td>
          <HttpStatus status={it.status} />
        </td>
        <td class="exchange">
          <a href={view.to(`/requests/${it.id}`)} title={it.id}>
            <span class="method">{it.method}</span> {it.operation ?? it.path}
          </a>{' '}
          {brief || it.operation === null ? null : <span class="path minor">{it.path}</span>}{' '}
          <Marks view={view} exchange={it} />
          <Reason exchange={it} />
        </td>
        {brief ? null : <td class="number minor">{it.duration_ms.toFixed(1)}</td>}
      </tr>
    ))}
  </DataTable>
)

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Why an answer is a refusal: seen without opening it. */
const Reason = ({ exchange }: { exchange: LoggedExchange }) => {
  const reason = reasonOf(exchange)
  if (reason === undefined) return null
  return (
    <span class="reason" title={reason}>
      {reason.replace(UUID, shortId)}
    </span>
  )
}

/** What is worth to know of an exchange at a glance: a rule stepped in, assumptions were relied on. */
export const Marks = ({
  view,
  exchange: { id, fault, assumed },
}: {
  view: View
  exchange: LoggedExchange
}) => (
  <>
    {fault ? (
      <NamedRule
        view={view}
        name={fault}
        kind="badge fault"
        title={`${fault} made this answer, or cut it off`}
      />
    ) : null}
    {assumed.length > 0 ? (
      <a
        class="badge assumed minor"
        title={assumed.join('\n')}
        href={view.to(`/assumptions?request=${id}`)}
      >
        {assumed.length} assumed
      </a>
    ) : null}
  </>
)

/** The archive, for the network panel of a browser. */
export const harFile: Download = {
  path: '/requests.har',
  type: 'application/json',
  name: 'sandramp.har',
  text: (view) => {
    const { requests } = view.line
    const [filter, text] = [filterOf(view), given(view, 'text')]
    const wanted =
      text === undefined
        ? requests.list(filter)
        : holding(view, text, filter, requests.size).reverse()
    return JSON.stringify(harOf(wanted, view.sandbox.health().version))
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
