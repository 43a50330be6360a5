import type { Context } from 'hono'
import { ApiError } from '../../http/api-error.js'
import { Empty } from '../components/empty.js'
import { escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  500: 'Internal error',
}

export const errorTitle = (status: number): string => TITLES[status] ?? 'Error'

export const pageNotFound = (c: Context) =>
  new ApiError('4040', `The console has no ${c.req.method} ${c.req.path}`)

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

const Hint = ({ ctx, title }: { ctx: PageContext; title: string }) => {
  const [, list, id] = ctx.currentPath.split('?')[0]?.split('/') ?? []
  if (title !== TITLES[404] || !id || list === 'console') return null
  return (
    <>
      An undo, a reset or a restart may have removed it. Ids change then, unless the seed is the
      same. <a href={ctx.href(`/${list}`)}>Back to the list</a>
      {' · '}
    </>
  )
}
