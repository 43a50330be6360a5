import { fiatBalances } from '../world/balances.js'
import { fullName, USER_STATUSES, type User } from '../world/users.js'
import { StatusBadge } from './badge.js'
import { FilterForm, StatusLinks } from './filters.js'
import { Field } from './form.js'
import { Id } from './id.js'
import { Money } from './money.js'
import { DataTable, Empty, Live, Pager } from './parts.js'
import { chosen, given, rowsOf } from './selecting.js'
import { Time } from './time.js'
import type { Page, View } from './view.js'

const isNamed = (user: User, text: string): boolean =>
  `${fullName(user)} ${user.email_address}`.toLowerCase().includes(text)

export const usersPage = (view: View): Page => {
  const status = chosen(view, 'status', USER_STATUSES)
  const { tables } = view
  const text = given(view, 'text')?.toLowerCase()
  const selection = {
    index: status ? 'status' : 'all',
    key: status ?? '',
    ...(text === undefined ? {} : { also: (user: User) => isNamed(user, text) }),
  } as const
  const rows = rowsOf(view, tables.users, selection)
  return {
    title: 'Users',
    body: (
      <>
        <h1>Users</h1>
        <FilterForm view={view}>
          {status ? <input type="hidden" name="status" value={status} /> : null}
          <Field label="Name or email">
            <input name="text" value={given(view, 'text')} autocomplete="off" data-search />
          </Field>
        </FilterForm>
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
                  <a class="name" href={view.to(`/users/${user.id}`)}>
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
            <Empty>
              No user is like this. A client makes one with createUser; the{' '}
              <a href="/reference">API reference</a> has a request to send.
            </Empty>
          ) : null}
          <Pager view={view} rows={rows} />
        </Live>
      </>
    ),
  }
}
