import {
  CONTROL_TEXTS,
  chosenSentence,
  deletionNote,
  deletionsNote,
  worldsSentence,
} from '../../activity/control-sentences.js'
import { hasUnfinished, type JudgedWorld, listWithProblems } from '../../activity/problems.js'
import { noMatch } from '../../activity/record-sentences.js'
import { formatCount, formatDuration, pluralize } from '../../history/format.js'
import { toIso } from '../../kernel/time.js'
import { inSlices } from '../../lib/slices.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import { HAPPY_PATH, MAGIC_VALUES } from '../../scenarios/language/catalogue.js'
import { drawFields, drawFolded } from '../components/form.js'
import { attributes, type Html, html } from '../components/html.js'
import { drawEmpty, drawHead, drawTable, inPlace } from '../components/parts.js'
import { drawCode, drawText } from '../components/text.js'
import { addressWith, enumParam, pageParam, param } from '../filters.js'
import { nameOfWorld } from '../layout.js'
import { type DrawPage, loadWorlds, type PageContext, worldPath } from '../page-context.js'
import { drawFilterRow, drawPager } from './list-page.js'

/** More than most test runs have, so that their problems are on one page. */
const WORLDS = 100

interface Row extends JudgedWorld {
  readonly name: string
  readonly failed: ReadonlyMap<number, number>
}

/** They depend on time or on the request log. On a database they find worlds in memory, and count none. */
const FILTERS = {
  unfinished: ['Left unfinished', hasUnfinished],
  failed: ['With failed requests', ({ failed }: Row) => failed.size > 0],
  empty: ['Without requests', ({ live }: Row) => live.requests.count === 0],
} as const

const FINE = 3

const rank = ({ problems: [first], failed }: Row): number =>
  first?.kind === 'bad' ? 0 : first ? 1 : failed.size > 0 ? 2 : FINE

const toRow = ({ live, problems }: JudgedWorld): Row => ({
  live,
  name: nameOfWorld({ live }),
  problems,
  failed: live.requests.countFailed(),
})

function* toRows(worlds: readonly JudgedWorld[]): Generator<void, Row[]> {
  const rows: Row[] = []
  for (const it of worlds) {
    rows.push(toRow(it))
    yield
  }
  return rows
}

export const worldsPage: DrawPage = async (ctx) => {
  const { sandbox, scope, worldId } = ctx
  const status = enumParam(ctx, 'status', ['problems', 'unfinished', 'failed', 'empty'])
  const page = pageParam(ctx)
  const text = param(ctx, 'text')?.toLowerCase()
  const problems = status === 'problems'
  const query = { page, size: WORLDS, text, problems, tenants: scope.tenants }
  const found = await sandbox.inTurn(scope, async () => {
    const listed = await listWithProblems(sandbox, query)
    return { ...listed, rows: await inSlices(toRows(await listed.inMemory())) }
  })
  const { total, with_problems, rows } = found
  const chips = Object.entries(FILTERS).map(([value, [text, fits]]) => ({
    value,
    text,
    ...(found.unfinished !== null && { count: rows.filter(fits).length }),
  }))
  const fitting = status && !problems ? rows.filter(FILTERS[status][1]) : undefined
  const [from, to] = [page * WORLDS, (page + 1) * WORLDS]
  const listed = fitting?.slice(from, to) ?? found.worlds.map(toRow)
  listed.sort((a, b) => rank(a) - rank(b))
  const count = fitting?.length ?? (problems ? with_problems : total)
  const shown = status || text ? listed : listed.filter((it) => rank(it) < FINE)
  const rest = listed.filter((it) => !shown.includes(it))
  const opened = rows.find(({ live }) => live.id === param(ctx, 'open'))
  const filter = { label: 'worlds', hint: 'name, id, last four of the key' }
  return {
    title: 'Worlds',
    body: html`
      ${drawHead(ctx, {
        title: 'Worlds',
        sentence: worldsSentence(found),
        actions: drawActions(ctx, total),
      })}
      ${drawFilterRow(ctx, filter, {
        status: [
          { text: 'All', count: total },
          { value: 'problems', text: 'With a problem', count: with_problems },
          ...chips,
        ],
      })}
      ${opened && drawOpened(ctx, opened)}
      ${listed.length === 0 && drawEmpty(ctx, noMatch('world'))}
      <form action="/worlds/compare" class="flow">
        ${worldId && html`<input type="hidden" name="world" value="${worldId}" />`}
        ${shown.length > 0 && drawWorlds(ctx, shown, 'Worlds')}
        ${rest.length > 0 && drawRest(ctx, rest, shown.length === 0)}
        ${drawPager(ctx, to < count, CONTROL_TEXTS.worldOrder)}
        ${await drawTray(ctx)}
      </form>`,
  }
}

/** In the address, so that filters and pages keep them. A third one replaces the oldest. */
const chosenIds = ({ query }: PageContext): string[] => [...new Set(query.getAll('a'))].slice(-2)

const drawTray = async (ctx: PageContext): Promise<Html> => {
  const ids = chosenIds(ctx)
  const chosen = await loadWorlds(ctx, ids)
  const names = chosen.flatMap((live) => (live ? nameOfWorld({ live }) : []))
  const pair = ctx.href(`/worlds/compare?a=${ids[0]}&a=${ids[1]}`)
  // Without a script, the form sends the ticks. Without its id, a morph would make Clear the link to compare.
  const submit = html`<noscript><button type="submit" class="main">Compare</button></noscript>`
  return html`
    <p class="tray row">
      <span>${drawText(ctx, chosenSentence(names))}</span>
      ${names.length < 2 ? submit : html`<a class="button main" href="${pair}">Compare</a>`}
      ${names.length > 0 && html`<a id="clear"${attributes(inPlace(addressWith(ctx, { a: undefined })))}>Clear</a>`}
    </p>`
}

const drawActions = (ctx: PageContext, total: number): Html => [
  drawFolded(ctx, { operation: 'createWorld', summary: 'Create a world', fields: ['name'] }),
  drawFolded(ctx, {
    operation: 'deleteWorlds',
    summary: 'Delete several',
    submit: 'Delete them',
    kind: 'danger',
    fields: ['name', 'idle'],
    note: deletionsNote(total),
  }),
]

const drawRest = (ctx: PageContext, rest: readonly Row[], open: boolean): Html => html`
  <details${attributes({ open })}>
    <summary>${pluralize(rest.length, 'world')} without a problem on this page</summary>
    ${drawWorlds(ctx, rest, 'Worlds without a problem')}
  </details>`

const drawWorlds = (ctx: PageContext, rows: readonly Row[], label: string): Html =>
  drawTable(
    label,
    rows,
    [
      { name: 'World, named by its test', cell: (row) => drawName(ctx, row) },
      {
        name: 'Failed requests',
        kind: 'number',
        cell: ({ failed }) =>
          [...failed]
            .sort(([a], [b]) => a - b)
            .map(([status, count]) => html`${drawCode(status || null)} ${count} `),
      },
      {
        name: 'Scenarios',
        kind: 'minor',
        cell: ({ live }) =>
          activeNames(live.world.tables)
            .filter((it) => it !== HAPPY_PATH && it !== MAGIC_VALUES)
            .join(', '),
      },
      {
        name: 'Requests',
        kind: 'minor number',
        cell: ({ live }) => formatCount(live.requests.count),
      },
      {
        name: 'Last used',
        kind: 'minor number',
        cell: ({ live }) => {
          if (live === ctx.live) return 'now'
          const { used_at } = live
          const [at, ago] = [toIso(used_at), Math.max(ctx.sandbox.machineTime() - used_at, 0)]
          const text = formatDuration(ago)
          const words = ctx.sandbox.worlds.noteDelay_ms > 0 ? `within ${text}` : `${text} ago`
          return html`<time datetime="${at}" title="${at}">${words}</time>`
        },
      },
      {
        name: 'Change',
        kind: 'minor',
        cell: ({ live, name }) => {
          const to = attributes(inPlace(addressWith(ctx, { open: live.id })))
          return html`<a${to}>Change… <span class="unseen">${name}</span></a>`
        },
      },
    ],
    'list',
  )

const drawName = (ctx: PageContext, { live: { key, id }, name, problems }: Row): Html => {
  const chosen = chosenIds(ctx)
  // A tick adds to the address of that time, which another tick may have changed since.
  const sent = chosen.includes(id)
    ? { checked: true, 'hx-get': addressWith(ctx, { a: chosen.filter((it) => it !== id) }) }
    : { 'hx-get': '', 'hx-vals': JSON.stringify({ a: id }) }
  return html`
    <input type="checkbox" name="a" value="${id}" aria-label="${`Choose ${name}`}" hx-replace-url="true"${attributes(sent)} />
    <a class="open-row" href="${worldPath(key && id, '/')}" title="${id}"><bdi>${name}</bdi></a>
    ${problems.map(({ kind, word, text, records: [first, second, ...more] }) => {
      const to = (record: string) => worldPath(key && id, `/payouts/${record}`)
      return html`
        <div class="note"><span class="chip ${kind}">${word}</span> ${second ? html`<a href="${to(second)}">${text}</a>` : text}</div>
        ${first && html`<div class="note"><a href="${to(first)}">The first payment</a></div>`}
        ${more.map((it) => html`<div class="note"><a href="${to(it)}">Another payment</a></div>`)}`
    })}`
}

const drawOpened = (ctx: PageContext, { live, name }: Row): Html => {
  const { key, id } = live
  const given = { id }
  const forms = key
    ? [
        drawFields(ctx, {
          operation: 'renameWorld',
          given,
          fields: [{ name: 'name', value: name }],
          submit: 'Rename',
          kind: 'quiet',
        }),
        drawFolded(ctx, {
          operation: 'deleteWorld',
          given,
          fields: [],
          summary: 'Delete',
          submit: 'Delete it',
          kind: 'danger',
          note: deletionNote(live.world.tables, live.requests.size),
        }),
      ]
    : html`<p class="note">${CONTROL_TEXTS.mainWorld}</p>`
  return html`
    <section class="card" id="opened">
      <header class="row">
        <h2><a href="${worldPath(key && id, '/')}"><bdi>${name}</bdi></a></h2>
        <a href="${worldPath(key && id, '/control#time')}">Its time and snapshots</a>
        <a href="${addressWith(ctx, { open: undefined })}">Close</a>
      </header>
      ${forms}
    </section>`
}
