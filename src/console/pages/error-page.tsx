import type { Context } from 'hono'
import { ApiError } from '../../http/api-error.js'
import { Empty } from '../components/components.js'
import type { PageContext } from '../page-context.js'
import { visible } from '../visible.js'

const TITLES: Readonly<Record<number, string>> = {
  400: 'This cannot be asked',
  403: 'Not from here',
  404: 'Nothing is here',
  409: 'Not as things are',
  500: 'A bug',
}

export const errorTitle = (status: number): string => TITLES[status] ?? 'This did not work'

export const notFoundMessage = (c: Context) =>
  new ApiError('4040', `${c.req.method} ${c.req.path} is nothing that the console does`)

/** What cannot be done, on a page of its own. */
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
      {visible(message).replace(/([^.])$/, '$1.')} <Hint ctx={ctx} title={title} />
      <a href={ctx.href('/')}>To the overview</a>
    </Empty>
  </>
)

/** Ids of records do not outlast what takes records back. */
const Hint = ({ ctx, title }: { ctx: PageContext; title: string }) => {
  const [, list, id] = ctx.currentPath.split('?')[0]?.split('/') ?? []
  if (title !== TITLES[404] || !id || list === 'console') return null
  return (
    <>
      An undo, a reset or a new start may have taken it away: ids are others then, unless the seed
      is the same. <a href={ctx.href(`/${list}`)}>To the list</a>, or{' '}
    </>
  )
}
