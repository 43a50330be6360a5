import { ACCOUNT_NAMES, auditedText, ledgerSentence } from '../../activity/control-sentences.js'
import { currentAudit, type LedgerAudit, runAuditInSlices } from '../../activity/last-audit.js'
import { Decimal, isZero } from '../../domain/money.js'
import { formatAmount } from '../../history/format.js'
import { walkBack } from '../../history/statement.js'
import { attributes, type Html, html } from '../components/html.js'
import { drawHead, drawTable, inPlace } from '../components/parts.js'
import { addressWith, param } from '../filters.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { drawStatement } from './user.js'

const MAX_VIOLATIONS = 100

export const ledgerPage: DrawPage = async (ctx) => {
  const { live } = ctx
  const known = param(ctx, 'again') === undefined ? currentAudit(live) : undefined
  const { report, seq } = known ?? (await runAuditInSlices(live))
  const { ok, assets, violations } = report
  const audited = auditedText(assets.length, live.journal.newest - seq)
  const kinds = Object.entries(ACCOUNT_NAMES).filter(([kind]) =>
    assets.some((it) => !isZero(it.accounts[kind] ?? '0')),
  )
  const table = drawTable('Assets by kind of account', assets, [
    { name: 'Asset', cell: ({ asset }) => drawAsset(asset) },
    ...kinds.map(([kind, name]) => ({
      name,
      kind: 'number' as const,
      cell: (it: AssetReport) => drawFigure(ctx, kind, it),
    })),
    {
      name: 'Sum',
      kind: 'number',
      cell: ({ sum }) => html`<span class="note">${sum}</span>`,
    },
  ])
  const head = drawHead(ctx, {
    title: 'Ledger',
    sentence: ledgerSentence(violations.length),
    actions: html`
      <span class="mark ${ok ? 'done' : 'failed'}">${audited}</span>
      <a class="button" href="${addressWith(ctx, { again: '1' })}">Audit again</a>`,
  })
  const errors = violations.slice(0, MAX_VIOLATIONS).map((it) => html`<li>${it}</li>`)
  return {
    title: 'Ledger',
    body: html`
      ${head}
      ${errors.length > 0 && html`<ul class="callout bad">${errors}</ul>`}
      <section class="scroll" tabindex="0" aria-label="Balances of the ledger">${table}</section>
      ${drawPostings(ctx, assets, seq)}`,
  }
}

type AssetReport = LedgerAudit['report']['assets'][number]

const drawAsset = (asset: string): Html => {
  const [symbol, chain] = asset.split('@')
  return html`<b>${symbol} ${chain && html`<small>${chain}</small>`}</b>`
}

/** Zeros are blank. The others lead to their postings. */
const drawFigure = (ctx: PageContext, account: string, { asset, accounts }: AssetReport): Html => {
  const amount = accounts[account] ?? '0'
  if (isZero(amount)) return ''
  const isOpen = param(ctx, 'asset') === asset && param(ctx, 'account') === account
  const to = addressWith(ctx, { asset, account, again: undefined, page: undefined })
  const given = { ...inPlace(`${to}#postings`), 'aria-current': isOpen && 'true' }
  return html`<a${attributes(given)}>${formatAmount(amount, asset)}</a>`
}

const drawPostings = (ctx: PageContext, assets: readonly AssetReport[], seq: number): Html => {
  const [kind, asset] = [param(ctx, 'account') ?? '', param(ctx, 'asset') ?? '']
  const total = assets.find((it) => it.asset === asset)?.accounts[kind]
  if (total === undefined) return ''
  const rows = walkBack(ctx.world, ctx.live, kind, asset, { seq, balance: new Decimal(total) })
  const figure = formatAmount(total, asset)
  return html`
    <section class="section scroll" id="postings">
      <h2>${drawAsset(asset)} ${ACCOUNT_NAMES[kind]?.toLowerCase()}: ${figure}</h2>
      ${drawStatement(ctx, rows)}
    </section>`
}
