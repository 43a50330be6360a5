import type { Child } from 'hono/jsx'
import { fullName } from '../world/users.js'
import { Field, tied, WorldField } from './form.js'
import { addressWith, given } from './selecting.js'
import { UserLink } from './user-link.js'
import type { View } from './view.js'
import { visible } from './visible.js'

/** The filters of a list: a plain form that leads to the same page with another query. */
export const FilterForm = ({ view, children }: { view: View; children: Child }) => {
  const [path = '/'] = view.here.split('?')
  const isFiltered = [...view.query.keys()].some((name) => !/page$|^world$/.test(name))
  return (
    <search>
      <form class="filters" action={path} method="get" aria-label="Filter">
        <WorldField view={view} />
        {children}
        <button type="submit">Filter</button>
        {isFiltered ? <a href={view.to(path)}>Clear</a> : null}
      </form>
    </search>
  )
}

/** Looks for a text in a list; its other filters stay. */
export const TextFilter = ({ view, label }: { view: View; label: string }) => (
  <FilterForm view={view}>
    {['status', 'user_id'].map((name) => {
      const value = given(view, name)
      return value === undefined ? null : <input type="hidden" name={name} value={value} />
    })}
    <Field label={label}>
      <input name="text" value={given(view, 'text')} autocomplete="off" data-search />
    </Field>
  </FilterForm>
)

export const UserField = ({ view, isWrong = false }: { view: View; isWrong?: boolean }) => {
  const user = view.tables.users.get(userGiven(view) ?? '')
  return (
    <Field label={user ? `User: ${visible(fullName(user))}` : 'User'}>
      <input
        name="user_id"
        value={given(view, 'user_id')}
        placeholder="user id"
        autocomplete="off"
        {...tied(isWrong)}
      />
    </Field>
  )
}

/** Whose records a list is cut down to, and the way to those of everybody. */
export const OfUser = ({ view, path }: { view: View; path: string }) => {
  const user_id = userGiven(view)
  return user_id ? (
    <p>
      Of <UserLink view={view} id={user_id} />. <a href={view.to(path)}>Of all users</a>
    </p>
  ) : null
}

/** The statuses as links, to change a list by one click; with their counts, unless other filters cut the list down. */
export const StatusLinks = ({
  view,
  statuses,
  count,
}: {
  view: View
  statuses: readonly string[]
  count: (status: string) => number
}) => {
  const now = given(view, 'status')
  const isWhole = given(view, 'user_id') === undefined && given(view, 'text') === undefined
  const numberOf = (it: string) => (isWhole ? ` ${count(it).toLocaleString('en')}` : '')
  const links: [string | undefined, string][] = [
    [undefined, 'all'],
    ...statuses.map((it): [string, string] => [it, it + numberOf(it)]),
  ]
  return (
    <nav class="statuses" aria-label="By status">
      {links.map(([status, text]) => (
        <a
          href={addressWith(view, { status, page: undefined })}
          aria-current={status === now ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}

/** The user that a list is filtered by, in lower case as ids are kept. */
export const userGiven = (view: View): string | undefined => given(view, 'user_id')?.toLowerCase()
