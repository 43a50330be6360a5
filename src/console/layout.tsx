import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { findLabel } from '../domain/api-keys.js'
import { readClockSetting } from '../domain/clock.js'
import { toIso } from '../kernel/time.js'
import { referenceFolder } from '../lib/paths.js'
import { DEFAULT_WORLD } from '../lib/secrets.js'
import type { WorldPage } from '../persistence/port.js'
import { isVisible } from '../runtime/tenants.js'
import { seqOf, type UndoUnit } from '../runtime/undo-history.js'
import { findOwnKey } from '../runtime/world-registry.js'
import { ActionButton } from './components/form.js'
import { Until } from './components/links.js'
import { Icon, Menu } from './components/menu.js'
import { demoKey } from './curl.js'
import { capitalize, escapeBidi, formatCount, pluralize, shortId } from './format.js'
import { currentAudit } from './ledger-audit.js'
import { type Page, type PageContext, type Toast, worldPath } from './page-context.js'
import { clockTitle, entrySentence, planSentence, subjectTitle, toPlainText } from './sentences.js'

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

/** Inlined: a separate file would appear after the first paint or delay it. */
const LOGO = raw(readFileSync(join(referenceFolder, 'icon.svg'), 'utf8'))

interface LayoutProps {
  readonly ctx: PageContext
  readonly page: Page
  readonly recent: WorldPage
}

/** All responses are whole pages. htmx morphs the body into that of a response. */
export const Layout = ({ ctx, page, recent }: LayoutProps) => (
  <html lang="en">
    <Head title={page.title} version={ctx.boot} />
    <body hx-ext="morph,sse" hx-target="body" hx-swap="morph:innerHTML" hx-sync="body:queue all">
      <header class="bar">
        <a class="unseen" href="#main">
          Skip to content
        </a>
        <button type="button" class="quiet narrow" popovertarget="pages" aria-label="Pages">
          <Icon name="pages" />
        </button>
        <Brand home={ctx.href('/')} />
        <WorldPicker ctx={ctx} recent={recent} />
        {ctx.hasWorld ? <WorldBar ctx={ctx} /> : null}
      </header>
      <SiteMap ctx={ctx} worlds={recent.total} />
      <main id="main" class={page.kind} tabindex={-1}>
        {page.body}
      </main>
      <ToastLine ctx={ctx} />
      <Palette ctx={ctx} />
      <Live ctx={ctx} />
    </body>
  </html>
)

/** With a version, browsers cache the files, and the page has scripts. */
export const Head = ({ title, version }: { title: string; version?: string }) => {
  const file = (name: string) => `/console/${name}${version ? `?v=${version}` : ''}`
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${escapeBidi(title)} · Sandramp`}</title>
      <link rel="icon" href="/reference/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href={file('console.css')} />
      {version ? (
        <>
          <meta name="htmx-config" content={HTMX} />
          <script src={file('client.js')} defer />
        </>
      ) : null}
    </head>
  )
}

export const Brand = ({ home = '/' }: { home?: string }) => (
  <a class="brand" href={home} aria-label="Sandramp, activity">
    {LOGO}
    <span class="wide">Sandramp</span>
  </a>
)

/** Search, ledger, history and clock of the world. */
const WorldBar = ({ ctx }: { ctx: PageContext }) => (
  <>
    <a
      class="button find"
      href={ctx.href('/find')}
      aria-label="Search or do something Ctrl K"
      aria-keyshortcuts="Control+K"
    >
      <Icon name="search" /> <span class="wide">Search or do something</span>{' '}
      <kbd class="wide">Ctrl K</kbd>
    </a>
    <LedgerMark ctx={ctx} />
    <History ctx={ctx} />
    <Clock ctx={ctx} />
  </>
)

const LedgerMark = ({ ctx }: { ctx: PageContext }) => {
  const isOk = currentAudit(ctx.live)?.report.ok
  const text = isOk === undefined ? 'Ledger' : isOk ? 'Ledger balances' : 'Ledger is broken'
  return (
    <a
      class={`mark wide ${isOk === undefined ? 'planned' : isOk ? 'done' : 'failed'}`}
      href={ctx.href('/ledger')}
    >
      {text}
    </a>
  )
}

export const History = ({ ctx }: { ctx: PageContext }) => {
  const { newest, newestRedo } = ctx.live.history
  return (
    <>
      <HistoryButton ctx={ctx} name="undo" unit={newest} hotkey="u" />
      <HistoryButton ctx={ctx} name="redo" unit={newestRedo?.undone[0]} hotkey="r" />
    </>
  )
}

const HistoryButton = ({
  ctx,
  name,
  unit,
  hotkey,
}: {
  ctx: PageContext
  name: 'undo' | 'redo'
  unit: UndoUnit | undefined
  hotkey: string
}) => (
  <ActionButton
    ctx={ctx}
    operation={name}
    kind="quiet"
    hotkey={hotkey}
    isDisabled={!unit}
    label={unit ? `${capitalize(name)}: ${describeUnit(ctx, unit)}` : `Nothing to ${name}`}
  >
    <Icon name={name} />
  </ActionButton>
)

const describeUnit = ({ live, tables }: PageContext, unit: UndoUnit): string => {
  const [entry] = unit.snapshot ? [] : live.journal.oldestAfter(seqOf(unit) - 1, 1)
  return entry ? toPlainText(entrySentence(tables, entry)) : 'the reset or restore'
}

const STEPS = [
  ['1m', '+1 minute', 'm'],
  ['1h', '+1 hour', 'h'],
  ['1d', '+1 day', 'd'],
] as const

const MODES = [
  ['manual', 'Paused, you move it', 0],
  ['real', 'Real time', 1],
  ['60x', '60× faster', 60],
] as const

const Clock = ({ ctx }: { ctx: PageContext }) => {
  const { now, nextDue, tables } = ctx.world
  const { speed } = readClockSetting(tables)
  const iso = toIso(now)
  const [timer] = ctx.world.upcoming(1)
  const plan = timer && planSentence(timer, now)
  const what = timer && plan ? `${subjectTitle(tables, timer.plan.subject)}: ${plan}` : undefined
  const next =
    nextDue === undefined ? null : (
      <small>
        +<Until ctx={ctx} due={nextDue} />
      </small>
    )
  const mode = speed === 0 ? 'paused' : speed === 1 ? 'running' : `${speed}× faster`
  const step = { ctx, operation: 'advanceClock', kind: 'option', isDisabled: !timer } as const
  const dueNext = nextDue === undefined ? {} : { to: toIso(nextDue) }
  return (
    <>
      <button type="button" class="mark now" popovertarget="clock-menu">
        <b>
          <time datetime={iso} data-now={now} data-speed={speed}>
            {iso.slice(11, 19)}
          </time>
        </b>
        <span class="wide">{mode} ▾</span>
      </button>
      <ActionButton
        {...step}
        kind="main"
        given={dueNext}
        title={what ?? 'Nothing is planned'}
        hotkey="n"
      >
        <Icon name="next" /> <span class="wide">Next step</span> {next}
      </ActionButton>
      <Menu id="clock-menu">
        <h2>{`${clockTitle(now)}, ${mode}`}</h2>
        <ActionButton {...step} given={dueNext}>
          Next step {next}
        </ActionButton>
        <ActionButton {...step} given={{ until: 'idle' }}>
          Until nothing is planned
        </ActionButton>
        {STEPS.map(([by, text, hotkey]) => (
          <ActionButton {...step} given={{ by }} hotkey={hotkey} isDisabled={false}>
            {text} <kbd>{hotkey}</kbd>
          </ActionButton>
        ))}
        <h2>Clock</h2>
        {MODES.map(([mode, text, itsSpeed]) => (
          <ActionButton ctx={ctx} operation="setClock" given={{ mode }} kind="option">
            {text} {itsSpeed === speed ? <small>now</small> : null}
          </ActionButton>
        ))}
        <h2>History</h2>
        <a class="option" href={ctx.href('/control#time')}>
          Time and snapshots
        </a>
      </Menu>
    </>
  )
}

const worldName = (name: string | null, last_four: string | null): string =>
  name ?? (last_four === null ? 'Default world' : `World …${last_four}`)

export const nameOfWorld = ({ handle }: Pick<PageContext, 'handle'>): string =>
  worldName(findLabel(findOwnKey(handle)), handle.key?.last_four ?? null)

const MAX_WORLDS = 8

/** The most recently used worlds. */
export const listRecentWorlds = async ({
  sandbox: { worlds },
  scope: { tenants },
}: PageContext): Promise<WorldPage> => {
  const query = { page: 0, size: MAX_WORLDS, tenants }
  // A page with an error is shown without the database, too.
  return worlds.listStored(query).catch(() => worlds.listInMemory(query))
}

/** Leads to the same list in other worlds: they do not have the record. */
const WorldPicker = ({ ctx, recent }: { ctx: PageContext; recent: WorldPage }) => {
  const shown = recent.worlds.map(({ id, last_four, name }) => ({ id, last_four, name }))
  const hasDefault = isVisible(ctx.scope, undefined)
  if (hasDefault && shown.every(({ last_four }) => last_four !== null)) {
    shown.push({ id: DEFAULT_WORLD, last_four: null, name: null })
  }
  const section = `/${ctx.path.split('/')[1] ?? ''}`
  return (
    <>
      <button type="button" class="quiet wide" popovertarget="world-menu">
        <bdi>{ctx.hasWorld ? nameOfWorld(ctx) : 'No world'}</bdi> ▾
      </button>
      <Menu id="world-menu">
        <h2>World of this page</h2>
        {shown.map(({ id, last_four, name }) => (
          <a
            class="option"
            href={worldPath(last_four === null ? undefined : id, section)}
            title={id}
            aria-current={id === ctx.live.id ? 'true' : undefined}
          >
            <bdi>{worldName(name, last_four)}</bdi>
          </a>
        ))}
        <h2>{pluralize(recent.total, 'world')}</h2>
        <a class="option" href={ctx.href('/worlds')}>
          All worlds
        </a>
      </Menu>
    </>
  )
}

type Entry = readonly [path: string, name: string, count?: number]

/** The pages, with the number of their records. */
export const siteMap = (
  { tables }: PageContext,
  worlds: number,
): readonly (readonly [heading: string, pages: readonly Entry[]])[] => [
  ['', [['/', 'Activity']]],
  [
    'Records',
    [
      ['/users', 'Users', tables.users.size],
      ['/transfers', 'Transfers', tables.transfers.size],
      ['/payouts', 'Payouts', tables.payouts.size],
      ['/crypto-in', 'Crypto in', tables.deposits.size],
    ],
  ],
  [
    'Control',
    [
      ['/control', 'Faults and time'],
      ['/worlds', 'Worlds', worlds],
      ['/api-keys', 'API keys', tables.api_keys.size],
    ],
  ],
  [
    'Contract',
    [
      ['/questions', 'Open questions'],
      ['/reference', 'API reference'],
    ],
  ],
]

/** Whether the current page is `path` or below it. */
const isHere = (path: string, here: string): boolean =>
  path === here || (path !== '/' && here.startsWith(`${path}/`))

const SiteMap = ({ ctx, worlds }: { ctx: PageContext; worlds: number }) => {
  const key = ctx.hasWorld ? demoKey(ctx) : undefined
  return (
    <nav class="pages" id="pages" popover="auto" aria-label="Console">
      {siteMap(ctx, worlds).map(([heading, pages]): Child => {
        const shown = pages.filter(([path]) => ctx.hasWorld || path === '/worlds')
        if (shown.length === 0) return null
        return (
          <>
            {heading === '' ? null : <h2 id={`pages-${heading}`}>{heading}</h2>}
            <ul aria-labelledby={heading === '' ? undefined : `pages-${heading}`}>
              {shown.map(([path, name, count]) => (
                <li>
                  <a
                    href={path === '/reference' ? path : ctx.href(path)}
                    aria-current={isHere(path, ctx.path) ? 'page' : undefined}
                  >
                    {name} {count === undefined ? null : <small>{formatCount(count)}</small>}
                  </a>
                </li>
              ))}
            </ul>
          </>
        )
      })}
      <p class="note">
        Point your client at
        <br />
        <code>{ctx.origin}</code>
        {key ? (
          <>
            <br />
            with the key{' '}
            <code title={key} data-copy={key}>
              {shortId(key)}
            </code>
          </>
        ) : null}
      </p>
      <Keys />
    </nav>
  )
}

/** Opened by Ctrl-K. It shows the results of /find. */
const Palette = ({ ctx }: { ctx: PageContext }) =>
  ctx.hasWorld ? (
    <dialog id="palette" aria-label="Search or do something">
      <form
        hx-get={ctx.href('/find')}
        hx-trigger="input changed delay:100ms, open"
        hx-target="#palette-hits"
        hx-select="#hits"
        hx-swap="innerHTML ignoreTitle:true"
      >
        <input
          type="search"
          name="q"
          aria-label="Search or do something"
          placeholder="Amount, name, id, address, reason, operation"
          autocomplete="off"
        />
      </form>
      <div id="palette-hits" />
      <p class="row note">
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
      </p>
    </dialog>
  ) : null

const KEYS = [
  ['Ctrl K', 'Search or do something'],
  ['/', 'Filter'],
  ['j, k', 'Next, previous'],
  ['Enter', 'Open'],
  ['n', 'Next step of the clock'],
  ['m, h, d', 'A minute, an hour, a day later'],
  ['u, r', 'Undo, redo'],
  ['Esc', 'Close the message'],
  ['?', 'This list'],
] as const

const Keys = () => (
  <>
    <button type="button" class="quiet" popovertarget="keys" data-hotkey="?">
      Keys
    </button>
    <Menu id="keys">
      <dl class="facts">
        {KEYS.map(([key, text]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
      <label class="option">
        Single keys <input type="checkbox" id="single-keys" checked />
      </label>
    </Menu>
  </>
)

/** The answer to the last action. It stays until the next one or Escape. */
const ToastLine = ({ ctx, ctx: { toast } }: { ctx: PageContext }) => (
  <div id="toast" role={toast?.kind === 'error' ? 'alert' : 'status'} aria-live="polite">
    {toast ? (
      <div class={toast.kind === 'error' ? 'toast bad' : 'toast'}>
        <span>{escapeBidi(toast.text)}</span>
        {toast.secret ? <code data-copy={toast.secret}>{toast.secret}</code> : null}
        {toast.kind === 'undo' ? (
          <ActionButton ctx={ctx} operation="undo" given={undoGiven(toast)}>
            Undo
          </ActionButton>
        ) : null}
        {toast.kind === 'redo' ? (
          <ActionButton ctx={ctx} operation="redo">
            Redo
          </ActionButton>
        ) : null}
      </div>
    ) : null}
  </div>
)

const undoGiven = ({ undoTo }: Toast): Readonly<Record<string, string>> =>
  undoTo === undefined ? {} : { to: String(undoTo) }

/** A page updates itself when one of these numbers changes. */
export const readState = ({ live: { journal, requests } }: PageContext) => ({
  seq: journal.newest,
  requests: requests.count,
})

/** The stream says only that something changed. Then the page fetches itself, after a running action. */
const Live = ({ ctx }: { ctx: PageContext }) =>
  ctx.hasWorld ? (
    <div
      id="live"
      sse-connect={ctx.href('/console/live')}
      data-state={JSON.stringify({ boot: ctx.boot, ...readState(ctx) })}
    >
      <div id="refresh" hx-get="" hx-trigger="sse:tick, sse:gone, refresh" />
      <p id="connection" class="callout warn unseen" role="status" />
    </div>
  ) : null
