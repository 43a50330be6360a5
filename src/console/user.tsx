import * as z from 'zod'
import { currency, text, uuid } from '../contract/fields.js'
import { showUser } from '../contract/user.js'
import { maskNumber } from '../world/accounts.js'
import { fiatBalances } from '../world/balances.js'
import {
  fullName,
  USER_STATUSES,
  type User,
  type UserStatus,
  userMoves,
  userOf,
} from '../world/users.js'
import { type Action, checked } from './actions.js'
import { StatusBadge } from './badge.js'
import { TimerInWords } from './clock.js'
import { ActionButton, ActionForm, Field, Select } from './form.js'
import { Id, shortId } from './id.js'
import { JsonView } from './json-view.js'
import { Money } from './money.js'
import { DataTable, Facts, Live, Panel } from './parts.js'
import { PayoutTable } from './payouts.js'
import { RelatedRequests } from './related.js'
import { Time } from './time.js'
import { timersOf } from './timers.js'
import { TransferTable } from './transfers.js'
import type { Page, View } from './view.js'
import { WhyPanel, whyOf } from './why.js'

const MOST_RECORDS = 10

export const userPage = (view: View, { id = '' }: Readonly<Record<string, string>>): Page => {
  const user = userOf(view.tables, id.toLowerCase(), 'id')
  return {
    title: fullName(user),
    body: (
      <>
        <h1>
          {fullName(user)} <Id id={user.id} />
        </h1>
        <Live id="status">
          <StatusPanel view={view} user={user} />
        </Live>
        <div class="columns">
          <div>
            <Live id="balances">
              <Balances view={view} user={user} />
            </Live>
            <Live id="records">
              <Records view={view} user={user} />
            </Live>
            <Live id="accounts">
              <Accounts view={view} user={user} />
            </Live>
          </div>
          <div>
            <Live id="why">
              <WhyPanel view={view} answer={whyOf(view, 'users', user.id)} />
            </Live>
            <Live id="answer">
              <Panel title="What a client is answered">
                <JsonView value={showUser(user)} label="Answer" />
              </Panel>
            </Live>
            <Live id="related">
              <RelatedRequests view={view} id={user.id} />
            </Live>
          </div>
        </div>
      </>
    ),
  }
}

const StatusPanel = ({ view, user }: { view: View; user: User }) => (
  <Panel title="Status" aside={<StatusBadge status={user.status} />}>
    <Facts
      facts={[
        ['Email', user.email_address],
        ['Phone', user.phone_number],
        ['Lives in', `${user.address.city}, ${user.address.country}`],
        ['Created', <Time view={view} at={user.created_at} whole />],
        ...(user.rejection_reasons ?? []).map(
          ({ reason, developer_reason }) =>
            ['Rejected', `${reason} (${developer_reason})`] as const,
        ),
        ...(user.requirements ? [['Is missing', user.requirements.join(', ')] as const] : []),
      ]}
    />
    <ul class="told">
      {timersOf(view, user.id).map((timer) => (
        <li>
          <TimerInWords view={view} timer={timer} />
        </li>
      ))}
    </ul>
    <UserMoves view={view} user={user} />
  </Panel>
)

/** What a move is called, as a reviewer would say. */
const VERBS: Readonly<Record<UserStatus, string>> = {
  active: 'Approve',
  rejected: 'Reject',
  incomplete: 'Ask for more',
  under_review: 'Review again',
  paused: 'Pause',
  offboarded: 'Offboard',
}

const verbOf = (from: UserStatus, to: UserStatus): string =>
  from === 'paused' && to === 'active' ? 'Resume' : VERBS[to]

const UserMoves = ({ view, user }: { view: View; user: User }) => {
  const moves = userMoves[user.status]
  if (moves.length === 0) return <p class="quiet">This is final: no move is left.</p>
  const action = `/console/users/${user.id}/move`
  return (
    <div class="moves">
      {moves.map((to) => {
        const verb = verbOf(user.status, to)
        if (to === 'rejected' || to === 'incomplete' || to === 'offboarded') {
          return <MoveWithDetail view={view} action={action} to={to} verb={verb} />
        }
        return (
          <ActionButton
            view={view}
            action={action}
            fields={{ to }}
            kind={to === 'active' ? 'main' : undefined}
          >
            {verb}
          </ActionButton>
        )
      })}
    </div>
  )
}

const DETAILS = {
  rejected: { name: 'reason', label: 'Reason', hint: 'e.g. Document expired' },
  incomplete: { name: 'requirements', label: 'What is missing', hint: 'fields, with commas' },
  offboarded: undefined,
}

const MoveWithDetail = ({
  view,
  action,
  to,
  verb,
}: {
  view: View
  action: string
  to: keyof typeof DETAILS
  verb: string
}) => {
  const detail = DETAILS[to]
  return (
    <details>
      <summary>{verb}…</summary>
      <ActionForm view={view} action={action} label={verb}>
        <input type="hidden" name="to" value={to} />
        {detail ? (
          <Field label={detail.label}>
            <input name={detail.name} placeholder={detail.hint} maxlength={255} />
          </Field>
        ) : (
          <span>It is for good.</span>
        )}
        <button type="submit" class="bad">
          {verb}
        </button>
      </ActionForm>
    </details>
  )
}

const Balances = ({ view, user }: { view: View; user: User }) => {
  const balances = fiatBalances(view.tables, user.id)
  return (
    <Panel title="Balances">
      {balances.length === 0 ? (
        <p class="quiet">No balance in any currency yet.</p>
      ) : (
        <ul class="amounts">
          {balances.map(({ currency: code, amount }) => (
            <li>
              <Money amount={amount} asset={code} />
            </li>
          ))}
        </ul>
      )}
      <ActionForm view={view} action={`/console/users/${user.id}/credit`} label="Credit">
        <Field label="Amount">
          <input name="amount" inputmode="decimal" placeholder="1000.00" required size={12} />
        </Field>
        <Field label="Currency">
          <input
            name="currency"
            value={balances[0]?.currency ?? 'USD'}
            maxlength={3}
            size={4}
            required
          />
        </Field>
        <button type="submit">Credit</button>
      </ActionForm>
    </Panel>
  )
}

const Accounts = ({ view, user }: { view: View; user: User }) => {
  const accounts = view.tables.accounts.list('user', user.id)
  return (
    <Panel title="Destination accounts">
      {accounts.length === 0 ? (
        <p class="quiet">None yet. Register one, so that transfers have somewhere to go.</p>
      ) : (
        <DataTable label="Destination accounts" columns={['Account', 'Currency', 'Details', 'Id']}>
          {accounts.map((it) => (
            <tr>
              <td>{it.nickname}</td>
              <td>{it.currency}</td>
              <td>
                {maskNumber(it.account_number)} <span class="quiet">{it.bank_name}</span>
              </td>
              <td>
                <Id id={it.id} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <details>
        <summary>Register an account…</summary>
        <ActionForm
          view={view}
          action={`/console/users/${user.id}/accounts`}
          label="Register an account"
        >
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
      {accounts.length > 0 ? (
        <details>
          <summary>Start a bank transfer…</summary>
          <ActionForm
            view={view}
            action={`/console/users/${user.id}/transfers`}
            label="Start a transfer"
          >
            <Field label="Amount">
              <input
                name="source_amount"
                inputmode="decimal"
                placeholder="500.00"
                required
                size={12}
              />
            </Field>
            <Field label="Currency">
              <input name="source_currency" value="USD" maxlength={3} size={4} required />
            </Field>
            <Field label="To">
              <Select
                name="account_id"
                values={accounts.map(
                  (it) => [it.id, `${it.nickname} (${it.currency}, ${shortId(it.id)})`] as const,
                )}
              />
            </Field>
            <button type="submit">Start</button>
          </ActionForm>
        </details>
      ) : null}
    </Panel>
  )
}

const Records = ({ view, user }: { view: View; user: User }) => {
  const { transfers, payouts, wallets } = view.tables
  const page = <K extends 'transfers' | 'payouts'>(name: K) =>
    view.to(`/${name}?user_id=${user.id}`)
  return (
    <>
      <Panel
        title="Transfers"
        aside={<a href={page('transfers')}>All {transfers.count('user', user.id)}</a>}
      >
        <TransferTable view={view} rows={transfers.page('user', user.id, 0, MOST_RECORDS)} />
      </Panel>
      <Panel
        title="Payouts"
        aside={<a href={page('payouts')}>All {payouts.count('user', user.id)}</a>}
      >
        <PayoutTable view={view} rows={payouts.page('user', user.id, 0, MOST_RECORDS)} />
      </Panel>
      <p>
        <a href={view.to(`/wallets?user_id=${user.id}`)}>
          {wallets.count('user', user.id)} wallets
        </a>
        {' · '}
        <a href={view.to(`/offramps?user_id=${user.id}`)}>Offramps</a>
      </p>
    </>
  )
}

const moveFields = z.object({
  to: z.enum(USER_STATUSES),
  reason: text().optional(),
  requirements: text().optional(),
})

const move: Action = {
  path: '/console/users/:id/move',
  operation: 'moveUser',
  act: ({ view, params: { id = '' }, fields, cause }) => {
    const { to, reason, requirements } = checked(moveFields, fields)
    const missing = requirements
      ?.split(',')
      .map((it) => it.trim())
      .filter(Boolean)
    const details = {
      ...(reason && { reasons: [{ reason }] }),
      ...(missing?.length && { requirements: missing }),
    }
    const { status } = view.world.run('user.move', { id, to, ...details }, cause)
    return `The user is ${status} now.`
  },
}

const creditFields = z.object({ currency: currency(), amount: text() })

const credit: Action = {
  path: '/console/users/:id/credit',
  operation: 'creditUser',
  act: ({ view, params: { id = '' }, fields, cause }) => {
    const given = checked(creditFields, fields)
    const { id: user_id } = userOf(view.tables, id, 'id')
    const after = view.world.run('balance.credit', { user_id, ...given }, cause)
    return `The balance is ${after.amount} ${after.currency} now.`
  },
}

const accountFields = z.object({
  currency: currency(),
  account_number: text(),
  nickname: text().optional(),
})

const register: Action = {
  path: '/console/users/:id/accounts',
  operation: 'registerAccount',
  act: ({ view, params: { id = '' }, fields, cause }) => {
    const given = checked(accountFields, fields)
    const { id: user_id } = userOf(view.tables, id, 'id')
    const account = view.world.run('account.register', { user_id, ...given }, cause)
    return `The account ${account.nickname} is registered.`
  },
}

const transferFields = z.object({
  account_id: uuid(),
  source_currency: currency(),
  source_amount: text(),
})

const start: Action = {
  path: '/console/users/:id/transfers',
  operation: 'startTransfer',
  act: ({ view, params: { id = '' }, fields, cause }) => {
    const given = checked(transferFields, fields)
    const transfer = view.world.run('transfer.start', { user_id: id, ...given }, cause)
    return { to: view.to(`/transfers/${transfer.id}`), told: 'The transfer is started.' }
  },
}

export const userActions: readonly Action[] = [move, credit, register, start]
