import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { raw } from 'hono/html'
import { entrySentence, timerSentence } from '../activity/entry-sentences.js'
import { currentAudit } from '../activity/last-audit.js'
import { readState } from '../activity/once-per-state.js'
import { RECORD_TEXTS, toPlainText } from '../activity/record-sentences.js'
import { PAGES } from '../activity/search.js'
import { findLabel } from '../domain/api-keys.js'
import { readClockSetting } from '../domain/clock.js'
import { capitalize, formatCount, formatDate, pluralize, shortId } from '../history/format.js'
import { toIso } from '../kernel/time.js'
import { referenceFolder } from '../lib/paths.js'
import { DEFAULT_WORLD } from '../lib/secrets.js'
import type { WorldPage } from '../worlds/port.js'
import { findOwnKey } from '../worlds/registry.js'
import { isVisible } from '../worlds/tenants.js'
import { seqOf, type UndoUnit } from '../worlds/undo-history.js'
import { TURN } from './actions.js'
import { drawButton } from './components/form.js'
import { attributes, type Html, html } from './components/html.js'
import { drawFacts, drawIcon, drawMenu } from './components/parts.js'
import { drawNow, drawUntil } from './components/text.js'
import { demoKey } from './curl.js'
import {
  type Page,
  type PageContext,
  readTurn,
  THEMES,
  type Theme,
  worldPath,
} from './page-context.js'

/** The content security policy forbids inline scripts and styles. */
const HTMX = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  historyCacheSize: 0,
  refreshOnHistoryMiss: true,
  responseHandling: [
    { code: '204', swap: false },
    { code: '[2345]..', swap: true },
  ],
})

/** Inlined: a separate file would appear after the first paint. */
const LOGO = raw(readFileSync(join(referenceFolder, 'icon.svg'), 'utf8'))

/** All responses are whole pages. htmx morphs the body into that of a response. */
export const drawLayout = (ctx: PageContext, page: Page, recent: WorldPage): Html => html`
  <html lang="en">
  ${drawWindow(page.title, ctx.boot, ctx.theme)}
  <body hx-ext="morph,sse" hx-target="body" hx-swap="morph:innerHTML" hx-sync="body:queue all">
    <header class="bar">
      <a class="unseen" href="#main">Skip to content</a>
      <button type="button" class="quiet narrow" popovertarget="pages" aria-label="Pages">
        ${drawIcon('pages')}
      </button>
      ${drawBrand(ctx.href('/'))}
      ${drawWorldPicker(ctx, recent)}
      ${ctx.hasWorld && drawWorldBar(ctx)}
    </header>
    ${drawSiteMap(ctx, recent.total)}
    <main id="main" class="${page.kind}" tabindex="-1">${page.body}</main>
    ${drawToast(ctx)}
    ${ctx.hasWorld && drawPalette(ctx)}
    ${ctx.hasWorld && drawBackForm(ctx)}
    ${ctx.hasWorld && drawLive(ctx)}
  </body>
  </html>`

/** With a version, browsers cache the files, and the page has scripts. */
export const drawWindow = (title: string, version?: string, theme: Theme = 'system'): Html => {
  const file = (name: string) => `/console/${name}${version ? `?v=${version}` : ''}`
  const scripts = html`
    <meta name="htmx-config" content="${HTMX}" />
    <script src="${file('client.js')}" defer></script>`
  return html`
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}" />
      <title>${title} · Sandramp</title>
      <link rel="icon" href="/reference/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="${file('console.css')}" />
      ${version && scripts}
    </head>`
}

export const drawBrand = (home = '/'): Html =>
  html`<a class="brand" href="${home}" aria-label="Sandramp, activity">${LOGO}<span class="wide">Sandramp</span></a>`

const LEDGER = { planned: 'Ledger', done: 'Ledger balances', failed: 'Ledger is broken' }

const drawWorldBar = (ctx: PageContext): Html => {
  const audit = currentAudit(ctx.live)
  const mark = audit ? (audit.report.ok ? 'done' : 'failed') : 'planned'
  return html`
    <a class="button find" href="${ctx.href('/find')}" aria-keyshortcuts="Control+K"
      aria-label="Search or do something Ctrl K">
      ${drawIcon('search')} <span class="wide">Search or do something</span>
      <kbd class="wide">Ctrl K</kbd>
    </a>
    <a class="mark ${mark}" href="${ctx.href('/ledger')}">${LEDGER[mark]}</a>
    ${drawHistory(ctx)}
    ${drawClock(ctx)}`
}

const drawHistory = (ctx: PageContext): Html => {
  const { newest, redo } = ctx.live.history
  const units = [
    ['undo', newest],
    ['redo', redo?.undone[0]],
  ] as const
  return units.map(([name, unit]) => {
    const label = unit ? `${capitalize(name)}: ${describeUnit(ctx, unit)}` : `Nothing to ${name}`
    const hotkey = name === 'undo' ? 'u' : undefined
    const button = { operation: name, kind: 'quiet', hotkey, label } as const
    return drawButton(ctx, { ...button, isDisabled: !unit }, drawIcon(name))
  })
}

const describeUnit = ({ live, tables }: PageContext, unit: UndoUnit): string => {
  const [entry] = unit.snapshot ? [] : live.journal.oldestAfter(seqOf(unit) - 1, 1)
  return entry ? toPlainText(entrySentence(tables, entry)) : 'the reset or restore'
}

const STEPS = [
  ['1m', '+1 minute'],
  ['1h', '+1 hour'],
  ['1d', '+1 day'],
] as const

const MODES = [
  ['manual', 'Paused, you move it', 0],
  ['real', 'Real time', 1],
  ['60x', '60× faster', 60],
] as const

const drawClock = (ctx: PageContext): Html => {
  const { now, nextDue, tables } = ctx.world
  const { speed } = readClockSetting(tables)
  const iso = toIso(now)
  const [timer] = ctx.world.upcoming(1)
  const title = timer ? toPlainText(timerSentence(ctx, timer)) : 'Nothing is planned'
  const next = nextDue !== undefined && html`<small>+${drawUntil(ctx, nextDue)}</small>`
  const mode = speed === 0 ? 'paused' : speed === 1 ? 'running' : `${speed}× faster`
  const step = { operation: 'advanceClock', kind: 'option', isDisabled: !timer } as const
  const toNext = { ...step, given: nextDue === undefined ? {} : { to: toIso(nextDue) } }
  const main = { ...toNext, kind: 'main', title, hotkey: 'n' } as const
  const menu = html`
    <h2>${formatDate(iso)}, ${iso.slice(11, 19)} UTC, ${mode}</h2>
    ${drawButton(ctx, { ...step, given: { until: 'idle' } }, 'Until nothing is planned')}
    ${STEPS.map(([by, text]) =>
      drawButton(ctx, { ...step, given: { by }, isDisabled: false }, text),
    )}
    <h2>Clock</h2>
    ${MODES.map(([mode, text, itsSpeed]) => {
      const set = { operation: 'setClock', given: { mode }, kind: 'option' } as const
      return drawButton(ctx, set, html`${text} ${itsSpeed === speed && html`<small>now</small>`}`)
    })}`
  return html`
    <button type="button" class="mark now" popovertarget="clock-menu">
      <b>${drawNow(ctx)}</b>
      <span class="wide">${mode} ▾</span>
    </button>
    ${drawButton(ctx, main, html`${drawIcon('next')} <span class="wide">Next step ${next}</span>`)}
    ${drawMenu('clock-menu', menu)}`
}

const worldName = (name: string | null, last_four: string | null): string =>
  name ?? (last_four === null ? 'Default world' : `World …${last_four}`)

export const nameOfWorld = ({ live }: Pick<PageContext, 'live'>): string =>
  worldName(findLabel(findOwnKey(live)), live.key?.last_four ?? null)

const MAX_WORLDS = 8

export const listRecentWorlds = async (ctx: PageContext): Promise<WorldPage> => {
  const { worlds } = ctx.sandbox
  const query = { page: 0, size: MAX_WORLDS, tenants: ctx.scope.tenants }
  // A page with an error is shown without the database, too.
  return worlds.listStored(query).catch(() => worlds.listInMemory(query))
}

/** Leads to the same list: other worlds do not have the record. */
const drawWorldPicker = (ctx: PageContext, recent: WorldPage): Html => {
  const main = { id: DEFAULT_WORLD, last_four: null, name: null }
  const byKey = recent.worlds.filter(({ last_four }) => last_four !== null)
  const shown = isVisible(ctx.scope, undefined) ? [...byKey, main] : byKey
  const section = `/${ctx.path.split('/')[1] ?? ''}`
  const menu = html`
    <h2>World of this page</h2>
    ${shown.map(({ id, last_four, name }) => {
      const href = worldPath(last_four === null ? undefined : id, section)
      const current = attributes({ 'aria-current': id === ctx.live.id && 'true' })
      return html`<a class="option" href="${href}" title="${id}"${current}><bdi>${worldName(name, last_four)}</bdi></a>`
    })}
    <h2>${pluralize(recent.total, 'world')}</h2>
    <a class="option" href="${ctx.href('/worlds')}">All worlds</a>
    ${ctx.hasWorld && html`<a class="option" href="${ctx.href(`/worlds?a=${ctx.live.id}`)}">Compare this world</a>`}`
  const name = ctx.hasWorld ? nameOfWorld(ctx) : 'No world'
  return html`
    <button type="button" class="quiet" popovertarget="world-menu" title="${name}">
      <bdi>${name}</bdi> ▾
    </button>
    ${drawMenu('world-menu', menu)}`
}

const BELOW: Readonly<Record<string, RegExp>> = {
  '/payments': /^.(?:payouts|transfers)/,
  '/control': /^.scenarios/,
}

const drawSiteMap = (ctx: PageContext, worlds: number): Html => {
  const { tables, live, hasWorld } = ctx
  const counts: Readonly<Record<string, number>> = {
    '/payments': tables.payouts.size + tables.transfers.size,
    '/users': tables.users.size,
    '/worlds': worlds,
    '/questions': live.requests.usage.size,
  }
  const { '/connect': _, ...pages } = PAGES
  const shown = Object.entries(pages).filter(([path]) => hasWorld || path === '/worlds')
  const key = hasWorld && demoKey(ctx)
  return html`
    <nav class="pages" id="pages" popover="auto" aria-label="Console">
      <ul>${shown.map(([path, name]) => drawEntry(ctx, path, name, counts[path]))}</ul>
      <ul class="foot">
        ${hasWorld && drawEntry(ctx, '/connect', 'Connect')}
        <li class="note"><code data-copy="${ctx.origin}">${ctx.origin}</code>
          ${key && html`<br /><code title="${key}" data-copy="${key}">${shortId(key)}</code>`}</li>
        <li>${drawSettings(ctx)}</li>
      </ul>
    </nav>`
}

const drawEntry = (ctx: PageContext, path: string, name: string, count?: number): Html => {
  const isHere =
    ctx.path === path ||
    (path !== '/' && ctx.path.startsWith(`${path}/`)) ||
    BELOW[path]?.test(ctx.path)
  const current = attributes({ 'aria-current': isHere && 'page' })
  const shown = count !== undefined && html`<small>${formatCount(count)}</small>`
  return html`<li><a class="option" href="${ctx.href(path)}"${current}>${name} ${shown}</a></li>`
}

export const drawSearchField = (text = ''): Html => html`
  <input type="search" name="q" value="${text}" autocomplete="off"
    aria-label="Search or do something" placeholder="Amount, name, id, address, reason, operation" />`

const drawBackForm = ({ worldId }: PageContext): Html => html`
  <form id="back" action="/control" hidden>
    <input type="hidden" name="do" value="undo" />
    ${worldId && html`<input type="hidden" name="world" value="${worldId}" />`}
  </form>`

/** Opened by Ctrl-K. It shows the results of /find. */
const drawPalette = (ctx: PageContext): Html => html`
  <dialog id="palette" aria-label="Search or do something">
    <form hx-get="${ctx.href('/find')}" hx-trigger="input changed delay:100ms, open"
      hx-target="#palette-hits" hx-select="#hits" hx-swap="innerHTML ignoreTitle:true">
      ${drawSearchField()}
    </form>
    <div id="palette-hits"></div>
    <p class="row note">
      <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
    </p>
  </dialog>`

const KEYS = [
  ['Ctrl K', 'Search or do something'],
  ['/', 'Filter'],
  ['j, k', 'Next, previous'],
  ['Enter', 'Open'],
  ['n', 'Next step of the clock'],
  ['u', 'Undo'],
  ['?', 'This list'],
] as const

/** The theme is part of the page, so that it has no other one before its scripts run. */
const drawSettings = ({ theme }: PageContext): Html => {
  const menu = html`
    <form method="post" action="/console/theme">
      <h2>Theme</h2>
      ${THEMES.map((it) => {
        const current = attributes({ 'aria-current': it === theme && 'true' })
        return html`<button class="option" name="theme" value="${it}"${current}>${capitalize(it)}</button>`
      })}
    </form>
    <h2>Keys</h2>
    ${drawFacts(KEYS.map(([key, text]) => [html`<kbd>${key}</kbd>`, text]))}
    <label class="option">Single keys <input type="checkbox" id="single-keys" checked /></label>`
  return html`
    <button type="button" class="option" popovertarget="keys" data-hotkey="?">Theme and keys</button>
    ${drawMenu('keys', menu)}`
}

/** The answer to the last action. It stays until something else happens, or Escape. */
const drawToast = (ctx: PageContext): Html => {
  const { text, secret, kind, turn } = ctx.toast ?? {}
  const now = readTurn(ctx.live)
  const isBad = kind === 'error'
  const toast = html`
    <div class="${isBad ? 'toast row bad' : 'toast row'}"><span>${text}</span>
      ${secret && html`<code data-copy="${secret}">${secret}</code>`}
      ${turn === now && kind && drawButton(ctx, { operation: kind, given: { [TURN]: now } }, capitalize(kind))}
    </div>`
  return html`
    <div id="toast" data-turn="${now}" role="${isBad ? 'alert' : 'status'}" aria-live="polite">${text && toast}</div>`
}

/** The stream says only that something changed. Then the page fetches itself, after a running action. */
const drawLive = (ctx: PageContext): Html => {
  const state = JSON.stringify({ boot: ctx.boot, ...readState(ctx.live) })
  return html`
    <div id="live" sse-connect="${ctx.href('/console/live')}" sse-close="gone" data-state="${state}">
      <div id="refresh" hx-get="" hx-trigger="sse:tick, sse:gone, refresh"></div>
      <p id="connection" class="callout warn unseen" role="status"
        data-lost="${RECORD_TEXTS.connectionLost}" data-silent="${RECORD_TEXTS.noResponse}"></p>
    </div>`
}
