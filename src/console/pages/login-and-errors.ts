import type { Context } from 'hono'
import {
  missingWorld,
  type Prose,
  RECORD_TEXTS,
  unknownPage,
} from '../../activity/record-sentences.js'
import { capitalize } from '../../history/format.js'
import { ApiError } from '../../http/operation/api-error.js'
import { closestMatch } from '../../lib/suggest.js'
import { truncate } from '../../lib/text.js'
import { attributes, type Html, html } from '../components/html.js'
import { drawEmpty } from '../components/parts.js'
import { codeName } from '../components/text.js'
import { drawBrand, drawWindow } from '../layout.js'
import type { Page, PageContext } from '../page-context.js'
import { PAGE_PATHS } from '../paths.js'

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
  const error = html`<small class="error" id="wrong" role="alert">${RECORD_TEXTS.wrongToken}</small>`
  return drawBarePage(
    'Control token',
    html`
      <p class="sentence">${RECORD_TEXTS.token}</p>
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
  drawBarePage(capitalize(codeName(status)), html`<p class="sentence">${message}</p>`)

const MAX_PATH_SHOWN = 200

export const unknownPageError = ({ req: { method, path } }: Context) =>
  new ApiError('4040', unknownPage(method, truncate(path, MAX_PATH_SHOWN)))

export const errorPage = (
  ctx: PageContext,
  status: number,
  message: string,
  isWorldMissing: boolean,
): Page => {
  const title = isWorldMissing ? 'World not found' : capitalize(codeName(status))
  const hint = status === 404 ? findHint(ctx) : []
  const text = isWorldMissing
    ? missingWorld(ctx.query.get('world')?.slice(0, 64) ?? '', ctx.hasWorld)
    : [`${message} `, ...hint, ' ', { text: 'Activity', path: '/' }]
  return { title, status, body: html`<h1>${title}</h1>${drawEmpty(ctx, text)}` }
}

const LIST_PATHS = PAGE_PATHS.filter((it) => !it.includes(':'))

const findHint = ({ path }: PageContext): Prose => {
  const [, list, id] = path.split('/')
  if (id && PAGE_PATHS.some((it) => it.startsWith(`/${list}/:`))) return RECORD_TEXTS.removed
  const near = closestMatch(path, LIST_PATHS)
  return near && near !== path ? ['Did you mean ', { text: near, path: near }, '?'] : []
}
