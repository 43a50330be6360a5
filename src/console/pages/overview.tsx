import { PAYOUT_STATUSES, TRANSFER_STATUSES, USER_STATUSES } from '../../domain/schema.js'
import { showExchange } from '../../history/views.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import { BalanceBadge, StatusBadge } from '../components/badge.js'
import { EntryList } from '../components/entry-line.js'
import { CopyId } from '../components/id.js'
import { LiveRegion, Panel } from '../components/panel.js'
import { NoRequests, RequestTable } from '../components/request-table.js'
import { demoKey } from '../curl.js'
import { formatCount, pluralize } from '../format.js'
import { lastAudit, runAudit } from '../ledger-audit.js'
import type { Page, PageContext } from '../page-context.js'
import { ClockPanel } from './clock.js'

const MAX_ENTRIES = 10
const MAX_REQUESTS = 5

export const overviewPage = (ctx: PageContext): Page => ({
  title: 'Overview',
  body: (
    <>
      <h1>Overview</h1>
      <WhereTo ctx={ctx} />
      <div class="columns">
        <div>
          <LiveRegion id="clock-panel">
            <ClockPanel ctx={ctx} />
          </LiveRegion>
          <LiveRegion id="requests">
            <LatestRequests ctx={ctx} />
          </LiveRegion>
        </div>
        <div>
          <LiveRegion id="active-scenarios">
            <ActiveScenarios ctx={ctx} />
          </LiveRegion>
          <LiveRegion id="ledger">
            <Panel title="Ledger">
              <LedgerStatus ctx={ctx} />
            </Panel>
          </LiveRegion>
          <LiveRegion id="counts">
            <Counts ctx={ctx} />
          </LiveRegion>
          <LiveRegion id="latest">
            <Latest ctx={ctx} />
          </LiveRegion>
        </div>
      </div>
    </>
  ),
})

const Counts = ({ ctx }: { ctx: PageContext }) => {
  const { tables } = ctx
  return (
    <Panel title="Counts">
      <CountRow
        ctx={ctx}
        name="Transfers"
        path="/transfers"
        counts={TRANSFER_STATUSES.map((it) => [it, tables.transfers.count('status', it)])}
        total={tables.transfers.size}
      />
      <CountRow
        ctx={ctx}
        name="Payouts"
        path="/payouts"
        counts={PAYOUT_STATUSES.map((it) => [it, tables.payouts.count('status', it)])}
        total={tables.payouts.size}
      />
      <CountRow
        ctx={ctx}
        name="Users"
        path="/users"
        counts={USER_STATUSES.map((it) => [it, tables.users.count('status', it)])}
        total={tables.users.size}
      />
      <CountRow
        ctx={ctx}
        name="Unmatched deposits"
        path="/deposits"
        counts={[]}
        total={tables.deposits.count('matched', 'unmatched')}
      />
    </Panel>
  )
}

const CountRow = ({
  ctx,
  name,
  path,
  counts,
  total,
}: {
  ctx: PageContext
  name: string
  path: string
  counts: readonly (readonly [status: string, count: number])[]
  total: number
}) => (
  <>
    <h3>
      <a href={ctx.href(path)}>{name}</a> <span class="quiet">{formatCount(total)}</span>
    </h3>
    <ul class="counts">
      {counts
        .filter(([, count]) => count > 0)
        .map(([status, count]) => (
          <li>
            <a href={ctx.href(`${path}?status=${status}`)}>
              <StatusBadge status={status} /> {formatCount(count)}
            </a>
          </li>
        ))}
    </ul>
  </>
)

const ActiveScenarios = ({ ctx }: { ctx: PageContext }) => (
  <Panel title="Active scenarios" aside={<a href={ctx.href('/scenarios')}>All scenarios</a>}>
    <ul class="tags">
      {activeNames(ctx.world.tables).map((name) => (
        <li>
          <a href={ctx.href(`/scenarios/${encodeURIComponent(name)}`)}>{name}</a>
        </li>
      ))}
    </ul>
  </Panel>
)

/** An audit reads every record with money. With more records, it runs on the ledger page only. */
const MAX_AUDITED = 4_000

const LedgerStatus = ({ ctx }: { ctx: PageContext }) => {
  const { tables } = ctx
  const size = tables.ledger.size + tables.transfers.size + tables.payouts.size
  if (size > MAX_AUDITED) return <LastLedgerStatus ctx={ctx} />
  const { ok, violations } = runAudit(ctx).report
  return (
    <p>
      <BalanceBadge ok={ok} /> <a href={ctx.href('/ledger')}>The ledger</a>{' '}
      {ok ? 'balances.' : `has ${violationsIn(violations)}.`}
    </p>
  )
}

const LastLedgerStatus = ({ ctx }: { ctx: PageContext }) => {
  const proof = lastAudit(ctx)
  const link = <a href={ctx.href('/ledger')}>Run the audit</a>
  if (!proof) return <p>The ledger is large. {link}</p>
  const { ok, violations } = proof.report
  return (
    <p>
      <BalanceBadge ok={ok} /> The ledger {ok ? 'balanced' : `had ${violationsIn(violations)}`} at
      entry {formatCount(proof.seq)}. {link} again
    </p>
  )
}

const violationsIn = ({ length }: readonly string[]): string => pluralize(length, 'violation')

const WhereTo = ({ ctx }: { ctx: PageContext }) => {
  const key = demoKey(ctx)
  const { key: own } = ctx.handle
  const otherKey = own ? `…${own.last_four}, or another key of this world` : 'that you created'
  return (
    <p class="where-to">
      Point a client at <code>{ctx.origin}</code> <CopyId text={ctx.origin} what="address" /> with
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

/** Includes reads and rejected requests, which have no journal entry. */
const LatestRequests = ({ ctx }: { ctx: PageContext }) => {
  const exchanges = ctx.live.requests.newest({}, 0, MAX_REQUESTS).map(showExchange)
  return (
    <Panel title="Latest requests" aside={<a href={ctx.href('/requests')}>All requests</a>}>
      {exchanges.length === 0 ? (
        <NoRequests ctx={ctx} />
      ) : (
        <RequestTable ctx={ctx} exchanges={exchanges} brief />
      )}
    </Panel>
  )
}

const Latest = ({ ctx }: { ctx: PageContext }) => {
  const { journal } = ctx.live
  const entries = journal.newestAfter(0, MAX_ENTRIES).reverse()
  return (
    <Panel title="Latest entries">
      <EntryList ctx={ctx} entries={entries} />
    </Panel>
  )
}
