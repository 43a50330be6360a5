import type { Child } from 'hono/jsx'
import { bodyText } from '../exchanges/bodies.js'
import { answerBody, type LoggedExchange, showExchange } from '../exchanges/exchange.js'
import type { Recording } from '../exchanges/recording.js'
import { repeatIn } from '../journal/repeats.js'
import { HttpStatus } from './badge.js'
import { complaintsOf, reasonOf } from './complaints.js'
import { EntryList, Told } from './entry-line.js'
import { Id } from './id.js'
import { type Complaint, JsonView } from './json-view.js'
import { OnceMore } from './once-more.js'
import { Facts, Live, Panel } from './parts.js'
import { pathOf, recordingOf } from './recordings.js'
import { WhyRefused } from './refusal.js'
import { Marks } from './request-table.js'
import { NamedRule } from './rule-link.js'
import { strangersOf } from './strangers.js'
import { readable, Time } from './time.js'
import { UserLink } from './user-link.js'
import type { Page, View } from './view.js'

export const requestPage = (view: View, { id = '' }: Readonly<Record<string, string>>): Page => {
  const recording = recordingOf(view, id)
  const exchange = showExchange(recording)
  return {
    title: `${exchange.method} ${exchange.operation ?? exchange.path}`,
    body: (
      <>
        <h1>
          <span class="method">{exchange.method}</span> {exchange.operation ?? 'unknown operation'}{' '}
          <HttpStatus status={exchange.status} pending={exchange.pending} />
        </h1>
        <p class="path">{pathOf(recording)}</p>
        <WhyRefused view={view} exchange={exchange} />
        <FactsOf view={view} exchange={exchange} />
        <div class="columns">
          <RequestSide exchange={exchange} recording={recording} />
          <ResponseSide exchange={exchange} recording={recording} />
        </div>
        <Caused view={view} exchange={exchange} />
        <OnceMore view={view} recording={recording} />
      </>
    ),
  }
}

const FactsOf = ({ view, exchange }: { view: View; exchange: LoggedExchange }) => (
  <Panel title="Facts" aside={<Marks view={view} exchange={exchange} />}>
    <Facts
      facts={[
        ['Request id', <Id id={exchange.id} />],
        [
          'World time',
          <Time view={view} at={exchange.at} made={Date.parse(exchange.started_at)} whole />,
        ],
        ['Real time', readable(exchange.started_at)],
        ['API key', <code>{exchange.request.headers['x-api-key'] ?? 'none'}</code>],
        ['Took', `${exchange.duration_ms.toFixed(2)} ms`],
        ...(exchange.aborted_ms === null
          ? []
          : [['Aborted', `by the client after ${exchange.aborted_ms} ms`] as const]),
        ...(exchange.user_id
          ? [['User', <UserLink view={view} id={exchange.user_id} />] as const]
          : []),
        ...repeatRow(view, exchange),
        ...exchange.rules.map((rule) => ['Rule', <NamedRule view={view} name={rule} />] as const),
        ...(exchange.assumed.length > 0
          ? [['Assumed', <Assumed view={view} assumed={exchange.assumed} />] as const]
          : []),
      ]}
    />
  </Panel>
)

/** What an idempotent repeat repeats. */
const repeatRow = (view: View, { entries }: LoggedExchange): [string, Child][] => {
  const words = entries ? repeatIn(view.line.journal, entries.from, entries.to) : undefined
  return words === undefined ? [] : [['Repeat', <Told view={view} sentence={words} />]]
}

const Assumed = ({ view, assumed }: { view: View; assumed: readonly string[] }) => (
  <>
    {assumed.map((it, i) => (
      <>
        {i > 0 ? ', ' : null}
        <a href={view.to(`/assumptions/${it.slice(0, it.indexOf('='))}`)}>{it}</a>
      </>
    ))}
  </>
)

const NO_BODY = 'No body, or the request was refused before it was read.'

interface Side {
  readonly exchange: LoggedExchange
  /** Holds the bodies as they were written. */
  readonly recording: Recording
}

const RequestSide = ({ exchange, recording }: Side) => {
  const body = bodyText(recording.body)
  const told = complaintsOf(exchange)
  const isTold = ({ path }: Complaint) => told.some((it) => it.path.join() === path.join())
  const complaints = [...told, ...strangersOf(exchange).filter((it) => !isTold(it))]
  return (
    <Panel title="Request">
      <Headers headers={exchange.request.headers} />
      {body === undefined ? (
        <p class="quiet">{/GET|HEAD/.test(exchange.method) ? 'No body.' : NO_BODY}</p>
      ) : (
        <JsonView text={body} label="Request body" complaints={complaints} />
      )}
    </Panel>
  )
}

const ResponseSide = ({ exchange, recording }: Side) => {
  const { status, pending, response } = exchange
  const body = bodyText(answerBody(recording))
  return (
    <Panel title="Response" aside={<HttpStatus status={status} pending={pending} />}>
      <Headers headers={response.headers} />
      {body === undefined ? (
        <p class="quiet">{status === null ? reasonOf(exchange) : 'No body.'}</p>
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
      <summary>
        {all.length} {all.length === 1 ? 'header' : 'headers'}
      </summary>
      <Facts facts={all} />
    </details>
  )
}

/** More than anybody reads: advancing until idle within a request can make thousands. */
const MOST_CAUSED = 50

const Caused = ({ view, exchange }: { view: View; exchange: LoggedExchange }) => {
  if (!exchange.entries) return null
  const { from, to } = exchange.entries
  const { journal } = view.line
  const isKept = journal.follows(from - 1)
  const entries = isKept ? journal.next(from - 1, Math.min(to - from + 1, MOST_CAUSED)) : []
  return (
    <Live id="caused">
      <Panel title="What it caused">
        {isKept ? (
          <EntryList view={view} entries={entries} />
        ) : (
          <p class="quiet">
            Entries {from} to {to}, which the journal keeps no more.
          </p>
        )}
      </Panel>
    </Live>
  )
}
