import { toUserResponse } from '../../contract/user.js'
import { maskNumber } from '../../domain/account-numbers.js'
import { fiatBalances } from '../../domain/balances.js'
import type { User } from '../../domain/schema.js'
import { fullName, getUser, userTransitionsIn } from '../../domain/users.js'
import { findPostings, type StatementRow, walkBack } from '../../history/statement.js'
import { ActionButton, FoldedForm } from '../components/form.js'
import { Json } from '../components/json.js'
import { Text, Time } from '../components/links.js'
import { Money } from '../components/money.js'
import { Status } from '../components/status.js'
import { Table } from '../components/table.js'
import type { Tab } from '../components/tabs.js'
import { Timeline } from '../components/timeline.js'
import { takePage } from '../filters.js'
import { formatAmount, formatMoney, pluralize } from '../format.js'
import { type DrawPage, type PageContext, readingsOf } from '../page-context.js'
import { movementSentence, userSentence } from '../sentences.js'
import { Pager } from './list-page.js'
import { Facts, recordPage } from './record-page.js'
import { findHistory, findTimers, futureSteps, gapSteps, pastSteps } from './story.js'

export const userPage: DrawPage = (ctx, { id: written = '' }) => {
  const user = getUser(ctx.tables, written.toLowerCase(), 'id')
  const { id } = user
  const history = findHistory(ctx, 'users', id)
  const entries = history.entries.map((entry) => ({
    ...entry,
    events: entry.events.filter(({ type }) => type.startsWith('user.')),
  }))
  const last = entries.findLast(({ events }) => events.length > 0)
  const steps = [
    ...futureSteps(ctx, {
      id,
      operation: 'moveUser',
      moves: [],
      next: undefined,
      timers: findTimers(ctx, id),
      verbs: {},
    }),
    ...pastSteps(ctx, { id, entries }),
    ...gapSteps(history),
  ]
  return recordPage(ctx, {
    id,
    list: { text: 'Users', path: '/users' },
    title: fullName(user),
    sentence: userSentence(user, last?.events.at(-1)?.cause ?? last?.cause, ctx.world.now),
    actions: <Actions ctx={ctx} user={user} />,
    tabs: statementTabs(ctx, user),
    below: <Payments ctx={ctx} user={user} />,
    facts: [
      ['Email', <bdi>{user.email_address}</bdi>],
      ['Phone', user.phone_number ?? 'none'],
      ['Born', user.date_of_birth ?? 'unknown'],
      ['Address', <bdi>{formatAddress(user)}</bdi>],
      ['Created', <Time ctx={ctx} at={user.created_at} />],
    ],
    aside: (
      <>
        <section class="section">
          <h2>Verification</h2>
          {steps.length > 0 ? (
            <Timeline ctx={ctx} steps={steps} />
          ) : (
            <p class="note">From the fixtures.</p>
          )}
        </section>
        <Accounts ctx={ctx} user={user} />
        <section class="section">
          <details>
            <summary>As a client reads it</summary>
            <Json
              text={JSON.stringify(toUserResponse(user, readingsOf(ctx)))}
              label="As a client reads it"
            />
          </details>
        </section>
      </>
    ),
  })
}

const formatAddress = ({ address: { line1, postal_code, city, country } }: User): string =>
  [line1, [postal_code, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ') ||
  'unknown'

/** The words of a reviewer. */
const VERBS: Readonly<Record<User['status'], string>> = {
  active: 'Approve',
  rejected: 'Reject',
  incomplete: 'Ask for more',
  under_review: 'Review again',
  paused: 'Pause',
  offboarded: 'Offboard',
}

const Actions = ({ ctx, user }: { ctx: PageContext; user: User }) => {
  const { id, status } = user
  const [balance] = fiatBalances(ctx.tables, id)
  const move = { ctx, operation: 'moveUser' } as const
  return (
    <>
      <Status status={status} />
      <FoldedForm
        ctx={ctx}
        operation="creditUser"
        given={{ id }}
        summary="Credit…"
        submit="Credit"
        fields={['amount', { name: 'currency', value: balance?.currency ?? 'USD' }]}
      />
      {userTransitionsIn(ctx.tables)[status].map((to) => {
        const given = { id, status: to }
        const verb = status === 'paused' && to === 'active' ? 'Resume' : VERBS[to]
        const form = { ...move, given, summary: `${verb}…`, submit: verb, kind: 'danger' } as const
        if (to === 'rejected') {
          return <FoldedForm {...form} fields={[{ name: 'reasons', isMultiline: true }]} />
        }
        if (to === 'incomplete') {
          return <FoldedForm {...form} fields={[{ name: 'requirements', isMultiline: true }]} />
        }
        if (to === 'offboarded') {
          return <FoldedForm {...form} fields={[]} note="An offboarded user stays so." />
        }
        return (
          <ActionButton {...move} given={given} kind={to === 'active' ? 'main' : undefined}>
            {verb}
          </ActionButton>
        )
      })}
    </>
  )
}

/** One statement per balance and wallet. Its tab shows the figure. */
const statementTabs = (ctx: PageContext, user: User): Tab[] => {
  const { tables, live } = ctx
  const wallets = tables.wallets.list('user', user.id)
  const accounts = [
    { account: `user:${user.id}`, title: 'Balance' },
    ...wallets.map((it) => ({ account: `wallet:${it.id}`, title: `Wallet on ${it.blockchain}` })),
  ]
  const tabs = accounts.flatMap(({ account, title }) =>
    [...tables.balances.of(account)].map(([asset, { amount }]): Tab => {
      const figure = <Figure title={title} amount={amount.toFixed()} asset={asset} />
      const body = () => {
        const postings = findPostings(live, account, asset)
        return <Statement ctx={ctx} rows={walkBack(tables, account, asset, postings)} />
      }
      return { name: `${account}-${asset}`, text: figure, body }
    }),
  )
  if (tabs.length > 0) return tabs
  return [{ name: 'none', text: 'Balances', body: () => <p class="note">No money yet.</p> }]
}

const Figure = ({ title, amount, asset }: { title: string; amount: string; asset: string }) => (
  <>
    <span class="note">{title}</span>
    <br />
    <Money amount={amount} asset={asset} />
  </>
)

/** Movements with the balance after each, newest first. */
export const Statement = ({ ctx, rows }: { ctx: PageContext; rows: Iterable<StatementRow> }) => {
  const { records, hasMore } = takePage(ctx, rows)
  return (
    <>
      <Table
        label="Statement"
        rows={records}
        columns={[
          {
            name: 'Time',
            cell: ({ at }) => (at === null ? 'earlier' : <Time ctx={ctx} at={at} />),
          },
          {
            name: 'What',
            cell: (it) => (
              <>
                <Text ctx={ctx} prose={movementSentence(ctx.tables, it)} />
                <MovementNote ctx={ctx} row={it} />
              </>
            ),
          },
          {
            name: 'Amount',
            kind: 'number',
            cell: ({ amount, currency }) => toSigned(amount, currency),
          },
          {
            name: 'Balance after',
            kind: 'number',
            cell: ({ balance, currency }) => formatAmount(balance, currency),
          },
        ]}
      />
      <Pager ctx={ctx} hasMore={hasMore}>
        {hasMore ? 'Newest first.' : 'These are all.'}
      </Pager>
    </>
  )
}

const toSigned = (amount: string, asset: string): string =>
  amount.startsWith('-')
    ? `−${formatAmount(amount.slice(1), asset)}`
    : `+${formatAmount(amount, asset)}`

/** The fee in an amount, or why it came back. */
const MovementNote = ({ ctx, row }: { ctx: PageContext; row: StatementRow }) => {
  const payout = ctx.tables.payouts.get(row.payout_id ?? '')
  const parts = [
    row.fee ? `with ${formatMoney(row.fee, row.currency)} fee` : undefined,
    row.what === 'payout returned' ? payout?.reason : undefined,
  ].filter((it) => it !== undefined && it !== null)
  if (parts.length === 0) return null
  return (
    <>
      <br />
      <bdi class="note">{parts.join(', ')}</bdi>
    </>
  )
}

const Payments = ({ ctx, user }: { ctx: PageContext; user: User }) => {
  const { payouts, transfers, accounts } = ctx.tables
  const own = accounts.list('user', user.id)
  return (
    <section class="section">
      <header>
        <h2>Payments</h2>
        {own.length > 0 && user.status === 'active' ? (
          <FoldedForm
            ctx={ctx}
            operation="startTransfer"
            given={{ user_id: user.id }}
            summary="Start a transfer…"
            submit="Start"
            fields={[
              { name: 'source_amount', label: 'Amount' },
              { name: 'source_currency', label: 'Currency', value: 'USD' },
              {
                name: 'account_id',
                label: 'To',
                options: own.map((it) => [it.id, `${it.nickname} (${it.currency})`]),
              },
            ]}
          />
        ) : null}
      </header>
      <Facts
        facts={[
          ['Payouts', payouts.count('user', user.id), '/payouts'] as const,
          ['Transfers', transfers.count('user', user.id), '/transfers'] as const,
        ].map(([name, count, path]) => [
          name,
          <a href={ctx.href(`${path}?user_id=${user.id}`)}>{pluralize(count, 'record')}</a>,
        ])}
      />
    </section>
  )
}

const Accounts = ({ ctx, user }: { ctx: PageContext; user: User }) => (
  <section class="section">
    <header>
      <h2>Accounts</h2>
      <FoldedForm
        ctx={ctx}
        operation="registerAccount"
        given={{ id: user.id }}
        summary="Register…"
        submit="Register"
        fields={[{ name: 'currency', value: 'EUR' }, 'account_number', 'bank_name', 'nickname']}
      />
    </header>
    {ctx.tables.accounts.list('user', user.id).map((it) => (
      <p>
        <b>
          <bdi>{it.nickname}</bdi>
        </b>
        , {it.currency} <code>{maskNumber(it.account_number)}</code>
        <br />
        <bdi class="note">{it.bank_name}</bdi>
      </p>
    ))}
  </section>
)
