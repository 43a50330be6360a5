import { ALL } from '../http/selection.js'
import { addressKey } from '../world/addresses.js'
import type { Deposit } from '../world/deposits.js'
import { StatusBadge } from './badge.js'
import { AnyDepositForm } from './deposit-form.js'
import { Id, TransferLink } from './id.js'
import { Money } from './money.js'
import { stepToDeposit, stepToTransfer } from './money-steps.js'
import { depositAnchor } from './names.js'
import { DataTable, Empty, EmptyList, Live, Pager, Panel } from './parts.js'
import { addressWith, chosen, rowsOf } from './selecting.js'
import { Time } from './time.js'
import { controlCurl } from './try.js'
import { UserLink } from './user-link.js'
import type { Page, View } from './view.js'
import { visible } from './visible.js'

const MATCHED = ['unmatched', 'offramp', 'wallet', 'all'] as const

/** Deposits that nobody expected, unless the address asks for others. */
export const depositsPage = (view: View): Page => {
  const matched = chosen(view, 'matched', MATCHED) ?? 'unmatched'
  const { deposits } = view.tables
  const selection = matched === 'all' ? ALL : ({ index: 'matched', key: matched } as const)
  const rows = rowsOf(view, deposits, selection)
  return {
    title: 'Deposits',
    body: (
      <>
        <h1>Deposits</h1>
        <Panel title="Let crypto arrive">
          <AnyDepositForm view={view} />
        </Panel>
        <Live id="list">
          <nav class="statuses" aria-label="By what became of them">
            {MATCHED.map((it) => (
              <a
                href={addressWith(view, { matched: it, page: undefined })}
                aria-current={it === matched ? 'true' : undefined}
              >
                {it}{' '}
                {(it === 'all' ? deposits.size : deposits.count('matched', it)).toLocaleString(
                  'en',
                )}
              </a>
            ))}
          </nav>
          {rows.records.length === 0 ? (
            <Nothing view={view} matched={matched} />
          ) : (
            <DataTable
              label="Deposits"
              columns={[
                { name: 'Amount', kind: 'number' },
                { name: 'Chain', kind: 'minor' },
                'Address',
                'Became of it',
                { name: 'Id', kind: 'minor' },
                { name: 'Came', kind: 'minor' },
              ]}
            >
              {rows.records.map((it) => (
                <tr id={depositAnchor(it.id)}>
                  <td class="number">
                    <Money amount={it.amount} asset={it.crypto} />
                  </td>
                  <td class="minor">{it.chain}</td>
                  <td>
                    <Id id={it.address} what="address" />
                  </td>
                  <td>
                    <StatusBadge status={it.matched} /> <ReasonOf view={view} deposit={it} />{' '}
                    {it.transfer_id ? <TransferLink view={view} id={it.transfer_id} /> : null}
                  </td>
                  <td class="minor">
                    <Id id={it.id} />
                  </td>
                  <td class="minor">
                    <Time view={view} at={it.created_at} />
                  </td>
                </tr>
              ))}
            </DataTable>
          )}
          <Pager view={view} rows={rows} />
        </Live>
      </>
    ),
  }
}

const Nothing = ({ view, matched }: { view: View; matched: (typeof MATCHED)[number] }) => {
  if (matched === 'offramp') {
    return (
      <EmptyList step={stepToTransfer(view)}>
        None. What arrives at the deposit address of an offramp is listed here.
      </EmptyList>
    )
  }
  if (matched === 'wallet') {
    return (
      <EmptyList step={stepToDeposit(view)}>
        None. What arrives at the address of a custody wallet is listed here.
      </EmptyList>
    )
  }
  return (
    <Empty command={strayCurl(view)}>
      None. What arrives at an address that nobody has, or as another token than expected, is kept
      here:
    </Empty>
  )
}

/** Whose address it is, also when what came there was not what it expects. */
const ReasonOf = ({ view, deposit: { address, reason } }: { view: View; deposit: Deposit }) => {
  const key = addressKey(address)
  const { instructions, wallets } = view.tables
  const owner = instructions.first('address', key) ?? wallets.first('address', key)
  const link = owner ? <UserLink view={view} id={owner.user_id} /> : null
  if (reason === null) return link
  return (
    <>
      {visible(reason)}
      {link ? <>. The address is of {link}</> : null}
    </>
  )
}

const strayCurl = (view: View): string =>
  controlCurl(view, '/deposits', {
    address: '0x000000000000000000000000000000000000dEaD',
    amount: '5',
  })
