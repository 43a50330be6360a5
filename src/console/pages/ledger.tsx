import { Panel, Scroll } from '../components/panel.js'
import { DataTable } from '../components/table.js'
import { formatAmount } from '../format.js'
import { type LedgerAudit, runAuditInSlices } from '../ledger-audit.js'
import type { Page, PageContext } from '../page-context.js'

/** With a minus as wide as a digit, as other pages have it. */
const signed = (amount: string): string => formatAmount(amount).replace('-', '−')

type AssetReport = LedgerAudit['report']['assets'][number]

/** Audits the ledger on each visit. */
export const ledgerPage = async (ctx: PageContext): Promise<Page> => {
  const { ok, assets, violations } = (await runAuditInSlices(ctx)).report
  const kinds = [...new Set(assets.flatMap(({ accounts }) => Object.keys(accounts)))].sort()
  return {
    title: 'Ledger',
    body: (
      <>
        <h1>Ledger</h1>
        <p class="health">
          <span class={ok ? 'badge good' : 'badge bad'}>{ok ? 'balanced' : 'broken'}</span> The
          audit recomputes every posting. Each asset must sum to zero over all accounts.
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
              { name: 'Sum', kind: 'number', cell: ({ sum }) => signed(sum) },
              ...kinds.map((name) => ({
                name,
                kind: 'number' as const,
                cell: ({ accounts }: AssetReport) => signed(accounts[name] ?? ''),
              })),
            ]}
          />
        </Scroll>
      </>
    ),
  }
}
