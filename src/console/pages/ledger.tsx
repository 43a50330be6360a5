import { Decimal } from '../../domain/decimal.js'
import { isZero } from '../../domain/money.js'
import { Panel, Scroll } from '../components/panel.js'
import { type Column, DataTable } from '../components/table.js'
import { capitalize, formatAmount } from '../format.js'
import { type LedgerAudit, runAuditInSlices } from '../ledger-audit.js'
import type { Page, PageContext } from '../page-context.js'

type AssetReport = LedgerAudit['report']['assets'][number]

/** A column whose amounts have the same number of decimals, so that the points align. */
const amountColumn = (
  name: string,
  assets: readonly AssetReport[],
  amountIn: (asset: AssetReport) => string,
): Column<AssetReport> => {
  const decimals = Math.max(...assets.map((it) => amountIn(it).split('.')[1]?.length ?? 0))
  return {
    name,
    kind: 'number',
    cell: (it) => {
      const amount = amountIn(it)
      const text = formatAmount(new Decimal(amount).toFixed(decimals)).replace('-', '−')
      return isZero(amount) ? <span class="quiet">{text}</span> : text
    },
  }
}

/** Audits the ledger on each visit. */
export const ledgerPage = async (ctx: PageContext): Promise<Page> => {
  const { ok, assets, violations } = (await runAuditInSlices(ctx)).report
  const kinds = [...new Set(assets.flatMap(({ accounts }) => Object.keys(accounts)))].sort()
  return {
    title: 'Ledger',
    body: (
      <>
        <h1>Ledger</h1>
        <p>
          <span class={ok ? 'badge good' : 'badge bad'}>{ok ? 'balanced' : 'broken'}</span> The
          audit recomputes every posting. Each asset must sum to zero over all accounts.
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
              amountColumn('Sum', assets, ({ sum }) => sum),
              ...kinds.map((kind) =>
                amountColumn(capitalize(kind), assets, ({ accounts }) => accounts[kind] ?? '0'),
              ),
            ]}
          />
        </Scroll>
      </>
    ),
  }
}
