import type { Child } from 'hono/jsx'
import { bodyText } from '../../history/bodies.js'
import type { LogRecord } from '../../history/log-record.js'
import { findRepeat } from '../../history/repeats.js'
import { type LoggedExchange, responseBody, showExchange } from '../../history/views.js'
import { parseInstant } from '../../kernel/time.js'
import { HttpStatus } from '../components/badge.js'
import { EntryList, Sentence } from '../components/entry-line.js'
import { ErrorPanel } from '../components/error-panel.js'
import { Id, UserLink } from '../components/id.js'
import { type FieldError, JsonView } from '../components/json-view.js'
import { DescriptionList, LiveRegion, Panel } from '../components/panel.js'
import { ReplayPanel } from '../components/replay-panel.js'
import { Marks } from '../components/request-table.js'
import { NamedRule } from '../components/rule-link.js'
import { Time } from '../components/time.js'
import { fieldErrorsOf, refusalReason } from '../field-errors.js'
import { formatTime, pluralize } from '../format.js'
import { findRecord, pathWithQuery } from '../logged-request.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { unknownFields } from '../unknown-fields.js'

export const requestPage: DrawPage = (ctx, { id = '' }) => {
  const logRecord = findRecord(ctx, id)
  const exchange = showExchange(logRecord)
  return {
    title: `${exchange.method} ${exchange.operation ?? exchange.path}`,
    body: (
      <>
        <h1>
          <span class="method">{exchange.method}</span> {exchange.operation ?? 'unknown operation'}{' '}
          <HttpStatus status={exchange.status} pending={exchange.pending} />
        </h1>
        <p class="path">{pathWithQuery(logRecord)}</p>
        <ErrorPanel ctx={ctx} exchange={exchange} />
        <RequestDetails ctx={ctx} exchange={exchange} />
        <div class="columns">
          <RequestSide exchange={exchange} logRecord={logRecord} />
          <ResponseSide exchange={exchange} logRecord={logRecord} />
        </div>
        <Caused ctx={ctx} exchange={exchange} />
        <ReplayPanel ctx={ctx} logRecord={logRecord} />
      </>
    ),
  }
}

const RequestDetails = ({ ctx, exchange }: { ctx: PageContext; exchange: LoggedExchange }) => (
  <Panel title="Details" aside={<Marks ctx={ctx} exchange={exchange} />}>
    <DescriptionList
      facts={[
        ['Request id', <Id id={exchange.id} />],
        [
          'World time',
          <Time ctx={ctx} at={exchange.at} machine_ms={parseInstant(exchange.started_at)} whole />,
        ],
        ['Machine time', formatTime(exchange.started_at)],
        ['API key', <code>{exchange.request.headers['x-api-key'] ?? 'none'}</code>],
        ['Duration', `${exchange.duration_ms.toFixed(2)} ms`],
        ...(exchange.aborted_ms === null
          ? []
          : [['Aborted', `by the client after ${exchange.aborted_ms} ms`] as const]),
        ...(exchange.user_id
          ? [['User', <UserLink ctx={ctx} id={exchange.user_id} />] as const]
          : []),
        ...repeatRow(ctx, exchange),
        ...exchange.rules.map((rule) => ['Rule', <NamedRule ctx={ctx} name={rule} />] as const),
        ...(exchange.assumed.length > 0
          ? [['Assumed', <Assumed ctx={ctx} assumed={exchange.assumed} />] as const]
          : []),
      ]}
    />
  </Panel>
)

/** The original of an idempotent repeat. */
const repeatRow = (ctx: PageContext, { entries }: LoggedExchange): [string, Child][] => {
  const words = entries ? findRepeat(ctx.live.journal, entries.from, entries.to) : undefined
  return words === undefined ? [] : [['Repeat', <Sentence ctx={ctx} sentence={words} />]]
}

const Assumed = ({ ctx, assumed }: { ctx: PageContext; assumed: readonly string[] }) => (
  <>
    {assumed.map((it, i) => (
      <>
        {i > 0 ? ', ' : null}
        <a href={ctx.href(`/assumptions/${it.slice(0, it.indexOf('='))}`)}>{it}</a>
      </>
    ))}
  </>
)

interface Side {
  readonly exchange: LoggedExchange
  /** Holds the bodies as received. */
  readonly logRecord: LogRecord
}

const RequestSide = ({ exchange, logRecord }: Side) => {
  const body = bodyText(logRecord.body)
  const reported = fieldErrorsOf(exchange)
  const isReported = ({ path }: FieldError) => reported.some((it) => it.path.join() === path.join())
  const fieldErrors = [...reported, ...unknownFields(exchange).filter((it) => !isReported(it))]
  return (
    <Panel title="Request">
      <Headers headers={exchange.request.headers} />
      {body === undefined ? (
        <p class="quiet">No body.</p>
      ) : (
        <JsonView text={body} label="Request body" fieldErrors={fieldErrors} />
      )}
    </Panel>
  )
}

const ResponseSide = ({ exchange, logRecord }: Side) => {
  const { status, pending, response } = exchange
  const body = bodyText(responseBody(logRecord))
  return (
    <Panel title="Response" aside={<HttpStatus status={status} pending={pending} />}>
      <Headers headers={response.headers} />
      {body === undefined ? (
        <p class="quiet">{status === null ? refusalReason(exchange) : 'No body.'}</p>
      ) : (
        <JsonView text={body} label="Response body" />
      )}
    </Panel>
  )
}

const Headers = ({ headers }: { headers: Readonly<Record<string, string>> }) => {
  const all = Object.entries(headers)
  return (
    <details>
      <summary>{pluralize(all.length, 'header')}</summary>
      <DescriptionList facts={all} />
    </details>
  )
}

/** A request that advances until idle can make thousands of entries. */
const MAX_CAUSED = 50

const Caused = ({ ctx, exchange }: { ctx: PageContext; exchange: LoggedExchange }) => {
  if (!exchange.entries) return null
  const { from, to } = exchange.entries
  const { journal } = ctx.live
  const isKept = journal.hasAllAfter(from - 1)
  const entries = isKept ? journal.oldestAfter(from - 1, Math.min(to - from + 1, MAX_CAUSED)) : []
  return (
    <LiveRegion id="caused">
      <Panel title="Journal entries">
        {isKept ? (
          <EntryList ctx={ctx} entries={entries} />
        ) : (
          <p class="quiet">
            Entries {from} to {to} are no longer in the journal.
          </p>
        )}
      </Panel>
    </LiveRegion>
  )
}
