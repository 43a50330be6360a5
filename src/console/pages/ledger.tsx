import { Decimal, isZero } from '../../domain/money.js'
import { BalanceBadge } from '../components/badge.js'
import { Panel, Scroll } from '../components/panel.js'
import { DataTable } from '../components/table.js'
import { capitalize, formatAmount } from '../format.js'
import { type LedgerAudit, runAuditInSlices } from '../ledger-audit.js'
import type { Page, PageContext } from '../page-context.js'

type AssetReport = LedgerAudit['report']['assets'][number]

const countDecimals = (amount: string): number => amount.split('.')[1]?.length ?? 0

/** All amounts have the same number of decimals, so that their points align. */
const Amount = ({ amount, decimals }: { amount: string; decimals: number }) => {
  const text = formatAmount(new Decimal(amount).toFixed(decimals)).replace('-', '−')
  return <span class={isZero(amount) ? 'quiet' : undefined}>{text}</span>
}

/** Audits the ledger on each visit. */
export const ledgerPage = async (ctx: PageContext): Promise<Page> => {
  const { ok, assets, violations } = (await runAuditInSlices(ctx)).report
  const kinds = [...new Set(assets.flatMap(({ accounts }) => Object.keys(accounts)))].sort()
  const amounts = assets.flatMap(({ accounts }) => Object.values(accounts))
  const decimals = Math.max(0, ...amounts.map(countDecimals))
  return {
    title: 'Ledger',
    body: (
      <>
        <h1>Ledger</h1>
        <p>
          <BalanceBadge ok={ok} /> The audit recomputes every posting. Each asset must sum to zero
          over all accounts.
        </p>
        <p class="quiet">
          Outside stands for banks and chains: money that comes in makes it negative. Transit holds
          the money of unfinished transfers and payouts. Conversion exchanges one asset for another.
        </p>
        {violations.length > 0 ? (
          <Panel title="Violations">
            <ul>
              {violations.slice(0, 100).map((it) => (
                <li>{it}</li>
              ))}
            </ul>
          </Panel>
        ) : null}
        <Scroll label="Assets by kind of account">
          <DataTable
            label="Assets"
            rows={assets}
            columns={[
              { name: 'Asset', isRowHeader: true, cell: ({ asset }) => asset },
              {
                name: 'Sum',
                kind: 'number',
                cell: ({ sum }) => <Amount amount={sum} decimals={decimals} />,
              },
              ...kinds.map((kind) => ({
                name: capitalize(kind),
                kind: 'number' as const,
                cell: ({ accounts }: AssetReport) => (
                  <Amount amount={accounts[kind] ?? '0'} decimals={decimals} />
                ),
              })),
            ]}
          />
        </Scroll>
      </>
    ),
  }
}
