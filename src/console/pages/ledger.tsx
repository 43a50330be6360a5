import { DataTable, Panel, Scroll } from '../components/components.js'
import { runAuditInSlices } from '../ledger-audit.js'
import type { Page, PageContext } from '../page-context.js'
import { grouped } from './money.js'

/** With a minus as wide as a digit, as other pages have it. */
const signed = (amount: string): string => grouped(amount).replace('-', '−')

/** The proof of the ledger, made when it is asked for. */
export const ledgerPage = async (ctx: PageContext): Promise<Page> => {
  const { ok, assets, violations } = (await runAuditInSlices(ctx)).report
  const kinds = [...new Set(assets.flatMap(({ accounts }) => Object.keys(accounts)))].sort()
  return {
    title: 'Ledger',
    body: (
      <>
        <h1>Ledger</h1>
        <p class="health">
          <span class={ok ? 'badge good' : 'badge bad'}>{ok ? 'in order' : 'broken'}</span> Every
          movement was added up anew. Each asset has to sum to zero over all accounts.
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
            columns={[
              'Asset',
              ...['Sum', ...kinds].map((name) => ({ name, kind: 'number' }) as const),
            ]}
          >
            {assets.map(({ asset, sum, accounts }) => (
              <tr>
                <th scope="row">{asset}</th>
                <td class="number">{signed(sum)}</td>
                {kinds.map((kind) => (
                  <td class="number">{signed(accounts[kind] ?? '')}</td>
                ))}
              </tr>
            ))}
          </DataTable>
        </Scroll>
      </>
    ),
  }
}
