import type { Child } from 'hono/jsx'
import { fullName } from '../../domain/users.js'
import { escapeBidi, formatCount } from '../format.js'
import { addressWith, param } from '../list-query.js'
import type { PageContext } from '../page-context.js'
import { describedBy, Field, Select, WorldField } from './form.js'
import { UserLink } from './id.js'

/** A GET form, so that filters are part of the address. */
export const FilterForm = ({ ctx, children }: { ctx: PageContext; children: Child }) => {
  const [path = '/'] = ctx.currentPath.split('?')
  const isFiltered = [...ctx.query.keys()].some((name) => !/page$|^world$/.test(name))
  return (
    <search>
      <form class="filters" action={path} method="get" aria-label="Filter">
        <WorldField ctx={ctx} />
        {children}
        <button type="submit">Filter</button>
        {isFiltered ? <a href={ctx.href(path)}>Clear</a> : null}
      </form>
    </search>
  )
}

/** A text search that keeps the other filters. */
export const TextFilter = ({ ctx, label }: { ctx: PageContext; label: string }) => (
  <FilterForm ctx={ctx}>
    {['status', 'user_id'].map((name) => {
      const value = param(ctx, name)
      return value === undefined ? null : <input type="hidden" name={name} value={value} />
    })}
    <Field label={label}>
      <input name="text" value={param(ctx, 'text')} autocomplete="off" data-search />
    </Field>
  </FilterForm>
)

export const UserField = ({ ctx, isWrong = false }: { ctx: PageContext; isWrong?: boolean }) => {
  const user = ctx.tables.users.get(userParam(ctx) ?? '')
  return (
    <Field label={user ? `User: ${escapeBidi(fullName(user))}` : 'User'}>
      <input
        name="user_id"
        value={param(ctx, 'user_id')}
        placeholder="user id"
        size={12}
        autocomplete="off"
        {...describedBy(isWrong)}
      />
    </Field>
  )
}

/** Names the user of the `user_id` filter, and links to the list of all users. */
export const UserFilter = ({ ctx, path }: { ctx: PageContext; path: string }) => {
  const user_id = userParam(ctx)
  return user_id ? (
    <p>
      Only <UserLink ctx={ctx} id={user_id} />. <a href={ctx.href(path)}>All users</a>
    </p>
  ) : null
}

/** Links per status. Counts cover the whole list, so other filters hide them. */
export const StatusLinks = ({
  ctx,
  statuses,
  count,
}: {
  ctx: PageContext
  statuses: readonly string[]
  count: (status: string) => number
}) => {
  const now = param(ctx, 'status')
  const isWhole = param(ctx, 'user_id') === undefined && param(ctx, 'text') === undefined
  const numberOf = (it: string) => (isWhole ? ` ${formatCount(count(it))}` : '')
  const links: [string | undefined, string][] = [
    [undefined, 'all'],
    ...statuses.map((it): [string, string] => [it, it + numberOf(it)]),
  ]
  return (
    <nav class="statuses" aria-label="By status">
      {links.map(([status, text]) => (
        <a
          href={addressWith(ctx, { status, page: undefined })}
          aria-current={status === now ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}

/** Ids are stored in lower case. */
export const userParam = (ctx: PageContext): string | undefined =>
  param(ctx, 'user_id')?.toLowerCase()

export const BooleanFilter = ({
  ctx,
  label,
  name,
  yes,
  no,
}: {
  ctx: PageContext
  label: string
  name: string
  yes: string
  no: string
}) => (
  <Field label={label}>
    <Select
      name={name}
      values={[
        ['true', yes],
        ['false', no],
      ]}
      value={param(ctx, name)}
      empty="any"
    />
  </Field>
)
