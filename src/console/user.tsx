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
  const all = (name: 'transfers' | 'payouts') => {
    const count = view.tables[name].count('user', user.id)
    if (count === 0) return undefined
    return <a href={view.to(`/${name}?user_id=${user.id}`)}>All {count.toLocaleString('en')}</a>
  }
  const none = <p class="quiet">None yet.</p>
  return (
    <>
      <Panel title="Transfers" aside={all('transfers')}>
        <TransferTable view={view} rows={transfers.page('user', user.id, 0, MOST_RECORDS)} />
        {transfers.count('user', user.id) === 0 ? none : null}
      </Panel>
      <Panel title="Payouts" aside={all('payouts')}>
        <PayoutTable view={view} rows={payouts.page('user', user.id, 0, MOST_RECORDS)} />
        {payouts.count('user', user.id) === 0 ? none : null}
      </Panel>
      <p>
        <a href={view.to(`/wallets?user_id=${user.id}`)}>
          Wallets: {wallets.count('user', user.id).toLocaleString('en')}
        </a>
        {' · '}
        <a href={view.to(`/offramps?user_id=${user.id}`)}>Offramps</a>
      </p>
    </>
  )
}

export const userActions: readonly Action[] = [moveUser, creditUser, registerAccount, startTransfer]
