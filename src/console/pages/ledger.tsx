import { formatBalance } from '../../domain/ledger.js'
import { Decimal, isZero, ZERO } from '../../domain/money.js'
import type { EntryPostings } from '../../history/statement.js'
import { findPostings } from '../../history/statement.js'
import type { LiveWorld } from '../../runtime/live-world.js'
import { inPlace, Text, Time } from '../components/links.js'
import { Money } from '../components/money.js'
import { Table } from '../components/table.js'
import { ACCOUNT_KINDS, accountName, auditedAt, ledgerSentence } from '../control-sentences.js'
import { addressWith, param, ROWS } from '../filters.js'
import { escapeBidi, formatAmount, pluralize } from '../format.js'
import { type LedgerAudit, lastAudit, runAuditInSlices } from '../ledger-audit.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { movementSentence } from '../sentences.js'

const MAX_VIOLATIONS = 100

export const ledgerPage: DrawPage = async (ctx) => {
  const known = lastAudit(ctx)
  const isNew = known?.seq === ctx.live.journal.newest && param(ctx, 'again') === undefined
  const { report } = isNew ? known : await runAuditInSlices(ctx)
  const { ok, assets, violations } = report
  const kinds = ACCOUNT_KINDS.filter((kind) =>
    assets.some(({ accounts }) => !isZero(accounts[kind] ?? '0')),
  )
  return {
    title: 'Ledger',
    body: (
      <>
        <div class="head">
          <div>
            <h1>Ledger</h1>
            <p class="sentence">
              <Text ctx={ctx} prose={ledgerSentence(violations.length)} />
            </p>
          </div>
          <div class="row">
            <span class={`mark ${ok ? 'done' : 'failed'}`}>
              {auditedAt(ctx.world.now, assets.length)}
            </span>
            <a class="button" href={addressWith(ctx, { again: '1' })}>
              Audit again
            </a>
          </div>
        </div>
        {violations.length > 0 ? (
          <ul class="callout bad">
            {violations.slice(0, MAX_VIOLATIONS).map((it) => (
              <li>{escapeBidi(it)}</li>
            ))}
          </ul>
        ) : null}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section class="scroll" tabindex={0} aria-label="Balances of the ledger">
          <Table
            label="Assets by kind of account"
            rows={assets}
            columns={[
              { name: 'Asset', cell: ({ asset }) => <Asset asset={asset} /> },
              ...kinds.map((kind) => ({
                name: accountName(kind),
                kind: 'number' as const,
                cell: (it: AssetReport) => <Figure ctx={ctx} kind={kind} report={it} />,
              })),
              {
                name: 'Sum',
                kind: 'number',
                cell: ({ sum }) => <span class="note">{formatSigned(sum)}</span>,
              },
            ]}
          />
        </section>
        <Postings ctx={ctx} assets={assets} />
      </>
    ),
  }
}

type AssetReport = LedgerAudit['report']['assets'][number]

const Asset = ({ asset }: { asset: string }) => {
  const [symbol, chain] = asset.split('@')
  return (
    <b>
      {symbol} {chain ? <small>{chain}</small> : null}
    </b>
  )
}

const formatSigned = (amount: string): string => amount.replace('-', '−')

/** Zeros are blank. The others lead to their postings. */
const Figure = ({
  ctx,
  kind,
  report: { asset, accounts },
}: {
  ctx: PageContext
  kind: string
  report: AssetReport
}) => {
  const amount = accounts[kind] ?? '0'
  if (isZero(amount)) return null
  const isOpen = param(ctx, 'asset') === asset && param(ctx, 'account') === kind
  const to = addressWith(ctx, { asset, account: kind, again: undefined })
  return (
    <a {...inPlace(`${to}#postings`)} aria-current={isOpen ? 'true' : undefined}>
      {formatSigned(formatAmount(amount, asset))}
    </a>
  )
}

interface PostingRow extends EntryPostings {
  readonly amount: Decimal
  readonly balance: Decimal
}

const found = new WeakMap<LiveWorld, { readonly key: string; readonly rows: PostingRow[] }>()

/** Newest first. The journal is long, so the rows are kept until it grows. */
const readRows = (ctx: PageContext, kind: string, asset: string, total: string): PostingRow[] => {
  const { live } = ctx
  const key = `${live.journal.newest} ${kind} ${asset}`
  const known = found.get(live)
  if (known?.key === key) return known.rows
  const isOwn = (account: string) => account.split(':', 1)[0] === kind
  let balance = new Decimal(total)
  const rows: PostingRow[] = []
  for (const it of findPostings(live.journal.all(), live.beginning, isOwn).reverse()) {
    const amount = it.postings
      .filter((posting) => posting.asset === asset)
      .reduce((sum, { from, to, amount }) => {
        const arrived = isOwn(to) ? sum.plus(amount) : sum
        return isOwn(from) ? arrived.minus(amount) : arrived
      }, ZERO)
    if (amount.eq(ZERO)) continue
    rows.push({ ...it, amount, balance })
    balance = balance.minus(amount)
  }
  found.set(live, { key, rows })
  return rows
}

const Postings = ({ ctx, assets }: { ctx: PageContext; assets: readonly AssetReport[] }) => {
  const kind = param(ctx, 'account')
  const report = assets.find(({ asset }) => asset === param(ctx, 'asset'))
  const total = report?.accounts[kind ?? '']
  if (!report || kind === undefined || total === undefined) return null
  const { asset } = report
  const rows = readRows(ctx, kind, asset, total)
  const format = (amount: Decimal) =>
    formatSigned(formatAmount(formatBalance(ctx.tables, asset, amount), asset))
  const shown = rows.slice(0, ROWS)
  return (
    <section class="section" id="postings">
      <header>
        <h2>
          <Asset asset={asset} /> {accountName(kind).toLowerCase()}:{' '}
          <Money amount={formatSigned(total)} asset={asset} />
        </h2>
        <small>
          {rows.length > ROWS ? `The newest ${ROWS} of ` : ''}
          {pluralize(rows.length, 'movement')}, newest first
        </small>
      </header>
      <Table
        label="Postings"
        rows={shown}
        columns={[
          { name: 'Time', cell: ({ entry }) => <Time ctx={ctx} at={entry.at} /> },
          {
            name: 'What',
            kind: 'reason',
            cell: (row) => <Text ctx={ctx} prose={movementSentence(ctx.tables, toMovement(row))} />,
          },
          { name: 'Entry', kind: 'minor number', cell: ({ entry }) => entry.seq },
          {
            name: 'Amount',
            kind: 'number',
            cell: ({ amount }) => `${amount.gt(ZERO) ? '+' : ''}${format(amount)}`,
          },
          { name: 'Balance after', kind: 'number', cell: ({ balance }) => format(balance) },
        ]}
      />
    </section>
  )
}

const toMovement = ({ subject, entry }: PostingRow) => {
  const [noun = '', id = ''] = subject.split(':')
  const isOpening = noun === 'credit' && entry.cause.kind === 'fixtures'
  const isReturn = noun === 'payout' && entry.events.some(({ to }) => to === 'PAYOUT_FAILED')
  return {
    what: isOpening ? 'opening' : isReturn ? 'payout returned' : noun,
    payout_id: noun === 'payout' ? id : null,
    transfer_id: noun === 'transfer' ? id : null,
  } as Parameters<typeof movementSentence>[1]
}
