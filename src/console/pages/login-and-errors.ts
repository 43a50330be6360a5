import type { Context } from 'hono'
import { ApiError } from '../../http/operation/api-error.js'
import { isWorldKey } from '../../lib/secrets.js'
import { closestMatch } from '../../lib/suggest.js'
import { truncate } from '../../lib/text.js'
import { attributes, type Html, html } from '../components/html.js'
import { drawEmpty } from '../components/parts.js'
import { drawBrand, drawWindow } from '../layout.js'
import type { Page, PageContext } from '../page-context.js'
import { PAGE_PATHS } from '../paths.js'

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  500: 'Internal error',
}

const findTitle = (status: number): string => TITLES[status] ?? 'Error'

/** A page without navigation, for browsers that may not see the console. */
const drawBarePage = (title: string, content: Html): Html => html`
  <html lang="en">
  ${drawWindow(title)}
  <body>
    <header class="bar">${drawBrand()}</header>
    <main id="main"><div class="empty flow"><h1>${title}</h1>${content}</div></main>
  </body>
  </html>`

export const drawSignIn = (back: string, isWrong: boolean): Html => {
  const invalid = attributes(isWrong ? { 'aria-invalid': 'true', 'aria-describedby': 'wrong' } : {})
  const error = html`<small class="error" id="wrong" role="alert">Wrong control token.</small>`
  const text = 'Enter the control token of this sandbox. A generated token is printed at start.'
  return drawBarePage(
    'Control token',
    html`
      <p class="sentence">${text}</p>
      <form method="post" action="/console/token" class="row">
        <input type="hidden" name="back" value="${back}" />
        <p class="field">
          <label for="token">Token</label>
          <input type="password" id="token" name="token" required autocomplete="current-password"
            autofocus${invalid} />
          ${isWrong && error}
        </p>
        <button type="submit" class="main">Sign in</button>
      </form>`,
  )
}

export const drawClosedPage = (status: number, message: string): Html =>
  drawBarePage(findTitle(status), html`<p class="sentence">${message}</p>`)

const MAX_PATH_SHOWN = 200

export const unknownPageError = ({ req: { method, path } }: Context) =>
  new ApiError(
    '4040',
    `The console has no ${method} ${truncate(path, MAX_PATH_SHOWN)}. Paths of the service begin with /payment/ or /onboarding/.`,
  )

const toErrorPage = (title: string, status: number, text: Html): Page => ({
  title,
  status,
  body: html`<h1>${title}</h1>${drawEmpty(text)}`,
})

export const errorPage = (ctx: PageContext, status: number, message: string): Page => {
  const home = html`<a href="${ctx.href('/')}">Activity</a>`
  const text = html`${message} ${status === 404 && drawHint(ctx)} ${home}`
  return toErrorPage(findTitle(status), status, text)
}

const LIST_PATHS = PAGE_PATHS.filter((it) => !it.includes(':'))

const drawHint = (ctx: PageContext): Html => {
  const [, list, id] = ctx.path.split('/')
  if (id && PAGE_PATHS.some((it) => it.startsWith(`/${list}/:`))) {
    return 'An undo, a reset or a restart may have removed it. Ids change then, unless the seed is the same.'
  }
  const near = closestMatch(ctx.path, LIST_PATHS)
  return near && near !== ctx.path && html`Did you mean <a href="${ctx.href(near)}">${near}</a>?`
}

export const missingWorldPage = ({ hasWorld, query }: PageContext): Page => {
  const id = query.get('world') ?? ''
  const reason = isWorldKey(id)
    ? 'The address contains a key. Use the id of the world from the list of worlds.'
    : html`No world has the id <code>${id.slice(0, 64)}</code>. It was deleted or evicted, or the
        sandbox was restarted. The next use of its key creates it again.`
  const own = hasWorld && html`<a href="/">Default world</a>`
  const text = html`${reason} ${own} <a href="/worlds">All worlds</a>`
  return toErrorPage('World not found', 404, text)
}
