import { Decimal, isZero } from '../../domain/money.js'
import { type EntryPostings, findPostings, walkBack } from '../../history/statement.js'
import type { LiveWorld } from '../../runtime/live-world.js'
import { Head } from '../components/head.js'
import { inPlace } from '../components/links.js'
import { Table } from '../components/table.js'
import { ACCOUNT_KINDS, accountName, auditedText, ledgerSentence } from '../control-sentences.js'
import { addressWith, param } from '../filters.js'
import { escapeBidi, formatAmount } from '../format.js'
import { currentAudit, type LedgerAudit, runAuditInSlices } from '../ledger-audit.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { Statement } from './user.js'

const MAX_VIOLATIONS = 100

export const ledgerPage: DrawPage = async (ctx) => {
  const { live } = ctx
  const known = param(ctx, 'again') === undefined ? currentAudit(live) : undefined
  const { report, seq } = known ?? (await runAuditInSlices(ctx))
  const { ok, assets, violations } = report
  const kinds = ACCOUNT_KINDS.filter((kind) =>
    assets.some(({ accounts }) => !isZero(accounts[kind] ?? '0')),
  )
  return {
    title: 'Ledger',
    body: (
      <>
        <Head ctx={ctx} title="Ledger" sentence={ledgerSentence(violations.length)}>
          <span class={`mark ${ok ? 'done' : 'failed'}`}>
            {auditedText(assets.length, live.journal.newest - seq)}
          </span>
          <a class="button" href={addressWith(ctx, { again: '1' })}>
            Audit again
          </a>
        </Head>
        {violations.length > 0 ? (
          <ul class="callout bad">
            {violations.slice(0, MAX_VIOLATIONS).map((it) => (
              <li>{escapeBidi(it)}</li>
            ))}
          </ul>
        ) : null}
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
        <Postings ctx={ctx} assets={assets} seq={seq} />
      </>
    ),
  }
}

type AssetReport = LedgerAudit['report']['assets'][number]

const Asset = ({ asset }: { asset: string }) => {
  const [symbol, chain] = escapeBidi(asset).split('@')
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
  const to = addressWith(ctx, { asset, account: kind, again: undefined, page: undefined })
  return (
    <a {...inPlace(`${to}#postings`)} aria-current={isOpen ? 'true' : undefined}>
      {formatSigned(formatAmount(amount, asset))}
    </a>
  )
}

/** As of the audit, so a journal that grows is not searched again. */
const kept = new WeakMap<LiveWorld, { readonly key: string; readonly postings: EntryPostings[] }>()

const readPostings = ({ live }: PageContext, kind: string, asset: string, seq: number) => {
  const key = `${seq} ${kind} ${asset}`
  const known = kept.get(live)
  if (known?.key === key) return known.postings
  const all = findPostings(live.journal.all(), live.beginning, kind, asset)
  const postings = all.filter(({ entry }) => entry.seq <= seq)
  kept.set(live, { key, postings })
  return postings
}

const Postings = ({
  ctx,
  assets,
  seq,
}: {
  ctx: PageContext
  assets: readonly AssetReport[]
  seq: number
}) => {
  const [kind, asset] = [param(ctx, 'account') ?? '', param(ctx, 'asset') ?? '']
  const total = assets.find((it) => it.asset === asset)?.accounts[kind]
  if (total === undefined) return null
  const postings = readPostings(ctx, kind, asset, seq)
  const rows = walkBack(ctx.tables, kind, asset, postings, new Decimal(total))
  return (
    <section class="section" id="postings">
      <h2>
        <Asset asset={asset} /> {accountName(kind).toLowerCase()}:{' '}
        {formatSigned(formatAmount(total, asset))}
      </h2>
      <Statement ctx={ctx} rows={rows} />
    </section>
  )
}
