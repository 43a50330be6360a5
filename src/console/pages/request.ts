import {
  type ChangedField,
  changedFields,
  findChanges,
  findMoney,
  findPlans,
  type RecordChange,
} from '../../activity/changes.js'
import { fieldText } from '../../activity/control-sentences.js'
import { timerSentence } from '../../activity/entry-sentences.js'
import {
  type Attempt,
  findEntries,
  type Group,
  type Inquiry,
  isInDoubt,
  isLost,
  toInquiry,
} from '../../activity/groups.js'
import { accountRef } from '../../activity/record-sentences.js'
import {
  attemptSentence,
  inquiryTitle,
  keyHint,
  REQUEST_TEXTS,
  unknownFields,
} from '../../activity/request-sentences.js'
import { readStory } from '../../activity/story.js'
import { changeSentence, moreRecords } from '../../activity/ways-back.js'
import { compareByRisk } from '../../assumptions/register/assumption.js'
import { type AssumptionId, assumptions } from '../../assumptions/register/index.js'
import type { Tables } from '../../domain/schema.js'
import { bodyText } from '../../history/bodies.js'
import { pluralize } from '../../history/format.js'
import type { LogRecord } from '../../history/log-record.js'
import { type LoggedExchange, responseBody, sentTarget } from '../../history/views.js'
import type { Entry } from '../../kernel/entry.js'
import { type Html, html } from '../components/html.js'
import { drawFacts, drawHead, drawTable, drawTabs, type Tab } from '../components/parts.js'
import {
  drawCode,
  drawId,
  drawJson,
  drawMoney,
  drawStatus,
  drawText,
  drawTime,
  drawUntil,
} from '../components/text.js'
import { drawTimeline, drawWayBack } from '../components/timeline.js'
import { addressWith } from '../filters.js'
import type { PageContext } from '../page-context.js'
import { drawCopyCurl, drawLostMark, drawLostResponse, drawSendAgain } from './lost-response.js'
import { payoutMoney, transferMoney } from './records.js'
import { pastSteps } from './story.js'

export const drawRequest = (ctx: PageContext, group: Group, id: string): Html => {
  const inquiry = toInquiry(group)
  const request = group.requests.find((it) => it.id === id)
  const attempt = inquiry.attempts.find(({ exchange }) => exchange.id === id)
  if (!request || !attempt) return ''
  const { exchange } = attempt
  const hint = keyHint(exchange)
  const entries = findEntries(ctx, request)
  const own = entries.find(({ cause }) => 'request' in cause)
  const subject = findSubject(ctx.tables, inquiry)
  const operation = ctx.serviceOperations.find(({ id }) => id === exchange.operation)
  const alone = { ...inquiry, attempts: [attempt], newest: attempt }
  const isStillLost =
    inquiry.noun && inquiry.newest === attempt && isInDoubt(inquiry) && attempt.effect !== 'undone'
  return html`
    ${drawHead(ctx, {
      above: drawFirstLine(ctx, request, exchange),
      title: drawText(ctx, inquiryTitle(ctx.tables, alone)),
      sentence: [
        ...attemptSentence(ctx.tables, inquiry, attempt, ctx.world.now),
        hint ? ` ${hint}` : '',
      ],
      actions: drawOutcome(ctx.tables, inquiry),
    })}
    <div class="row">
      ${drawSendAgain(ctx, request)}
      ${!isStillLost && drawCopyCurl(ctx, request)}
      ${subject && drawOpen(ctx, subject)}
      ${own && drawWayBack(ctx, own.seq)}
      ${operation && html`<a class="button" href="${operationHref(operation)}">${operation.summary} in the reference</a>`}
    </div>
    ${isStillLost && drawLostResponse(ctx, inquiry)}
    ${subject && drawStory(ctx, inquiry, subject, id)}
    ${drawChanges(ctx, entries)}
    <div class="section">${drawTabs(ctx, 'Request', messageTabs(ctx, request, exchange))}</div>
    ${drawQuestions(ctx, exchange)}`
}

const drawFirstLine = (ctx: PageContext, request: LogRecord, exchange: LoggedExchange): Html => {
  const { method, started_at } = request
  const { id, at, status, pending, duration_ms } = exchange
  const key = exchange.request.headers['x-api-key']
  const back = addressWith(ctx, { request: undefined, tab: undefined })
  return html`<a href="${back}">Activity</a> ·
    <code>${method} <bdi>${sentTarget(request)}</bdi></code> ${drawCode(status, pending)} in
    ${duration_ms.toFixed(1)} ms, ${key ? `key ${key}` : 'no key'}, ${drawTime(ctx, at, started_at)},
    ${drawId(id)}`
}

const drawOpen = (ctx: PageContext, { noun, record: { id } }: Subject): Html =>
  noun !== 'wallets' &&
  html`<a class="button" href="${ctx.href(`/${noun}/${id}`)}">Open the ${noun.slice(0, -1)}</a>`

const operationHref = (it: PageContext['serviceOperations'][number]): string =>
  `/reference#service/tag/${it.tag.toLowerCase()}/${it.method.toUpperCase()}${it.path}`

const MADE: Readonly<Record<string, 'wallets' | 'users'>> = {
  createCustodyWallet: 'wallets',
  createUser: 'users',
}

const findSubject = (tables: Tables, { payout, newest }: Inquiry) => {
  if (payout) return { noun: 'payouts', record: payout } as const
  const { operation, path, response, status } = newest.exchange
  if (status === null || status >= 400) return undefined
  const noun = MADE[operation ?? ''] ?? 'transfers'
  const ids = noun === 'transfers' ? path.split('/') : [String(Object(response.body).id)]
  const record = ids.map((id) => tables[noun].get(id)).find((it) => it !== undefined)
  return record && ({ noun, record } as const)
}

type Subject = NonNullable<ReturnType<typeof findSubject>>

export const drawOutcome = (tables: Tables, inquiry: Inquiry): Html => {
  if (inquiry.noun && isLost(inquiry.newest.request)) return drawLostMark()
  const subject = findSubject(tables, inquiry)
  if (!subject || subject.noun === 'wallets') return drawCodes(inquiry.attempts)
  return drawStatus(subject.record.status)
}

const MAX_CODES = 3

export const drawCodes = (attempts: readonly Attempt[]): Html => {
  const newest = attempts.slice(-MAX_CODES)
  return html`<span>${newest.map(
    ({ exchange: { status, pending } }) => html`${drawCode(status, pending, newest.length === 1)} `,
  )}</span>`
}

const drawStory = (
  ctx: PageContext,
  inquiry: Inquiry,
  { noun, record }: Subject,
  current: string,
): Html => {
  const { payout } = inquiry
  const transfer = ctx.tables.transfers.get(record.id)
  const steps = pastSteps(ctx, {
    story: readStory(ctx, noun, record),
    inquiry: inquiry.noun && inquiry,
    current,
    ...(payout && { money: payoutMoney(payout) }),
    ...(transfer && { money: transferMoney(transfer) }),
  })
  return html`
    <section class="section" aria-label="Story">${drawTimeline(ctx, steps.reverse())}</section>`
}

const MAX_CHANGES = 20

const drawChanges = (ctx: PageContext, entries: readonly Entry[]): Html => {
  const { tables } = ctx
  const changes = findChanges(entries)
  if (changes.length === 0) return ''
  const money = findMoney(entries).map(
    ({ account, asset, amount }) =>
      [
        drawText(ctx, [accountRef(tables, account)]),
        drawMoney(amount.abs().toFixed(), asset, amount.lt(0) ? '−' : '+'),
      ] as const,
  )
  const plans = findPlans(tables, entries).slice(0, MAX_CHANGES)
  return html`
    <section class="section" aria-label="Changes">
      <h2>What it changed</h2>
      ${changes.slice(0, MAX_CHANGES).map((it) => drawChange(ctx, it))}
      ${changes.length > MAX_CHANGES && html`<p class="note">${moreRecords(changes.length - MAX_CHANGES)}</p>`}
      ${money.length > 0 && html`<h2>Money</h2>${drawFacts(money)}`}
      ${
        plans.length > 0 &&
        html`<h2>Still to come</h2>
        <ul>${plans.map((it) => html`<li>${drawText(ctx, timerSentence(ctx, it))}${it.due !== null && [', in ', drawUntil(ctx, it.due)]}</li>`)}</ul>`
      }
    </section>`
}

/** Folded for a new record, which has only fields after it. */
const drawChange = (ctx: PageContext, change: RecordChange): Html => {
  const fields = changedFields(change)
  const isNew = change.did === 'made'
  const table = drawTable('Fields', fields, [
    { name: 'Field', cell: ({ path }) => html`<code>${path}</code>` },
    ...(isNew
      ? []
      : [{ name: 'Before', cell: ({ a }: ChangedField) => html`<bdi>${fieldText(a)}</bdi>` }]),
    {
      name: isNew ? 'Value' : 'After',
      cell: ({ b }: ChangedField) => html`<bdi>${fieldText(b)}</bdi>`,
    },
  ])
  const title = drawText(ctx, changeSentence(ctx.tables, change))
  const count = pluralize(fields.length, 'field')
  return isNew || change.before === undefined
    ? html`<p>${title}</p><details><summary>${count}</summary>${table}</details>`
    : html`<p>${title}</p>${table}`
}

const messageTabs = (ctx: PageContext, request: LogRecord, exchange: LoggedExchange): Tab[] => [
  {
    text: 'Response',
    body: () => drawMessage(bodyText(responseBody(request)), 'Response'),
  },
  {
    value: 'request',
    text: 'Request',
    body: () => [
      unknownFields(ctx.serviceOperations, exchange).map(
        (it) => html`<p class="callout warn">${it}</p>`,
      ),
      drawMessage(bodyText(request.body), 'Request'),
    ],
  },
  {
    value: 'headers',
    text: 'Headers',
    body: () => html`
        <h2>Request</h2>
        ${drawHeaders(exchange.request.headers)}
        <h2>Response</h2>
        ${drawHeaders(exchange.response.headers)}`,
  },
]

const drawMessage = (text: string | undefined, label: string): Html =>
  text === undefined ? html`<p class="note">${REQUEST_TEXTS.noBody}</p>` : drawJson(text, label)

const drawHeaders = (headers: Readonly<Record<string, string>>): Html =>
  drawFacts(Object.entries(headers).map(([name, value]) => [name, html`<bdi>${value}</bdi>`]))

const drawQuestions = (ctx: PageContext, { assumed }: LoggedExchange): Html => {
  const relied = assumed
    .map((it) => it.split('='))
    .filter(([id = '']) => Object.hasOwn(assumptions, id))
    .map(([id, reading]) => ({ id, reading, ...assumptions[id as AssumptionId] }))
    .sort(compareByRisk)
  if (relied.length === 0) return ''
  return html`
    <section class="section">
      <header>
        <h2>This answer rests on ${pluralize(relied.length, 'open question')}</h2>
        <a href="${ctx.href('/questions')}">All open questions</a>
      </header>
      <ul>${relied.map(
        ({ id, question, reading, risk }) =>
          html`<li><a href="${ctx.href(`/questions?open=${id}`)}">${question}</a>
            <code>${reading}</code> <span class="${risk === 'high' ? 'chip bad' : 'chip'}">${risk} risk</span></li>`,
      )}</ul>
    </section>`
}
