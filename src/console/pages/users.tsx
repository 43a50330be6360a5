import { fiatBalances } from '../../domain/balances.js'
import { USER_STATUSES, type User } from '../../domain/schema.js'
import { fullName } from '../../domain/users.js'
import { StatusBadge } from '../components/badge.js'
import { DataTable, LiveRegion, NoMatches, Pager } from '../components/components.js'
import { StatusLinks, TextFilter } from '../components/filters.js'
import { Id } from '../components/id.js'
import { Time } from '../components/time.js'
import { enumParam, pageOf, textFilter } from '../list-query.js'
import { nextStepForAnotherUser } from '../onboarding-next-steps.js'
import type { Page, PageContext } from '../page-context.js'
import { Money } from './money.js'

const searchTexts = (user: User) => [fullName(user), user.email_address, user.id]

export const usersPage = (ctx: PageContext): Page => {
  const status = enumParam(ctx, 'status', USER_STATUSES)
  const { tables } = ctx
  const selection = { index: status ? 'status' : 'all', key: status ?? '' } as const
  const rows = pageOf(ctx, tables.users, textFilter(ctx, selection, searchTexts))
  return {
    title: 'Users',
    body: (
      <>
        <h1>Users</h1>
        <TextFilter ctx={ctx} label="Name or email" />
        <LiveRegion id="list">
          <StatusLinks
            ctx={ctx}
            statuses={USER_STATUSES}
            count={(it) => tables.users.count('status', it)}
          />
          <DataTable
            label="Users"
            columns={[
              'User',
              'Status',
              { name: 'Id', kind: 'minor' },
              { name: 'Email', kind: 'minor' },
              { name: 'Balances', kind: 'minor' },
              'Created',
            ]}
          >
            {rows.records.map((user) => (
              <tr>
                <td>
                  <a class="name" dir="auto" href={ctx.href(`/users/${user.id}`)}>
                    {fullName(user)}
                  </a>
                </td>
                <td>
                  <StatusBadge status={user.status} />
                </td>
                <td class="minor">
                  <Id id={user.id} />
                </td>
                <td class="minor">{user.email_address}</td>
                <td class="minor">
                  {fiatBalances(tables, user.id).map(({ currency, amount }) => (
                    <>
                      <Money amount={amount} asset={currency} />{' '}
                    </>
                  ))}
                </td>
                <td>
                  <Time ctx={ctx} at={user.created_at} />
                </td>
              </tr>
            ))}
          </DataTable>
          {rows.records.length === 0 ? (
            <NoMatches
              ctx={ctx}
              noun="user"
              size={tables.users.size}
              step={nextStepForAnotherUser(ctx)}
            />
          ) : null}
          <Pager ctx={ctx} rows={rows} />
        </LiveRegion>
      </>
    ),
  }
}
