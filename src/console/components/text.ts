import { STATUS_CODES } from 'node:http'
import { type Prose, recordRef } from '../../activity/record-sentences.js'
import { readClockSetting } from '../../domain/clock.js'
import type { Transfer } from '../../domain/schema.js'
import {
  formatAmount,
  formatDuration,
  formatTime,
  indentJson,
  shortId,
  statusWord,
} from '../../history/format.js'
import { type Instant, toIso } from '../../kernel/time.js'
import type { PageContext } from '../page-context.js'
import { attributes, type Html, html } from './html.js'

export const drawText = (ctx: PageContext, prose: Prose): Html =>
  prose.map((it) => {
    if (typeof it === 'string') return it
    if ('amount' in it) return html`<b>${drawMoney(it.amount, it.asset)}</b>`
    if ('strong' in it) return html`<b>${it.strong}</b>`
    const title = attributes({ title: it.title })
    return html`<a href="${ctx.href(it.path)}"${title}><bdi>${it.text}</bdi></a>`
  })

export const drawUser = (ctx: PageContext, id: string): Html =>
  drawText(ctx, [recordRef(ctx.tables, id)])

/** A shortened id, with the whole id as its title. A click copies it. */
export const drawId = (id: string): Html =>
  html`<code class="id" title="${id}" data-copy="${id}">${shortId(id)}</code>`

/** A world time. The title has it in full, with the machine's time if the journal stored it. */
export const drawTime = (ctx: PageContext, at: string, machine?: number): Html => {
  const title = machine === undefined ? at : `${at}; machine time ${toIso(Math.floor(machine))}`
  return html`<time datetime="${at}" title="${title}">${formatTime(at, ctx.world.now)}</time>`
}

/** The time of the world. A script moves it while the clock runs. */
export const drawNow = ({ world: { now, tables } }: PageContext): Html =>
  html`<time data-now="${now}" data-speed="${readClockSetting(tables).speed}">${toIso(now).slice(11, 19)}</time>`

/** The time until `due`. A script counts it down while the clock runs. */
export const drawUntil = (ctx: PageContext, due: Instant): Html =>
  html`<span data-due="${due}">${formatDuration(Math.max(due - ctx.world.now, 0))}</span>`

export const drawMoney = (amount: string, asset: string, sign: '+' | '−' | '' = ''): Html => {
  const [symbol = asset] = asset.split('@')
  const figure = formatAmount(amount, asset)
  return html`<span class="money">${sign}${figure} <small>${symbol}</small></span>`
}

export const drawConversion = (it: Transfer): Html =>
  html`${drawMoney(it.source_amount, it.source_currency)} → ${drawMoney(it.destination_amount, it.target_currency)}`

/** A mark before a word: dashed is not yet, a pie is under way, a disc is done, a cross is failed. */
const MARKS = {
  pending: ['PENDING', 'PAYOUT_PENDING', 'under_review', 'incomplete'],
  'part-1': ['FUNDS_RECEIVED'],
  'part-2': ['CONVERSION_PROCESSED'],
  'part-3': ['PAYMENT_SUBMITTED'],
  done: ['PAYMENT_PROCESSED', 'PAYOUT_PROCESSED', 'active', 'ACTIVE', 'offramp', 'wallet'],
  failed: ['FAILED', 'PAYOUT_FAILED', 'rejected', 'unmatched'],
  cancelled: ['CANCELLED', 'paused', 'suspended', 'expired', 'offboarded', 'deactivated'],
}

export const markOf = (status: string): string =>
  Object.entries(MARKS).find(([, statuses]) => statuses.includes(status))?.[0] ?? ''

export const drawStatus = (status: string): Html =>
  html`<span class="status ${markOf(status)}" title="${status}">${statusWord(status)}</span>`

/** `not found` for 404 */
export const codeName = (status: number): string => STATUS_CODES[status]?.toLowerCase() ?? 'error'

/** An HTTP status, with its name if that is asked for; null while the request runs and after a cut connection. */
export const drawCode = (status: number | null, isPending = false, isNamed = false): Html => {
  const code = status ?? (isPending ? 0 : 500)
  const kind = code >= 500 ? 'chip bad' : code >= 400 ? 'chip warn' : 'note'
  const name = isNamed && code >= 400 && status !== null && ` ${codeName(code)}`
  return html`<code class="${kind}">${status ?? (isPending ? 'running' : 'no answer')}${name}</code>`
}

const JSON_NAME = /("(?:[^"\\\n]|\\.)*")(?=: )/

export const drawJson = (text: string, label: string): Html => {
  const parts = indentJson(text)
    .split(JSON_NAME)
    .map((part, i) => (i % 2 === 1 ? html`<span class="id">${part}</span>` : part))
  return html`<section class="json" tabindex="0" aria-label="${label}"><pre>${parts}</pre></section>`
}
