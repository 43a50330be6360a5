import type { Context } from 'hono'
import { WireError } from '../http/wire-error.js'
import { Empty } from './parts.js'
import type { View } from './view.js'

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
      {message} <a href={view.to('/')}>To the overview</a>
    </Empty>
  </>
)
