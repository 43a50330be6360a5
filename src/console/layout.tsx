import { Brand } from './brand.js'
import { ClockBar } from './clock-bar.js'
import { WorldField } from './form.js'
import { HelpDialog } from './help.js'
import { given } from './selecting.js'
import { type Page, stateOf, type View } from './view.js'
import { visible } from './visible.js'
import { WorldPicker } from './world-picker.js'

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

/** htmx may run no text as script and write no style: the policy of the page forbids both. */
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

/** A whole page. */
export const Layout = ({ view, page }: { view: View; page: Page }) => (
  <html lang="en">
    <Head title={page.title} version={view.boot} />
    <body
      data-boot={view.boot}
      data-stream={view.to('/console/live')}
      data-state={JSON.stringify(stateOf(view.line))}
    >
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="banner">
        <Brand home={view.to('/')} />
        <WorldPicker view={view} />
        <search>
          <form action="/find" method="get" class="find">
            <WorldField view={view} />
            <label class="unseen" for="find">
              Find by id, address or reference
            </label>
            <input
              id="find"
              name="q"
              type="search"
              placeholder="Find an id"
              value={view.here.startsWith('/find?') ? given(view, 'q') : undefined}
              autocomplete="off"
              data-search
            />
          </form>
        </search>
        <ClockBar view={view} />
        <button type="button" class="quiet-button" data-help aria-label="Keyboard shortcuts">
          ?
        </button>
      </header>
      <Navigation view={view} />
      <p id="connection" class="connection" role="status" aria-live="polite" />
      <main id="main" tabindex={-1}>
        <NoticeLine view={view} />
        {page.body}
      </main>
      <HelpDialog view={view} pages={NAVIGATION} />
    </body>
  </html>
)

/** With a version, files come once for all pages, and there is script; without, a page is by itself. */
export const Head = ({ title, version }: { title: string; version?: string }) => {
  const file = (name: string) => `/console/${name}${version ? `?v=${version}` : ''}`
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${visible(title)} · Sandramp`}</title>
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

/** Whether a page, or one below it, is the one that is shown. */
const isHere = (href: string, here: string): boolean => {
  const [path = ''] = here.split('?')
  return path === href || (href !== '/' && path.startsWith(`${href}/`))
}

const Navigation = ({ view }: { view: View }) => (
  <nav class="pages" aria-label="Console">
    <ul>
      {NAVIGATION.map(([href, name]) => (
        <li>
          <a href={view.to(href)} aria-current={isHere(href, view.here) ? 'page' : undefined}>
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

const NoticeLine = ({ view, view: { notice } }: { view: View }) => (
  <div id="notice" role={notice?.kind === 'error' ? 'alert' : 'status'} tabindex={-1}>
    {notice ? (
      <p class={notice.kind === 'error' ? 'notice error' : 'notice done'}>
        {visible(notice.text)}{' '}
        {notice.kind === 'undoable' ? <a href={view.to('/undo')}>Undo…</a> : null}
      </p>
    ) : null}
  </div>
)
