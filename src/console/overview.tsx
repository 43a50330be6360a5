import { showExchange } from '../exchanges/exchange.js'
import { PAYOUT_STATUSES } from '../world/payouts.js'
import { TRANSFER_STATUSES } from '../world/transfers.js'
import { USER_STATUSES } from '../world/users.js'
import { StatusBadge } from './badge.js'
import { ClockPanel } from './clock.js'
import { EntryList } from './entry-line.js'
import { CopyId } from './id.js'
import { Live, Panel } from './parts.js'
import { lastProof, prove } from './proof.js'
import { NoRequests, RequestTable } from './request-table.js'
import { demoKey } from './try.js'
import type { Page, View } from './view.js'

const MOST_ENTRIES = 10
const MOST_REQUESTS = 5

export const overviewPage = (view: View): Page => ({
  title: 'Overview',
  body: (
    <>
      <h1>Overview</h1>
      <WhereTo view={view} />
      <div class="columns">
        <div>
          <Live id="clock-panel">
            <ClockPanel view={view} />
          </Live>
          <Live id="requests">
            <LatestRequests view={view} />
          </Live>
        </div>
        <div>
          <Live id="playing">
            <Playing view={view} />
          </Live>
          <Live id="counts">
            <Counts view={view} />
          </Live>
          <Live id="latest">
            <Latest view={view} />
          </Live>
        </div>
      </div>
    </>
  ),
})

const Counts = ({ view }: { view: View }) => {
  const { tables } = view
  return (
    <Panel title="Counts">
      <CountRow
        view={view}
        name="Transfers"
        path="/transfers"
        counts={TRANSFER_STATUSES.map((it) => [it, tables.transfers.count('status', it)])}
        total={tables.transfers.size}
      />
      <CountRow
        view={view}
        name="Payouts"
        path="/payouts"
        counts={PAYOUT_STATUSES.map((it) => [it, tables.payouts.count('status', it)])}
        total={tables.payouts.size}
      />
      <CountRow
        view={view}
        name="Users"
        path="/users"
        counts={USER_STATUSES.map((it) => [it, tables.users.count('status', it)])}
        total={tables.users.size}
      />
      <CountRow
        view={view}
        name="Unmatched deposits"
        path="/deposits"
        counts={[]}
        total={tables.deposits.count('matched', 'unmatched')}
      />
    </Panel>
  )
}

const CountRow = ({
  view,
  name,
  path,
  counts,
  total,
}: {
  view: View
  name: string
  path: string
  counts: readonly (readonly [status: string, count: number])[]
  total: number
}) => (
  <>
    <h3>
      <a href={view.to(path)}>{name}</a> <span class="quiet">{total.toLocaleString('en')}</span>
    </h3>
    <ul class="counts">
      {counts
        .filter(([, count]) => count > 0)
        .map(([status, count]) => (
          <li>
            <a href={view.to(`${path}?status=${status}`)}>
              <StatusBadge status={status} /> {count.toLocaleString('en')}
            </a>
          </li>
        ))}
    </ul>
  </>
)

/** The proof looks at every record with money: beyond so many it is made when somebody asks for it. */
const MOST_PROVED = 4_000

const Playing = ({ view }: { view: View }) => (
  <Panel title="Playing" aside={<a href={view.to('/scenarios')}>All scenarios</a>}>
    <ul class="tags">
      {view.sandbox.activeScenarios(view.world).map((name) => (
        <li>
          <a href={view.to(`/scenarios/${encodeURIComponent(name)}`)}>{name}</a>
        </li>
      ))}
    </ul>
    <Health view={view} />
  </Panel>
)

const Health = ({ view }: { view: View }) => {
  const { tables } = view
  const size = tables.ledger.size + tables.transfers.size + tables.payouts.size
  if (size > MOST_PROVED) return <LastHealth view={view} />
  const { ok, violations } = prove(view).report
  return (
    <p class="health">
      <Order ok={ok} /> <a href={view.to('/ledger')}>The ledger</a>{' '}
      {ok ? 'adds up.' : `has ${violationsIn(violations)}.`}
    </p>
  )
}

/** Of a ledger that is too long to be added up at each look. */
const LastHealth = ({ view }: { view: View }) => {
  const proof = lastProof(view)
  const link = <a href={view.to('/ledger')}>Prove it</a>
  if (!proof) return <p class="health">The ledger is long. {link}</p>
  const { ok, violations } = proof.report
  return (
    <p class="health">
      <Order ok={ok} /> The ledger {ok ? 'added up' : `had ${violationsIn(violations)}`} at entry{' '}
      {proof.seq.toLocaleString('en')}. {link} anew
    </p>
  )
}

const Order = ({ ok }: { ok: boolean }) => (
  <span class={ok ? 'badge good' : 'badge bad'}>{ok ? 'in order' : 'broken'}</span>
)

const violationsIn = ({ length }: readonly string[]): string =>
  `${length} ${length === 1 ? 'violation' : 'violations'}`

/** What a client has to know to come here. */
const WhereTo = ({ view }: { view: View }) => {
  const key = demoKey(view)
  const { key: own } = view.opened
  const otherKey = own ? `…${own.last_four}, or another one of this world` : 'that you have made'
  return (
    <p class="where-to">
      Point a client at <code>{view.origin}</code> <CopyId text={view.origin} what="address" /> with
      the API key{' '}
      {key === undefined ? (
        otherKey
      ) : (
        <>
          <code>{key}</code> <CopyId text={key} what="API key" />
        </>
      )}
    </p>
  )
}

/** What came last, and what became of it: reads and refusals too, which leave no entry. */
const LatestRequests = ({ view }: { view: View }) => {
  const exchanges = view.line.requests.newest({}, 0, MOST_REQUESTS).map(showExchange)
  return (
    <Panel title="Latest requests" aside={<a href={view.to('/requests')}>All requests</a>}>
      {exchanges.length === 0 ? (
        <NoRequests view={view} />
      ) : (
        <RequestTable view={view} exchanges={exchanges} brief />
      )}
    </Panel>
  )
}

const Latest = ({ view }: { view: View }) => {
  const { journal } = view.line
  const entries = journal.after(0, MOST_ENTRIES).reverse()
  return (
    <Panel title="Latest entries">
      <EntryList view={view} entries={entries} />
    </Panel>
  )
}
