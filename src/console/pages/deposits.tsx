import { addressKey } from '../../domain/addresses.js'
import type { Deposit } from '../../domain/schema.js'
import { ALL } from '../../usecases/selection.js'
import { StatusBadge } from '../components/badge.js'
import { DataTable, Empty, EmptyList, LiveRegion, Pager, Panel } from '../components/components.js'
import { AnyDepositForm } from '../components/deposit-form.js'
import { Id, TransferLink } from '../components/id.js'
import { Time } from '../components/time.js'
import { UserLink } from '../components/user-link.js'
import { controlCurl } from '../curl.js'
import { addressWith, enumParam, pageOf } from '../list-query.js'
import { nextStepForDeposit, nextStepForTransfer } from '../money-next-steps.js'
import type { Page, PageContext } from '../page-context.js'
import { depositAnchor } from '../search-index.js'
import { visible } from '../visible.js'
import { Money } from './money.js'

const MATCHED = ['unmatched', 'offramp', 'wallet', 'all'] as const

/** Deposits that nobody expected, unless the address asks for others. */
export const depositsPage = (ctx: PageContext): Page => {
  const matched = enumParam(ctx, 'matched', MATCHED) ?? 'unmatched'
  const { deposits } = ctx.tables
  const selection = matched === 'all' ? ALL : ({ index: 'matched', key: matched } as const)
  const rows = pageOf(ctx, deposits, selection)
  return {
    title: 'Deposits',
    body: (
      <>
        <h1>Deposits</h1>
        <Panel title="Let crypto arrive">
          <AnyDepositForm ctx={ctx} />
        </Panel>
        <LiveRegion id="list">
          <nav class="statuses" aria-label="By what became of them">
            {MATCHED.map((it) => (
              <a
                href={addressWith(ctx, { matched: it, page: undefined })}
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
            <Nothing ctx={ctx} matched={matched} />
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
                    <StatusBadge status={it.matched} /> <DepositReason ctx={ctx} deposit={it} />{' '}
                    {it.transfer_id ? <TransferLink ctx={ctx} id={it.transfer_id} /> : null}
                  </td>
                  <td class="minor">
                    <Id id={it.id} />
                  </td>
                  <td class="minor">
                    <Time ctx={ctx} at={it.created_at} />
                  </td>
                </tr>
              ))}
            </DataTable>
          )}
          <Pager ctx={ctx} rows={rows} />
        </LiveRegion>
      </>
    ),
  }
}

const Nothing = ({ ctx, matched }: { ctx: PageContext; matched: (typeof MATCHED)[number] }) => {
  if (matched === 'offramp') {
    return (
      <EmptyList step={nextStepForTransfer(ctx)}>
        None. What arrives at the deposit address of an offramp is listed here.
      </EmptyList>
    )
  }
  if (matched === 'wallet') {
    return (
      <EmptyList step={nextStepForDeposit(ctx)}>
        None. What arrives at the address of a custody wallet is listed here.
      </EmptyList>
    )
  }
  return (
    <Empty command={strayCurl(ctx)}>
      None. What arrives at an address that nobody has, or as another token than expected, is kept
      here:
    </Empty>
  )
}

/** Whose address it is, also when what came there was not what it expects. */
const DepositReason = ({
  ctx,
  deposit: { address, reason },
}: {
  ctx: PageContext
  deposit: Deposit
}) => {
  const key = addressKey(address)
  const { instructions, wallets } = ctx.tables
  const owner = instructions.first('address', key) ?? wallets.first('address', key)
  const link = owner ? <UserLink ctx={ctx} id={owner.user_id} /> : null
  if (reason === null) return link
  return (
    <>
      {visible(reason)}
      {link ? <>. The address is of {link}</> : null}
    </>
  )
}

const strayCurl = (ctx: PageContext): string =>
  controlCurl(ctx, '/deposits', {
    address: '0x000000000000000000000000000000000000dEaD',
    amount: '5',
  })
