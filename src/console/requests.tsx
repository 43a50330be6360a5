import { explain } from '../explain.js'
import { exchangeFilterOf, exchangeFilters } from '../http/exchange-filter.js'
import { invalid } from '../http/wire-error.js'
import type { ExchangeFilter, LoggedExchange } from '../journal/exchange.js'
import { showExchange } from '../journal/exchange.js'
import { harOf } from '../journal/har.js'
import { operationIds } from '../scenarios/operations.js'
import type { Action } from './actions.js'
import { HttpStatus } from './badge.js'
import type { Download } from './download.js'
import { FilterForm, UserField } from './filters.js'
import { ActionForm, Field, Select } from './form.js'
import { DataTable, Empty, Live, Pager } from './parts.js'
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

const rowsOf = (view: View, filter: ExchangeFilter): Rows<LoggedExchange> => {
  const page = pageNumber(view)
  const found = view.line.requests.newest(filter, page * ROWS, ROWS + 1)
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
            <ActionForm view={view} action="/console/requests/clear">
              <button type="submit" disabled={view.line.requests.size === 0}>
                Clear the log
              </button>
            </ActionForm>
          </div>
        </Live>
      </>
    ),
  }
}

const Filters = ({ view }: { view: View }) => (
  <FilterForm view={view}>
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
        data-search
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

const NoRequests = ({ view }: { view: View }) => {
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
      'Request',
      'Status',
      ...(brief
        ? []
        : ([
            { name: 'Path', kind: 'minor' },
            { name: 'ms', kind: 'number minor' },
          ] as const)),
      'Marks',
    ]}
  >
    {exchanges.map((it) => (
      <tr>
        <td>
          <Time view={view} at={it.at} made={Date.parse(it.started_at)} />
        </td>
        <td>
          <a href={view.to(`/requests/${it.id}`)} title={it.id}>
            <span class="method">{it.method}</span> {it.operation ?? 'unknown'}
          </a>
        </td>
        <td>
          <HttpStatus status={it.status} />
        </td>
        {brief ? null : (
          <>
            <td class="minor path">{it.path}</td>
            <td class="number minor">{it.duration_ms.toFixed(1)}</td>
          </>
        )}
        <td>
          <Marks view={view} exchange={it} />
        </td>
      </tr>
    ))}
  </DataTable>
)

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
      <span class="badge fault" title={`${fault} made this answer, or cut it off`}>
        {fault}
      </span>
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
  text: (view) =>
    JSON.stringify(harOf(view.line.requests.list(filterOf(view)), view.sandbox.health().version)),
}

const clear: Action = {
  path: '/console/requests/clear',
  operation: 'clearRequests',
  act: ({ view }) => {
    const count = view.line.requests.clear()
    return `${count} ${count === 1 ? 'request is' : 'requests are'} forgotten.`
  },
}

export const requestsActions: readonly Action[] = [clear]
