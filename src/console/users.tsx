import { fiatBalances } from '../world/balances.js'
import { fullName, USER_STATUSES, type User } from '../world/users.js'
import { StatusBadge } from './badge.js'
import { StatusLinks, TextFilter } from './filters.js'
import { Id } from './id.js'
import { Money } from './money.js'
import { stepToAnotherUser } from './onboarding-steps.js'
import { DataTable, Live, NoneLikeThis, Pager } from './parts.js'
import { chosen, holdingText, rowsOf } from './selecting.js'
import { Time } from './time.js'
import type { Page, View } from './view.js'

const textsOf = (user: User) => [fullName(user), user.email_address, user.id]

export const usersPage = (view: View): Page => {
  const status = chosen(view, 'status', USER_STATUSES)
  const { tables } = view
  const selection = { index: status ? 'status' : 'all', key: status ?? '' } as const
  const rows = rowsOf(view, tables.users, holdingText(view, selection, textsOf))
  return {
    title: 'Users',
    body: (
      <>
        <h1>Users</h1>
        <TextFilter view={view} label="Name or email" />
        <Live id="list">
          <StatusLinks
            view={view}
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
                  <a class="name" dir="auto" href={view.to(`/users/${user.id}`)}>
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
                  <Time view={view} at={user.created_at} />
                </td>
              </tr>
            ))}
          </DataTable>
          {rows.records.length === 0 ? (
            <NoneLikeThis
              view={view}
              noun="user"
              size={tables.users.size}
              step={stepToAnotherUser(view)}
            />
          ) : null}
          <Pager view={view} rows={rows} />
        </Live>
      </>
    ),
  }
}
