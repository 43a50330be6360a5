import * as z from 'zod'
import { currency, text, uuid } from '../../contract/fields.js'
import { maskNumber } from '../../domain/account-numbers.js'
import type { User } from '../../domain/schema.js'
import { getUser } from '../../domain/users.js'
import { type Action, checked } from '../actions.js'
import { ActionForm, Field, Select } from '../components/form.js'
import { Id, shortId } from '../components/id.js'
import { Panel } from '../components/panel.js'
import { DataTable } from '../components/table.js'
import type { PageContext } from '../page-context.js'

/** Where a user's money can go, and what sends it there. */
export const Accounts = ({ ctx, user }: { ctx: PageContext; user: User }) => {
  const accounts = ctx.tables.accounts.list('user', user.id)
  return (
    <Panel title="Destination accounts">
      {accounts.length === 0 ? (
        <p class="quiet">No account yet. Register one to receive transfers.</p>
      ) : (
        <DataTable
          label="Destination accounts"
          rows={accounts}
          columns={[
            { name: 'Account', cell: ({ nickname }) => nickname },
            { name: 'Currency', cell: ({ currency }) => currency },
            {
              name: 'Details',
              cell: (it) => (
                <>
                  {maskNumber(it.account_number)} <bdi class="quiet">{it.bank_name}</bdi>
                </>
              ),
            },
            { name: 'Id', cell: ({ id }) => <Id id={id} /> },
          ]}
        />
      )}
      <RegisterForm ctx={ctx} user={user} />
      {accounts.length === 0 ? null : user.status === 'active' ? (
        <TransferForm ctx={ctx} user={user} />
      ) : (
        <p class="quiet">Only an active user can start a bank transfer.</p>
      )}
    </Panel>
  )
}

const RegisterForm = ({ ctx, user }: { ctx: PageContext; user: User }) => (
  <details>
    <summary>Register an account…</summary>
    <ActionForm ctx={ctx} action={`/console/users/${user.id}/accounts`} label="Register an account">
      <Field label="Currency">
        <input name="currency" value="EUR" maxlength={3} size={4} required />
      </Field>
      <Field label="Account number">
        <input name="account_number" placeholder="DE89370400440532013000" required />
      </Field>
      <Field label="Nickname">
        <input name="nickname" />
      </Field>
      <button type="submit">Register</button>
    </ActionForm>
  </details>
)

const TransferForm = ({ ctx, user }: { ctx: PageContext; user: User }) => (
  <details>
    <summary>Start a bank transfer…</summary>
    <ActionForm ctx={ctx} action={`/console/users/${user.id}/transfers`} label="Start a transfer">
      <Field label="Amount">
        <input name="source_amount" inputmode="decimal" placeholder="500.00" required size={12} />
      </Field>
      <Field label="Currency">
        <input name="source_currency" value="USD" maxlength={3} size={4} required />
      </Field>
      <Field label="To">
        <Select
          name="account_id"
          values={ctx.tables.accounts
            .list('user', user.id)
            .map((it) => [it.id, `${it.nickname} (${it.currency}, ${shortId(it.id)})`] as const)}
        />
      </Field>
      <button type="submit">Start</button>
    </ActionForm>
  </details>
)

const accountFields = z.object({
  currency: currency(),
  account_number: text(),
  nickname: text().optional(),
})

export const registerAccount: Action = {
  path: '/console/users/:id/accounts',
  operation: 'registerAccount',
  act: ({ ctx, params: { id = '' }, fields, cause }) => {
    const given = checked(accountFields, fields)
    const { id: user_id } = getUser(ctx.tables, id, 'id')
    const account = ctx.world.run('account.register', { user_id, ...given }, cause)
    return `The account ${account.nickname} is registered.`
  },
}

const transferFields = z.object({
  account_id: uuid(),
  source_currency: currency(),
  source_amount: text(),
})

export const startTransfer: Action = {
  path: '/console/users/:id/transfers',
  operation: 'startTransfer',
  act: ({ ctx, params: { id = '' }, fields, cause }) => {
    const given = checked(transferFields, fields)
    const transfer = ctx.world.run('transfer.start', { user_id: id, ...given }, cause)
    return { to: ctx.href(`/transfers/${transfer.id}`), told: 'Transfer started.' }
  },
}
