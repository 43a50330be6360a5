import type { Child } from 'hono/jsx'
import { toUserResponse } from '../../contract/user.js'
import type { User } from '../../domain/schema.js'
import { fullName, getUser } from '../../domain/users.js'
import type { Action } from '../actions.js'
import { explainRecord, WhyPanel } from '../components/cause-panel.js'
import { Id } from '../components/id.js'
import { JsonView } from '../components/json-view.js'
import { LiveRegion, Panel } from '../components/panel.js'
import { RelatedRequests } from '../components/related-requests.js'
import { formatCount } from '../format.js'
import { type DrawPage, type PageContext, readingsOf } from '../page-context.js'
import { PayoutTable } from './payouts.js'
import { TransferTable } from './transfers.js'
import { Accounts, registerAccount, startTransfer } from './user-accounts.js'
import { Balances, creditUser } from './user-balances.js'
import { moveUser, StatusPanel } from './user-status.js'

const MAX_RECORDS = 10

export const userPage: DrawPage = (ctx, { id = '' }) => {
  const user = getUser(ctx.tables, id.toLowerCase(), 'id')
  return {
    title: fullName(user),
    body: (
      <>
        <h1>
          <bdi>{fullName(user)}</bdi> <Id id={user.id} />
        </h1>
        <StatusPanel ctx={ctx} user={user} />
        <div class="columns">
          <div>
            <Balances ctx={ctx} user={user} />
            <LiveRegion id="records">
              <Records ctx={ctx} user={user} />
            </LiveRegion>
            <LiveRegion id="accounts">
              <Accounts ctx={ctx} user={user} />
            </LiveRegion>
          </div>
          <div>
            <LiveRegion id="why">
              <WhyPanel ctx={ctx} answer={explainRecord(ctx, 'users', user.id)} />
            </LiveRegion>
            <LiveRegion id="answer">
              <Panel title="Response to a client">
                <JsonView
                  text={JSON.stringify(toUserResponse(user, readingsOf(ctx)))}
                  label="Response"
                />
              </Panel>
            </LiveRegion>
            <LiveRegion id="related">
              <RelatedRequests ctx={ctx} id={user.id} />
            </LiveRegion>
          </div>
        </div>
      </>
    ),
  }
}

const Records = ({ ctx, user }: { ctx: PageContext; user: User }) => {
  const { transfers, payouts, wallets } = ctx.tables
  const all = (name: string) => ctx.href(`/${name}?user_id=${user.id}`)
  return (
    <>
      <Newest title="Transfers" all={all('transfers')} count={transfers.count('user', user.id)}>
        <TransferTable ctx={ctx} rows={transfers.page('user', user.id, 0, MAX_RECORDS)} />
      </Newest>
      <Newest title="Payouts" all={all('payouts')} count={payouts.count('user', user.id)}>
        <PayoutTable ctx={ctx} rows={payouts.page('user', user.id, 0, MAX_RECORDS)} />
      </Newest>
      <p>
        <a href={all('wallets')}>Wallets: {formatCount(wallets.count('user', user.id))}</a>
        {' · '}
        <a href={all('offramps')}>Offramps</a>
      </p>
    </>
  )
}

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
  <Panel title={title} aside={count > 0 ? <a href={all}>All {formatCount(count)}</a> : undefined}>
    {count > 0 ? children : <p class="quiet">None yet.</p>}
  </Panel>
)

export const userActions: readonly Action[] = [moveUser, creditUser, registerAccount, startTransfer]
