import { fiatBalances } from '../../domain/balances.js'
import { USER_STATUSES, type User } from '../../domain/schema.js'
import { fullName } from '../../domain/users.js'
import { StatusBadge } from '../components/badge.js'
import { StatusLinks, TextFilter } from '../components/filters.js'
import { Id, UserLink } from '../components/id.js'
import { Money } from '../components/money.js'
import { Time } from '../components/time.js'
import { userExample } from '../examples.js'
import { listPage } from '../list-page.js'
import { enumParam, pageOf, textFilter } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'

const searchTexts = (user: User) => [fullName(user), user.email_address, user.id]

export const usersPage = (ctx: PageContext): Page => {
  const status = enumParam(ctx, 'status', USER_STATUSES)
  const { tables } = ctx
  const selection = { index: status ? 'status' : 'all', key: status ?? '' } as const
  return listPage(ctx, {
    title: 'Users',
    filters: <TextFilter ctx={ctx} label="Name or email" />,
    tabs: (
      <StatusLinks
        ctx={ctx}
        statuses={USER_STATUSES}
        count={(it) => tables.users.count('status', it)}
      />
    ),
    rows: pageOf(ctx, tables.users, textFilter(ctx, selection, searchTexts)),
    noun: 'user',
    columns: [
      { name: 'User', cell: ({ id }) => <UserLink ctx={ctx} id={id} /> },
      { name: 'Status', cell: (it) => <StatusBadge status={it.status} /> },
      { name: 'Id', kind: 'minor', cell: ({ id }) => <Id id={id} /> },
      { name: 'Email', kind: 'minor', cell: (it) => it.email_address },
      {
        name: 'Balances',
        kind: 'minor',
        cell: ({ id }) =>
          fiatBalances(tables, id).map(({ currency, amount }) => (
            <>
              <Money amount={amount} asset={currency} />{' '}
            </>
          )),
      },
      { name: 'Created', cell: (it) => <Time ctx={ctx} at={it.created_at} /> },
    ],
    empty: { text: 'No user yet. Create one:', command: userExample(ctx) },
  })
}
