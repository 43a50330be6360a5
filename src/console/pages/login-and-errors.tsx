import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { ApiError } from '../../http/operation/api-error.js'
import { isWorldKey } from '../../lib/secrets.js'
import { closestMatch } from '../../lib/suggest.js'
import { truncate } from '../../lib/text.js'
import { Empty } from '../components/empty.js'
import { escapeBidi } from '../format.js'
import { Brand, Head } from '../layout.js'
import type { Page, PageContext } from '../page-context.js'
import { PAGE_PATHS } from '../paths.js'

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  500: 'Internal error',
}

const titleOf = (status: number): string => TITLES[status] ?? 'Error'

/** A page without navigation, for browsers that may not see the console. */
const BarePage = ({ title, children }: { title: string; children: Child }) => (
  <html lang="en">
    <Head title={title} />
    <body>
      <header class="bar">
        <Brand />
      </header>
      <main id="main">
        <div class="empty flow">
          <h1>{title}</h1>
          {children}
        </div>
      </main>
    </body>
  </html>
)

export const SignInPage = ({ back, isWrong }: { back: string; isWrong: boolean }) => (
  <BarePage title="Control token">
    <p class="sentence">
      Enter the control token of this sandbox. A generated token is printed at start.
    </p>
    <form method="post" action="/console/token" class="row">
      <input type="hidden" name="back" value={back} />
      <p class="field">
        <label for="token">Token</label>
        <input
          type="password"
          id="token"
          name="token"
          required
          autocomplete="current-password"
          autofocus
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? 'wrong' : undefined}
        />
        {isWrong ? (
          <small class="error" id="wrong" role="alert">
            Wrong control token.
          </small>
        ) : null}
      </p>
      <button type="submit" class="main">
        Sign in
      </button>
    </form>
  </BarePage>
)

export const ClosedPage = ({ status, message }: { status: number; message: string }) => (
  <BarePage title={titleOf(status)}>
    <p class="sentence">{escapeBidi(message)}</p>
  </BarePage>
)

const MAX_PATH_SHOWN = 200

export const unknownPageError = ({ req: { method, path } }: Context) =>
  new ApiError(
    '4040',
    `The console has no ${method} ${truncate(path, MAX_PATH_SHOWN)}. Paths of the service begin with /payment/ or /onboarding/.`,
  )

export const errorPage = (ctx: PageContext, status: number, message: string): Page => ({
  title: titleOf(status),
  status,
  body: (
    <>
      <h1>{titleOf(status)}</h1>
      <Empty>
        {escapeBidi(message)} {status === 404 ? <Hint ctx={ctx} /> : null}{' '}
        <a href={ctx.href('/')}>Activity</a>
      </Empty>
    </>
  ),
})

const LIST_PATHS = PAGE_PATHS.filter((it) => !it.includes(':'))

const Hint = ({ ctx }: { ctx: PageContext }) => {
  const [, list, id] = ctx.path.split('/')
  if (id && PAGE_PATHS.some((it) => it.startsWith(`/${list}/:`))) {
    return (
      <>
        An undo, a reset or a restart may have removed it. Ids change then, unless the seed is the
        same.
      </>
    )
  }
  const near = closestMatch(ctx.path, LIST_PATHS)
  if (near === undefined) return null
  return (
    <>
      Did you mean <a href={ctx.href(near)}>{near}</a>?
    </>
  )
}

export const missingWorldPage = ({ hasWorld }: PageContext, id: string): Page => ({
  title: 'World not found',
  status: 404,
  body: (
    <>
      <h1>World not found</h1>
      <Empty>
        {isWorldKey(id) ? (
          'The address contains a key. Use the id of the world from the list of worlds. '
        ) : (
          <>
            No world has the id <code>{id.slice(0, 64)}</code>. It was deleted or evicted, or the
            sandbox was restarted. The next use of its key creates it again.{' '}
          </>
        )}
        {hasWorld ? <a href="/">Default world</a> : null} <a href="/worlds">All worlds</a>
      </Empty>
    </>
  ),
})
