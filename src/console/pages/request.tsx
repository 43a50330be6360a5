import type { Child } from 'hono/jsx'
import { assumptionIds } from '../../assumptions/ids.js'
import { compareByRisk } from '../../assumptions/register/assumption.js'
import { type AssumptionId, assumptions } from '../../assumptions/register/index.js'
import type { Tables } from '../../domain/schema.js'
import { bodyText } from '../../history/bodies.js'
import type { Noun } from '../../history/explain.js'
import type { LogRecord } from '../../history/log-record.js'
import { type LoggedExchange, responseBody } from '../../history/views.js'
import type { Operation } from '../../http/operation/operation.js'
import { type FieldError, Json } from '../components/json.js'
import { Id, Text, Time } from '../components/links.js'
import { Code, Status } from '../components/status.js'
import { Table } from '../components/table.js'
import { type Tab, Tabs } from '../components/tabs.js'
import { type Step, Timeline } from '../components/timeline.js'
import { fieldErrorsOf } from '../field-errors.js'
import { addressWith } from '../filters.js'
import { escapeBidi, formatCount, pluralize } from '../format.js'
import { findRecord, pathWithQuery } from '../logged-request.js'
import type { PageContext } from '../page-context.js'
import {
  type Attempt,
  attemptSentence,
  doubleSentence,
  type Inquiry,
  inquiryTitle,
  isLost,
  keyHint,
} from '../request-sentences.js'
import { entrySentence } from '../sentences.js'
import { unknownFields } from '../unknown-fields.js'
import { findDouble, findEntries, type Group, toInquiry } from './activity-groups.js'
import { LostMark, LostResponse } from './lost-response.js'
import { Facts } from './record-page.js'
import { payoutMoney, transferMoney } from './records.js'
import { CopyCurl, SendAgain } from './send-again.js'
import { findHistory, pastSteps } from './story.js'

/** The chosen request: its sentence, its story, both messages, the open questions it rests on. */
export const ChosenRequest = ({
  ctx,
  id,
  group,
}: {
  ctx: PageContext
  id: string
  group: Group
}) => {
  const request = findRecord(ctx, id)
  const inquiry = toInquiry(group)
  const attempt = inquiry.attempts.find(({ exchange }) => exchange.id === request.id)
  if (!attempt) return null
  const { exchange } = attempt
  const { payout } = inquiry
  const operation = ctx.serviceOperations.find(({ id }) => id === exchange.operation)
  const double = payout && findDouble(ctx, payout)
  const hint = keyHint(exchange)
  const subject = findSubject(ctx.tables, inquiry)
  const isStillLost = inquiry.newest === attempt && isLost(exchange) && inquiry.noun
  return (
    <>
      <div class="head">
        <div>
          <p class="note">
            <a href={addressWith(ctx, { request: undefined, tab: undefined })}>Activity</a> ·{' '}
            <code>
              {request.method} <bdi>{pathWithQuery(request)}</bdi>
            </code>{' '}
            <Code status={exchange.status} isPending={exchange.pending} /> in{' '}
            {exchange.duration_ms.toFixed(1)} ms, <Key exchange={exchange} />,{' '}
            <Time ctx={ctx} at={exchange.at} machine={request.started_at} />,{' '}
            <Id id={exchange.id} />
          </p>
          <h1>
            <Text ctx={ctx} prose={inquiryTitle(ctx.tables, { ...inquiry, attempts: [attempt] })} />
          </h1>
          <p class="sentence">
            <Text
              ctx={ctx}
              prose={[
                ...attemptSentence(inquiry, attempt, ctx.world.now),
                ...(double ? [' ', ...doubleSentence(double, ctx.world.now)] : []),
                hint ? ` ${hint}` : '',
              ]}
            />
          </p>
        </div>
        <Outcome tables={ctx.tables} inquiry={inquiry} />
      </div>
      <div class="row">
        <SendAgain ctx={ctx} request={request} />
        {isStillLost ? null : <CopyCurl ctx={ctx} request={request} />}
        {subject?.path ? (
          <a class="button" href={ctx.href(subject.path)}>
            Open the {subject.word}
          </a>
        ) : null}
        {operation ? (
          <a class="button" href={referencePath(operation)}>
            {operation.summary} in the reference
          </a>
        ) : null}
      </div>
      {isStillLost ? <LostResponse ctx={ctx} inquiry={inquiry} /> : null}
      <Story ctx={ctx} inquiry={inquiry} attempt={attempt} subject={subject} />
      <div class="section">
        <Tabs ctx={ctx} tabs={messageTabs(ctx, request, exchange)} label="Request" />
      </div>
      <Questions ctx={ctx} exchange={exchange} />
    </>
  )
}

/** Scalar's address of an operation. */
const referencePath = ({ tag, method, path }: Operation): string =>
  `/reference#service/tag/${tag.toLowerCase()}/${method.toUpperCase()}${path}`

const Key = ({ exchange: { request } }: { exchange: LoggedExchange }) => {
  const key = request.headers['x-api-key']
  return key ? <>key {key}</> : <>no key</>
}

interface Subject {
  readonly noun: Noun
  readonly id: string
  readonly word: string
  readonly status?: string
  /** Its page, if it has one. */
  readonly path?: string
}

/** The record that a request was about. */
const findSubject = (
  { payouts, transfers, users, wallets }: Tables,
  { payout, newest: { exchange } }: Inquiry,
): Subject | undefined => {
  if (payout) return toSubject('payouts', 'payout', payouts.get(payout.id))
  if (exchange.status === null || exchange.status >= 400) return undefined
  const answered = String(Object(exchange.response.body).id)
  const { operation, path } = exchange
  if (operation === 'createCustodyWallet') {
    const wallet = wallets.get(answered)
    return wallet && { noun: 'wallets', word: 'wallet', id: wallet.id }
  }
  if (operation === 'createUser') return toSubject('users', 'user', users.get(answered))
  const transfer = path.split('/').find((it) => transfers.get(it))
  return toSubject('transfers', 'transfer', transfers.get(transfer ?? ''))
}

const toSubject = (
  noun: Noun,
  word: string,
  record: { readonly id: string; readonly status: string } | undefined,
): Subject | undefined =>
  record && { noun, word, id: record.id, status: record.status, path: `/${noun}/${record.id}` }

/** The outcome of a payment, a user or a transfer; the newest HTTP codes if nothing was made. */
export const Outcome = ({ tables, inquiry }: { tables: Tables; inquiry: Inquiry }) => {
  const status = findSubject(tables, inquiry)?.status
  if (inquiry.noun && isLost(inquiry.newest.exchange)) return <LostMark />
  return status ? <Status status={status} /> : <Codes inquiry={inquiry} />
}

const MAX_CODES = 3

export const Codes = ({ inquiry: { attempts } }: { inquiry: Inquiry }) => (
  <span>
    {attempts.slice(-MAX_CODES).map(({ exchange: { status, pending } }) => (
      <>
        <Code status={status} isPending={pending} />{' '}
      </>
    ))}
  </span>
)

const Story = ({
  ctx,
  inquiry,
  attempt,
  subject,
}: {
  ctx: PageContext
  inquiry: Inquiry
  attempt: Attempt
  subject: Subject | undefined
}) => {
  if (!subject) return null
  const { noun, id } = subject
  const transfer = noun === 'transfers' ? ctx.tables.transfers.get(id) : undefined
  const steps: Step[] = pastSteps(ctx, {
    id,
    entries: findHistory(ctx, noun, id).entries,
    inquiry: inquiry.noun && inquiry,
    current: attempt.exchange.id,
    ...(inquiry.payout && { money: payoutMoney(inquiry.payout) }),
    ...(transfer && { money: transferMoney(transfer) }),
  })
  return (
    <section class="section" aria-label="Story">
      <Timeline ctx={ctx} steps={steps.reverse()} />
    </section>
  )
}

const messageTabs = (ctx: PageContext, request: LogRecord, exchange: LoggedExchange): Tab[] => {
  const entries = findEntries(ctx, request)
  return [
    {
      name: 'response',
      text: 'Response',
      body: () => <Message text={bodyText(responseBody(request))} label="Response" />,
    },
    {
      name: 'request',
      text: 'Request',
      body: () => (
        <Message text={bodyText(request.body)} label="Request" fieldErrors={findErrors(exchange)} />
      ),
    },
    {
      name: 'headers',
      text: 'Headers',
      body: () => (
        <>
          <h2>Request</h2>
          <Headers headers={exchange.request.headers} />
          <h2>Response</h2>
          <Headers headers={exchange.response.headers} />
        </>
      ),
    },
    {
      name: 'entries',
      text: 'Entries',
      count: entries.length,
      body: () => (
        <Table
          label="Entries"
          rows={entries.slice(0, MAX_ENTRIES)}
          columns={[
            { name: 'Entry', kind: 'number', cell: ({ seq }) => formatCount(seq) },
            { name: 'Time', cell: ({ at }) => <Time ctx={ctx} at={at} /> },
            {
              name: 'What',
              cell: (entry) => <Text ctx={ctx} prose={entrySentence(ctx.tables, entry)} />,
            },
          ]}
        />
      ),
    },
  ]
}

/** A request that moves the clock can cause thousands of entries. */
const MAX_ENTRIES = 50

const Message = ({
  text,
  ...json
}: {
  text: string | undefined
  label: string
  fieldErrors?: readonly FieldError[]
}) => (text === undefined ? <p class="note">No body.</p> : <Json text={text} {...json} />)

/** The errors of the answer, and fields that the call does not have. */
const findErrors = (exchange: LoggedExchange): FieldError[] => {
  const reported = fieldErrorsOf(exchange)
  const isReported = ({ path }: FieldError) => reported.some((it) => it.path.join() === path.join())
  return [...reported, ...unknownFields(exchange).filter((it) => !isReported(it))]
}

const Headers = ({ headers }: { headers: Readonly<Record<string, string>> }) => (
  <Facts facts={Object.entries(headers).map(([name, value]) => [name, <bdi>{value}</bdi>])} />
)

const isQuestion = (id: string): id is AssumptionId => (assumptionIds as string[]).includes(id)

const Questions = ({ ctx, exchange }: { ctx: PageContext; exchange: LoggedExchange }) => {
  const relied = exchange.assumed
    .map((it) => it.split('='))
    .flatMap(([id = '', reading]) => (isQuestion(id) ? [{ id, reading, ...assumptions[id] }] : []))
    .sort(compareByRisk)
  if (relied.length === 0) return null
  return (
    <section class="section">
      <header>
        <h2>This answer rests on {pluralize(relied.length, 'open question')}</h2>
        <a href={ctx.href('/questions')}>All open questions</a>
      </header>
      <Table
        label="Open questions"
        rows={relied}
        columns={[
          {
            name: 'Question',
            cell: ({ id, question }) => (
              <a class="open-row" href={ctx.href(`/questions?open=${id}`)}>
                {question}
              </a>
            ),
          },
          { name: 'Here', cell: ({ reading }) => reading },
          {
            name: 'Risk',
            kind: 'minor',
            cell: ({ risk }): Child => (
              <span
                class={risk === 'high' ? 'chip bad' : 'chip'}
              >{`${escapeBidi(risk)} risk`}</span>
            ),
          },
        ]}
      />
    </section>
  )
}
