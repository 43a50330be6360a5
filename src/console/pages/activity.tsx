import type { Child } from 'hono/jsx'
import { readClockSetting } from '../../domain/clock.js'
import { bodyText } from '../../history/bodies.js'
import { formatHar } from '../../history/har.js'
import type { LogRecord } from '../../history/log-record.js'
import { badRequest } from '../../http/operation/api-error.js'
import { exchangeFilters, parseExchangeFilter } from '../../http/pipeline/exchange-filter.js'
import type { Entry } from '../../kernel/entry.js'
import { toIso } from '../../kernel/time.js'
import { inSlices, streamInSlices } from '../../lib/slices.js'
import { formatIssues } from '../../lib/zod-errors.js'
import { isVisible } from '../../runtime/tenants.js'
import { Chips } from '../components/chips.js'
import { Command } from '../components/empty.js'
import { FoldedForm } from '../components/form.js'
import { inPlace, Text, Time } from '../components/links.js'
import { payoutExample } from '../examples.js'
import { addressWith, createMatcher, enumParam, param, takePage } from '../filters.js'
import { capitalize, escapeBidi, pluralize } from '../format.js'
import { nameOfWorld } from '../layout.js'
import type { DrawPage, Page, PageContext } from '../page-context.js'
import {
  attemptTitle,
  emptySentence,
  inquiryNote,
  inquiryTitle,
  minuteHeading,
  noneChosen,
} from '../request-sentences.js'
import { entrySentence, isFailed, toPlainText } from '../sentences.js'
import { type Group, groupRequests, KINDS, toInquiry, type View } from './activity-groups.js'
import { Pager, TextFilter } from './list-page.js'
import { ChosenRequest, Codes, Outcome } from './request.js'

/** A line of the list: requests that belong together, or an act between them. */
type Line = Group | Act

interface Act {
  readonly view: View
  readonly entry: Entry
}

const isAct = (line: Line): line is Act => 'entry' in line

/** The list looks at the newest requests only, as many as the log keeps by default. */
const MAX_REQUESTS = 1_000
/** Of each other world. */
const MAX_PER_WORLD = 50

export const activityPage: DrawPage = async (ctx) => {
  const isAll = param(ctx, 'worlds') === 'all'
  const kind = enumParam(ctx, 'kind', [...Object.keys(KINDS), 'yours'])
  const groups = isAll ? await inSlices(groupsOfAll(ctx)) : groupsOf(ctx, MAX_REQUESTS)
  const acts = isAll ? [] : actsIn(ctx)
  if (groups.length === 0) return emptyPage(ctx)
  const fits = kind && KINDS[kind]
  const shown = [
    ...merge(
      fits ? groups.filter(fits) : kind === 'yours' ? [] : groups,
      kind === undefined || kind === 'yours' ? acts : [],
    ),
  ]
  const rows = takePage(ctx, matching(param(ctx, 'text'), shown))
  const chosen = findChosen(ctx, groups)
  return {
    title: 'Activity',
    kind: chosen.group ? 'split chosen' : 'split',
    status: chosen.id !== undefined && !chosen.group ? 404 : 200,
    body: (
      <>
        <section class="feed" id="feed" aria-label="Activity">
          <Header ctx={ctx} groups={groups} acts={acts} />
          <Lines ctx={ctx} lines={rows.records} chosen={chosen.id} />
          <Pager ctx={ctx} hasMore={rows.hasMore}>
            {rows.records.length === 0 ? 'No request matches.' : null}
          </Pager>
          <ClearLog ctx={ctx} />
        </section>
        <article class="detail" id="request" aria-label="Chosen request">
          {chosen.group && chosen.id ? (
            <ChosenRequest ctx={ctx} id={chosen.id} group={chosen.group} />
          ) : (
            <NoneChosen ctx={ctx} chosen={chosen} groups={groups} />
          )}
        </article>
      </>
    ),
  }
}

const groupsOf = (view: View, most: number): Group[] =>
  groupRequests(view, view.live.requests.newest({}, 0, most))

/** Of all worlds in memory that the session sees, newest first by the machine's time. */
function* groupsOfAll({ sandbox: { worlds }, scope }: PageContext): Generator<void, Group[]> {
  const groups: Group[] = []
  for (const handle of worlds.list()) {
    const { live } = handle
    if (!isVisible(scope, live.tenant)) continue
    const view = { handle, live, tables: live.world.tables, worldId: handle.key && live.id }
    groups.push(...groupsOf(view, MAX_PER_WORLD))
    yield
  }
  return groups.sort(({ requests: [a] }, { requests: [b] }) => b.started_at - a.started_at)
}

/** Acts of the console and the control API since the reset that cleared the log. */
const actsIn = (view: View): Act[] => {
  const entries = view.live.journal.all()
  return entries
    .slice(
      Math.max(
        entries.findLastIndex(({ command }) => command === 'world.begin'),
        0,
      ),
    )
    .filter(({ cause }) => cause.kind === 'control')
    .map((entry) => ({ view, entry }))
    .reverse()
}

function* merge(groups: readonly Group[], acts: readonly Act[]): Generator<Line> {
  let next = 0
  for (const group of groups) {
    for (let act = acts[next]; act && isNewer(act, group.requests[0]); act = acts[++next]) yield act
    yield group
  }
  yield* acts.slice(next)
}

/** By the number of the entry, or by the machine's time if the request caused no entry. */
const isNewer = ({ view, entry: { seq } }: Act, { from, to, started_at }: LogRecord): boolean =>
  to < from ? (view.live.journal.machineTimeOf(seq) ?? 0) > started_at : seq > to

function* matching(text: string | undefined, lines: Iterable<Line>): Iterable<Line> {
  const fits = createMatcher(text ?? '')
  for (const line of lines) if (text === undefined || fits(lineTexts(line))) yield line
}

const lineTexts = (line: Line): (string | undefined)[] => {
  const { tables } = line.view
  if (isAct(line)) return [toPlainText(entrySentence(tables, line.entry))]
  const inquiry = toInquiry(line)
  const requests = line.requests.flatMap((it) => [
    it.id,
    it.method,
    it.url,
    it.operation?.id,
    it.fault,
    bodyText(it.body),
    bodyText(it.answer),
    String(it.status),
    `${String(it.status).charAt(0)}xx`,
  ])
  return [toPlainText(inquiryTitle(tables, inquiry)), inquiryNote(inquiry), ...requests]
}

interface Chosen {
  readonly id: string | undefined
  readonly group: Group | undefined
}

/** The request of the address, which the list may not show. */
const findChosen = (ctx: PageContext, groups: readonly Group[]): Chosen => {
  const id = param(ctx, 'request')?.toLowerCase()
  if (id === undefined) return { id, group: undefined }
  const listed = groups.find(
    ({ view, requests }) => view.live === ctx.live && requests.some((it) => it.id === id),
  )
  const found = listed ? undefined : ctx.live.requests.find(id)
  return { id, group: listed ?? (found && groupRequests(ctx, [found])[0]) }
}

const Header = ({
  ctx,
  groups,
  acts,
}: {
  ctx: PageContext
  groups: readonly Group[]
  acts: readonly Act[]
}) => {
  const isAll = param(ctx, 'worlds') === 'all'
  const text = param(ctx, 'text')
  const chips = Object.entries(KINDS).map(([value, fits]) => ({
    value,
    text: capitalize(value),
    count: groups.filter(fits).length,
  }))
  return (
    <header>
      <h1 class="unseen">Activity</h1>
      <TextFilter
        ctx={ctx}
        label="Filter the activity"
        hint="amount, name, id, operation, 4xx"
        choice="worlds"
      >
        <select name="worlds" aria-label="Worlds">
          <option value="">This world</option>
          <option value="all" selected={isAll}>
            All worlds
          </option>
        </select>
      </TextFilter>
      <Chips
        ctx={ctx}
        chips={[
          { text: 'All', count: groups.length },
          ...chips,
          { value: 'yours', text: 'Yours', count: acts.length },
        ]}
        parameter="kind"
        label="Kinds of requests"
      >
        <a
          class="chip"
          href={ctx.href(text ? `/requests.har?text=${encodeURIComponent(text)}` : '/requests.har')}
          title="As HAR, for the network panel of a browser"
          download
        >
          Download
        </a>
      </Chips>
    </header>
  )
}

/** The lines of each minute below its heading. */
const Lines = ({
  ctx,
  lines,
  chosen,
}: {
  ctx: PageContext
  lines: readonly Line[]
  chosen: string | undefined
}) => {
  const minutes: { readonly at: string; readonly lines: Line[] }[] = []
  for (const line of lines) {
    const at = timeOf(ctx, line)
    const last = minutes.at(-1)
    if (last?.at.slice(0, 16) === at.slice(0, 16)) last.lines.push(line)
    else minutes.push({ at, lines: [line] })
  }
  return (
    <>
      {minutes.map(
        ({ at, lines }, i): Child => (
          <>
            <h2>{minuteHeading(at, minutes[i - 1]?.at)}</h2>
            <ol>
              {lines.map((line) =>
                isAct(line) ? (
                  <ActLine ctx={ctx} act={line} />
                ) : (
                  <GroupLine ctx={ctx} group={line} chosen={chosen} />
                ),
              )}
            </ol>
          </>
        ),
      )}
    </>
  )
}

/** World time; the machine's time for lines of several worlds. */
const timeOf = (ctx: PageContext, line: Line): string => {
  if (isAct(line)) return line.entry.at
  const [{ at, started_at }] = line.requests
  return toIso(param(ctx, 'worlds') === 'all' ? started_at : (at ?? started_at))
}

const ActLine = ({ ctx, act: { entry, view } }: { ctx: PageContext; act: Act }) => (
  <li class="item note" id={`entry-${entry.seq}`}>
    <Time ctx={ctx} at={entry.at} />
    <span>
      <Text ctx={ctx} prose={entrySentence(view.tables, entry)} />
    </span>
  </li>
)

/** One line; below it its attempts if one of them is chosen. */
const GroupLine = ({
  ctx,
  group,
  chosen,
}: {
  ctx: PageContext
  group: Group
  chosen: string | undefined
}) => {
  const { view, requests, client } = group
  const { tables } = view
  const inquiry = toInquiry(group)
  const { attempts, payout } = inquiry
  const isOpen = requests.some(({ id }) => id === chosen)
  const hasAttempts = client !== undefined && attempts.length > 1
  const note = inquiryNote(inquiry)
  const address = (id: string) =>
    inPlace(addressWith(ctx, { request: id, tab: undefined, world: view.worldId }))
  return (
    <li id={`line-${requests.at(-1)?.id}`}>
      <a
        class="item"
        {...address(requests[0].id)}
        aria-current={isOpen && !hasAttempts ? 'true' : undefined}
      >
        <Time ctx={ctx} at={timeOf(ctx, group)} />
        <span>
          <Text ctx={ctx} prose={inquiryTitle(tables, inquiry)} />
        </span>
        <Outcome tables={tables} inquiry={inquiry} />
        {note || view.live !== ctx.live ? (
          <span class="note">
            {escapeBidi(note ?? '')}{' '}
            {hasAttempts && payout && !isFailed(payout.status) ? <Codes inquiry={inquiry} /> : null}
            {view.live === ctx.live ? null : <bdi>{nameOfWorld(view)}</bdi>}
          </span>
        ) : null}
      </a>
      {isOpen && hasAttempts ? (
        <ol aria-label="Attempts">
          {attempts.toReversed().map((attempt) => (
            <li>
              <a
                class="item"
                {...address(attempt.exchange.id)}
                aria-current={attempt.exchange.id === chosen ? 'true' : undefined}
              >
                <Time ctx={ctx} at={attempt.exchange.at} />
                <span>{attemptTitle(inquiry, attempt)}</span>
                <Codes inquiry={{ ...inquiry, attempts: [attempt] }} />
              </a>
            </li>
          ))}
        </ol>
      ) : null}
    </li>
  )
}

/** Beside the list while no request is chosen. */
const NoneChosen = ({
  ctx,
  chosen,
  groups,
}: {
  ctx: PageContext
  chosen: Chosen
  groups: readonly Group[]
}) => {
  const { title, text } = noneChosen(
    chosen.id,
    groups.flatMap(({ requests }) => requests).length,
    groups.filter((it) => KINDS.failed?.(it)).length,
  )
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p class="sentence">{text}</p>
      <p class="note">
        <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>/</kbd> filters.
      </p>
      {chosen.id === undefined ? null : (
        <a href={addressWith(ctx, { request: undefined, tab: undefined })}>Activity</a>
      )}
    </div>
  )
}

const ClearLog = ({ ctx }: { ctx: PageContext }) => (
  <FoldedForm
    ctx={ctx}
    operation="clearRequests"
    summary="Clear the log…"
    submit={`Delete ${pluralize(ctx.live.requests.size, 'request')}`}
    kind="danger"
    fields={[]}
    note="An undo does not restore them. The records stay."
  />
)

const emptyPage = (ctx: PageContext): Page => {
  const command = payoutExample(ctx)
  const { mode } = readClockSetting(ctx.tables)
  return {
    title: 'Activity',
    body: (
      <div class="empty">
        <span class="status pending">Waiting for your first request</span>
        <h1>Send one, and it appears here</h1>
        <p class="sentence">{emptySentence(ctx.tables, mode === 'manual')}</p>
        {ctx.sandbox.keepsRequests ? null : (
          <p class="callout warn">
            The request log is off (<code>--request-log 0</code>), so no request will appear.
          </p>
        )}
        <section class="section">
          <Command text={command} />
          <p class="note">
            It pays 10.00 EUR from Ada Okafor’s balance. Send it twice to see that it pays once.
          </p>
        </section>
        <section class="section">
          <h2>Or begin here</h2>
          <ul>
            {WAYS.map(([path, text, page]) => (
              <li>
                <a class="option" href={path === '/reference' ? path : ctx.href(path)}>
                  <span>{text}</span> <small>{page}</small>
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
    ),
  }
}

const WAYS = [
  ['/control', 'Make the next payout fail', 'Faults and time'],
  ['/users', 'Look at Ada Okafor, a user with balances and accounts', 'Users'],
  ['/crypto-in?do=receiveDeposit', 'Simulate a deposit of USDC', 'Crypto in'],
  ['/reference', 'Read the eleven calls', 'API reference'],
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
