import type { WorldPage } from '../persistence/port.js'
import { Brand } from './components/brand.js'
import { ClockBar } from './components/clock-bar.js'
import { WorldField } from './components/form.js'
import { HelpDialog } from './components/help.js'
import { WorldPicker } from './components/world-picker.js'
import { escapeBidi } from './format.js'
import { param } from './list-query.js'
import { type Page, type PageContext, readState } from './page-context.js'

const NAVIGATION = [
  ['/', 'Overview', 'o'],
  ['/transfers', 'Transfers', 't'],
  ['/payouts', 'Payouts', 'p'],
  ['/offramps', 'Offramps', 'f'],
  ['/wallets', 'Wallets', 'w'],
  ['/deposits', 'Deposits', 'd'],
  ['/users', 'Users', 'u'],
  ['/requests', 'Requests', 'r'],
  ['/scenarios', 'Scenarios', 's'],
  ['/api-keys', 'API keys', 'k'],
  ['/assumptions', 'Assumptions', 'a'],
  ['/snapshots', 'Snapshots', 'n'],
  ['/worlds', 'Worlds', 'm'],
  ['/ledger', 'Ledger', 'l'],
] as const

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

interface LayoutProps {
  readonly ctx: PageContext
  readonly page: Page
  readonly recent: WorldPage
}

export const Layout = ({ ctx, page, recent }: LayoutProps) => (
  <html lang="en">
    <Head title={page.title} version={ctx.boot} />
    <body
      hx-ext="morph"
      data-boot={ctx.hasWorld ? ctx.boot : undefined}
      data-stream={ctx.href('/console/live')}
      data-state={ctx.hasWorld ? JSON.stringify(readState(ctx.live)) : undefined}
    >
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="banner">
        <Brand home={ctx.href('/')} />
        <WorldPicker ctx={ctx} recent={recent} />
        {ctx.hasWorld ? <Find ctx={ctx} /> : null}
        {ctx.hasWorld ? <ClockBar ctx={ctx} /> : null}
        <button type="button" class="quiet-button" data-help aria-label="Keyboard shortcuts">
          ?
        </button>
      </header>
      <Navigation ctx={ctx} />
      <p id="connection" class="connection" role="status" aria-live="polite" />
      <main id="main" tabindex={-1}>
        <NoticeLine ctx={ctx} />
        {page.body}
      </main>
      <HelpDialog ctx={ctx} pages={NAVIGATION} />
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
      <link rel="stylesheet" href={file('style.css')} />
      {version ? (
        <>
          <meta name="htmx-config" content={HTMX} />
          <script src={file('client.js')} data-htmx={file('htmx.js')} defer />
        </>
      ) : null}
    </head>
  )
}

const Find = ({ ctx }: { ctx: PageContext }) => (
  <search>
    <form action="/find" method="get" class="find">
      <WorldField ctx={ctx} />
      <label class="unseen" for="find">
        Find by id, address or reference
      </label>
      <input
        id="find"
        name="q"
        type="search"
        placeholder="Find an id"
        value={ctx.currentPath.startsWith('/find?') ? param(ctx, 'q') : undefined}
        autocomplete="off"
        data-search
      />
    </form>
  </search>
)

/** Whether the current page is `href` or below it. */
const isHere = (href: string, here: string): boolean => {
  const [path = ''] = here.split('?')
  return path === href || (href !== '/' && path.startsWith(`${href}/`))
}

const Navigation = ({ ctx }: { ctx: PageContext }) => (
  <nav class="pages" aria-label="Console">
    <ul>
      {NAVIGATION.filter(([href]) => ctx.hasWorld || href === '/worlds').map(([href, name]) => (
        <li>
          <a
            href={ctx.href(href)}
            aria-current={isHere(href, ctx.currentPath) ? 'page' : undefined}
          >
            {name}
          </a>
        </li>
      ))}
      <li class="other">
        <a href="/reference">API reference</a>
      </li>
    </ul>
  </nav>
)

const NoticeLine = ({ ctx, ctx: { notice } }: { ctx: PageContext }) => (
  <div id="notice" role={notice?.kind === 'error' ? 'alert' : 'status'} tabindex={-1}>
    {notice ? (
      <p class={notice.kind === 'error' ? 'notice error' : 'notice done'}>
        {escapeBidi(notice.text)}{' '}
        {notice.kind === 'undoable' ? <a href={ctx.href('/undo')}>Undo…</a> : null}
      </p>
    ) : null}
  </div>
)
