import type { Child } from 'hono/jsx'
import { showUser } from '../contract/user.js'
import { fullName, type User, userOf } from '../world/users.js'
import type { Action } from './actions.js'
import { Id } from './id.js'
import { JsonView } from './json-view.js'
import { Live, Panel } from './parts.js'
import { PayoutTable } from './payouts.js'
import { readerOf } from './register.js'
import { RelatedRequests } from './related.js'
import { TransferTable } from './transfers.js'
import { Accounts, registerAccount, startTransfer } from './user-accounts.js'
import { Balances, creditUser } from './user-balances.js'
import { moveUser, StatusPanel } from './user-status.js'
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
          <bdi>{fullName(user)}</bdi> <Id id={user.id} />
        </h1>
        <StatusPanel view={view} user={user} />
        <div class="columns">
          <div>
            <Balances view={view} user={user} />
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
                <JsonView text={JSON.stringify(showUser(user, readerOf(view)))} label="Answer" />
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

const Records = ({ view, user }: { view: View; user: User }) => {
  const { transfers, payouts, wallets } = view.tables
  const all = (name: string) => view.to(`/${name}?user_id=${user.id}`)
  return (
    <>
      <Newest title="Transfers" all={all('transfers')} count={transfers.count('user', user.id)}>
        <TransferTable view={view} rows={transfers.page('user', user.id, 0, MOST_RECORDS)} />
      </Newest>
      <Newest title="Payouts" all={all('payouts')} count={payouts.count('user', user.id)}>
        <PayoutTable view={view} rows={payouts.page('user', user.id, 0, MOST_RECORDS)} />
      </Newest>
      <p>
        <a href={all('wallets')}>Wallets: {wallets.count('user', user.id).toLocaleString('en')}</a>
        {' · '}
        <a href={all('offramps')}>Offramps</a>
      </p>
    </>
  )
}

/** The newest of some records, and the way to all of them. */
const Newest = ({
  title,
  all,
  count,
  children,
}: {
  title: string
  all: string
  count: number
  children: Child
}) => (
  <Panel
    title={title}
    aside={count > 0 ? <a href={all}>All {count.toLocaleString('en')}</a> : undefined}
  >
    {children}
    {count > 0 ? null : <p class="quiet">None yet.</p>}
  </Panel>
)

export const userActions: readonly Action[] = [moveUser, creditUser, registerAccount, startTransfer]
