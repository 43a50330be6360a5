import type { Context } from 'hono'
import { ApiError } from '../../http/operation/api-error.js'
import { closestMatch } from '../../lib/suggest.js'
import { truncate } from '../../lib/text.js'
import { Empty } from '../components/empty.js'
import { escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'
import { PAGE_PATHS } from '../paths.js'

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  500: 'Internal error',
}

export const errorTitle = (status: number): string => TITLES[status] ?? 'Error'

const MAX_PATH_SHOWN = 200

export const unknownPageError = ({ req: { method, path } }: Context) =>
  new ApiError(
    '4040',
    `The console has no ${method} ${truncate(path, MAX_PATH_SHOWN)}. Paths of the service begin with /payment/ or /onboarding/`,
  )

export const ErrorPage = ({
  ctx,
  title,
  message,
}: {
  ctx: PageContext
  title: string
  message: string
}) => (
  <>
    <h1>{title}</h1>
    <Empty>
      {escapeBidi(message).replace(/([^.])$/, '$1.')} <Hint ctx={ctx} title={title} />
      <a href={ctx.href('/')}>Back to the overview</a>
    </Empty>
  </>
)

const LIST_PATHS = PAGE_PATHS.filter((it) => !it.includes(':'))

const Hint = ({ ctx, title }: { ctx: PageContext; title: string }) => {
  const [path = ''] = ctx.currentPath.split('?')
  const [, list, id] = path.split('/')
  if (title !== TITLES[404]) return null
  if (!id || !PAGE_PATHS.some((it) => it.startsWith(`/${list}/:`))) {
    const near = LIST_PATHS.find((it) => it === `/${list}`) ?? closestMatch(path, LIST_PATHS)
    return near === undefined ? null : (
      <>
        Did you mean <a href={ctx.href(near)}>{near}</a>?{' · '}
      </>
    )
  }
  return (
    <>
      An undo, a reset or a restart may have removed it. Ids change then, unless the seed is the
      same. <a href={ctx.href(`/${list}`)}>Back to the list</a>
      {' · '}
    </>
  )
}
