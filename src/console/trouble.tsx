import type { Context } from 'hono'
import { WireError } from '../http/wire-error.js'
import { Empty } from './parts.js'
import type { View } from './view.js'
import { visible } from './visible.js'

const TITLES: Readonly<Record<number, string>> = {
  400: 'This cannot be asked',
  403: 'Not from here',
  404: 'Nothing is here',
  409: 'Not as things are',
  500: 'A bug',
}

export const titleOf = (status: number): string => TITLES[status] ?? 'This did not work'

export const nothingAt = (c: Context) =>
  new WireError('4040', `${c.req.method} ${c.req.path} is nothing that the console does`)

/** What cannot be done, on a page of its own. */
export const Trouble = ({
  view,
  title,
  message,
}: {
  view: View
  title: string
  message: string
}) => (
  <>
    <h1>{title}</h1>
    <Empty>
      {visible(message).replace(/([^.])$/, '$1.')} <Hint view={view} title={title} />
      <a href={view.to('/')}>To the overview</a>
    </Empty>
  </>
)

/** Ids of records do not outlast what takes records back. */
const Hint = ({ view, title }: { view: View; title: string }) => {
  const [, list, id] = view.here.split('?')[0]?.split('/') ?? []
  if (title !== TITLES[404] || !id || list === 'console') return null
  return (
    <>
      An undo, a reset or a new start may have taken it away: ids are others then, unless the seed
      is the same. <a href={view.to(`/${list}`)}>To the list</a>, or{' '}
    </>
  )
}
