import { entrySentence } from '../../activity/entry-sentences.js'
import { BEGIN, type Group, isLogComplete, KINDS, toInquiry } from '../../activity/groups.js'
import {
  createLineFilter,
  findGroup,
  findOpening,
  groupsOfAll,
  isAct,
  type Line,
  mergeLines,
  readLines,
  type WorldView,
  withKinds,
} from '../../activity/lines.js'
import { oncePerState } from '../../activity/once-per-state.js'
import { isFailed, noMatch } from '../../activity/record-sentences.js'
import {
  attemptTitle,
  emptySentence,
  inquiryNote,
  inquiryTitle,
  minuteHeading,
  noneChosen,
  REQUEST_TEXTS,
} from '../../activity/request-sentences.js'
import type { View } from '../../activity/view.js'
import { readClockSetting } from '../../domain/clock.js'
import { formatConduct, judgeConduct } from '../../history/conduct.js'
import { capitalize, pluralize } from '../../history/format.js'
import { formatHar } from '../../history/har.js'
import { showExchange } from '../../history/views.js'
import { badRequest } from '../../http/operation/api-error.js'
import { exchangeFilters, parseExchangeFilter } from '../../http/pipeline/exchange-filter.js'
import type { Entry } from '../../kernel/entry.js'
import { toIso } from '../../kernel/time.js'
import { inSlices, streamInSlices } from '../../lib/slices.js'
import { formatIssues } from '../../lib/zod-errors.js'
import { drawFolded } from '../components/form.js'
import { attributes, type Html, html } from '../components/html.js'
import { drawChips, drawCommand, inPlace } from '../components/parts.js'
import { drawText, drawTime } from '../components/text.js'
import { payoutExample } from '../curl.js'
import { addressWith, enumParam, param, takePage, withParam } from '../filters.js'
import { nameOfWorld } from '../layout.js'
import type { DrawPage, Page, PageContext } from '../page-context.js'
import { drawFilter, drawPager } from './list-page.js'
import { drawCodes, drawOutcome, drawRequest } from './request.js'

export const activityPage: DrawPage = async (ctx) => {
  const kind = enumParam(ctx, 'kind', [...Object.keys(KINDS), 'yours'])
  const { groups, byKind, acts } = showsAll(ctx)
    ? withKinds(await inSlices(groupsOfAll(ctx)))
    : readLines(ctx)
  const isWhole = showsAll(ctx) || isLogComplete(ctx)
  if (groups.length === 0 && acts.length === 0 && isWhole) return emptyPage(ctx)
  const lines = byKind.get(kind ?? '') ?? mergeLines(ctx, groups, acts)
  const { records, hasMore } = takePage(ctx, lines, createLineFilter(ctx, param(ctx, 'text')))
  const asked = param(ctx, 'request')?.toLowerCase()
  const id = asked ?? findOpening(ctx, records, ctx.opened)
  const chosen = id === undefined ? undefined : findGroup(ctx, groups, id)
  const chips = [
    { text: 'All', count: groups.length },
    ...[...byKind].map(([value, { length: count }]) => ({
      value,
      text: capitalize(value.replace('_', ' ')),
      count,
    })),
  ]
  return {
    title: 'Activity',
    kind: asked && chosen ? 'split chosen' : 'split',
    status: asked && !chosen ? 404 : 200,
    body: html`
      <section class="feed" id="feed" aria-label="Activity">
        <header>
          <h1 class="unseen">Activity</h1>
          ${drawFilter(ctx, {
            label: 'the activity',
            hint: 'amount, name, id, operation, 4xx',
            choice: ['worlds', drawWorlds(ctx)],
          })}
          ${drawChips(ctx, 'kind', 'Kinds of requests', chips, drawDownload(ctx))}
        </header>
        ${drawLines(ctx, records, id)}
        ${drawPager(ctx, hasMore, records.length === 0 && drawText(ctx, noMatch('request')))}
        ${!isWhole && html`<p class="note">${REQUEST_TEXTS.beginsLate}</p>`}
        ${!showsAll(ctx) && drawConduct(ctx)}
        ${!showsAll(ctx) && ctx.live.requests.kept > 0 && drawClearLog(ctx)}
      </section>
      <article class="detail" id="request" data-request="${id}" aria-label="Chosen request">
        ${chosen && id ? drawRequest(withParam(ctx, 'request', id), chosen, id) : drawNoneChosen(ctx, asked)}
      </article>`,
  }
}

const showsAll = (ctx: PageContext): boolean => param(ctx, 'worlds') === 'all'

const drawWorlds = (ctx: PageContext): Html => html`
  <select name="worlds" aria-label="Worlds">
    <option value="">This world</option>
    <option value="all"${attributes({ selected: showsAll(ctx) })}>All worlds</option>
  </select>`

const drawDownload = (ctx: PageContext): Html => {
  const text = param(ctx, 'text')
  const to = ctx.href(text ? `/requests.har?text=${encodeURIComponent(text)}` : '/requests.har')
  return html`<a class="chip" href="${to}" title="As HAR, for the network panel of a browser" download>Download</a>`
}

/** Lines in a row of the same minute below its heading. An undo can turn time back. */
const drawLines = (ctx: PageContext, lines: readonly Line[], chosen: string | undefined): Html => {
  const runs: { readonly minute: string; readonly drawn: Html[] }[] = []
  for (const line of lines) {
    const minute = timeOf(ctx, line).slice(0, 16)
    const drawn = isAct(line) ? drawAct(ctx, line) : drawGroup(ctx, line, chosen)
    const last = runs.at(-1)
    if (last?.minute === minute) last.drawn.push(drawn)
    else runs.push({ minute, drawn: [drawn] })
  }
  return runs.map(
    ({ minute, drawn }, i) =>
      html`<h2>${minuteHeading(minute, runs[i - 1]?.minute)}</h2><ol>${drawn}</ol>`,
  )
}

/** World time; the machine's time for lines of several worlds. */
const timeOf = (ctx: PageContext, line: Line): string => {
  if (isAct(line)) return line.at
  const [{ at, started_at }] = line.requests
  return toIso(showsAll(ctx) ? started_at : (at ?? started_at))
}

const drawAct = (ctx: PageContext, entry: Entry): Html => html`
  <li class="item note" id="entry-${entry.seq}">
    ${drawTime(ctx, entry.at)} <span>${drawText(ctx, entrySentence(ctx.tables, entry))}</span>
    ${entry.command === BEGIN && html`<span class="chip now">${REQUEST_TEXTS.beganAgain}</span>`}
  </li>`

const drawGroup = (ctx: PageContext, group: Group<WorldView>, chosen: string | undefined): Html => {
  const { view, requests, client } = group
  const { tables } = view
  const inquiry = toInquiry(group)
  const { attempts, payout } = inquiry
  const isOpen = requests.some(({ id }) => id === chosen)
  const hasAttempts = client !== undefined && attempts.length > 1
  const note = inquiryNote(inquiry)
  const world = view.live !== ctx.live && html`<bdi>${nameOfWorld(view)}</bdi>`
  const codes = hasAttempts && payout && !isFailed(payout.status) && drawCodes(attempts)
  const item = (id: string, isCurrent: boolean) => {
    const to = addressWith(ctx, { request: id, tab: undefined, world: view.worldId })
    return attributes({ class: 'item', ...inPlace(to), 'aria-current': isCurrent && 'true' })
  }
  const drawAttempts = () => html`
    <ol aria-label="Attempts">${attempts.toReversed().map(
      (it) => html`<li><a${item(it.exchange.id, it.exchange.id === chosen)}>
        ${drawTime(ctx, it.exchange.at)} <span>${attemptTitle(inquiry, it)}</span>
        ${drawCodes([it])}</a></li>`,
    )}</ol>`
  return html`
    <li id="line-${requests.at(-1)?.id}"><a${item(requests[0].id, isOpen && !hasAttempts)}>
      ${drawTime(ctx, timeOf(ctx, group))}
      <span>${drawText(ctx, inquiryTitle(tables, inquiry))}</span>
      ${drawOutcome(tables, inquiry)}
      ${(note || world) && html`<span class="note">${note} ${codes} ${world}</span>`}
    </a>${isOpen && hasAttempts && drawAttempts()}</li>`
}

const drawNoneChosen = (ctx: PageContext, missing: string | undefined): Html => {
  const { title, text } = noneChosen(missing)
  const all = addressWith(ctx, { request: undefined, tab: undefined })
  return html`
    <div class="empty">
      <h2>${title}</h2>
      <p class="sentence">${text}</p>
      ${missing ? html`<a href="${all}">Activity</a>` : drawExample(ctx)}
    </div>`
}

const readHabits = oncePerState(({ live }: View) =>
  judgeConduct(live.requests.list().map(showExchange)).filter(({ state }) => state !== 'not_seen'),
)

/** Judged when somebody asks, because that reads the whole log. */
const drawConduct = (ctx: PageContext): Html => {
  const isOpen = param(ctx, 'habits') === 'open'
  if (!isOpen && ctx.live.requests.size < 2) return undefined
  const to = inPlace(addressWith(ctx, { habits: isOpen ? undefined : 'open' }))
  const lines = isOpen ? readHabits(ctx) : []
  return html`
    <section class="section" id="conduct"><a${attributes(to)}>${REQUEST_TEXTS.conduct}</a>
      <ul>${lines.map((line) => html`<li>${formatConduct(line)}</li>`)}</ul>
    </section>`
}

const drawClearLog = (ctx: PageContext): Html =>
  drawFolded(ctx, {
    operation: 'clearRequests',
    summary: 'Clear the log',
    submit: `Delete ${pluralize(ctx.live.requests.kept, 'request')}`,
    kind: 'danger',
    fields: [],
    note: REQUEST_TEXTS.clearing,
  })

const drawExample = (ctx: PageContext): Html => html`
  ${!ctx.sandbox.keepsRequests && html`<p class="callout warn">${REQUEST_TEXTS.logIsOff}</p>`}
  <section class="section">
    ${drawCommand(payoutExample(ctx))}
    <p class="note">${REQUEST_TEXTS.example}</p>
  </section>`

const emptyPage = (ctx: PageContext): Page => {
  const isPaused = readClockSetting(ctx.tables).mode === 'manual'
  return {
    title: 'Activity',
    body: html`
      <div class="empty">
        <span class="status pending">${REQUEST_TEXTS.waiting}</span>
        <h1>${REQUEST_TEXTS.invitation}</h1>
        <p class="sentence">${emptySentence(ctx.tables, isPaused)}</p>
        ${drawExample(ctx)}
        <section class="section">
          <h2>Or begin here</h2>
          <ul>${WAYS.map(
            ([path, text, page]) =>
              html`<li><a class="option" href="${ctx.href(path)}">${text} <small>${page}</small></a></li>`,
          )}</ul>
        </section>
      </div>`,
  }
}

const WAYS = [
  ['/control', 'Make the next payout fail', 'Faults and time'],
  ['/users', 'Look at Ada Okafor, a user with balances and accounts', 'Users'],
  ['/payments?do=newPayout', 'Send a payout', 'Payments'],
  ['/connect', 'Read the eleven calls', 'Connect'],
] as const

/** The log as HAR. Accepts the filters of `GET /_sandbox/requests`, and a text. */
export const formatArchive = (ctx: PageContext): ReadableStream => {
  const { world: _, text = '', ...query } = Object.fromEntries(ctx.query)
  const result = exchangeFilters.safeParse(query)
  if (result.error) throw badRequest(formatIssues(result.error.issues, query))
  const { live, sandbox } = ctx
  const recordings = live.requests.walk(parseExchangeFilter(result.data, live.journal), text)
  return streamInSlices(formatHar(recordings, sandbox.health().version))
}
