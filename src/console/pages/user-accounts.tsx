import { maskNumber } from '../../domain/account-numbers.js'
import type { User } from '../../domain/schema.js'
import { formAction } from '../actions.js'
import { ActionForm, Field, Select } from '../components/form.js'
import { Id, shortId } from '../components/id.js'
import { Panel } from '../components/panel.js'
import { DataTable } from '../components/table.js'
import type { PageContext } from '../page-context.js'

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

export const registerAccount = formAction<{ nickname: string }>({
  path: '/console/users/:id/accounts',
  operation: 'registerAccount',
  conclude: (_, { nickname }) => `The account ${nickname} is registered.`,
})

export const startTransfer = formAction<{ id: string }>({
  path: '/console/users/:id/transfers',
  operation: 'startTransfer',
  toInput: ({ params: { id }, fields }) => ({ body: { ...fields, user_id: id } }),
  conclude: ({ ctx }, { id }) => ({
    to: ctx.href(`/transfers/${id}`),
    message: 'Transfer started.',
  }),
})
