import { movementSentence, RECORD_TEXTS, userSentence } from '../../activity/record-sentences.js'
import { readStory } from '../../activity/story.js'
import { toUserResponse } from '../../contract/user.js'
import { maskNumber } from '../../domain/account-numbers.js'
import { fiatBalances } from '../../domain/balances.js'
import type { User } from '../../domain/schema.js'
import { fullName, getUser, USER_TRANSITIONS } from '../../domain/users.js'
import { formatAmount, formatMoney, pluralize } from '../../history/format.js'
import { type StatementRow, walkBack } from '../../history/statement.js'
import { drawButton, drawFolded } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import { drawTable, type Tab } from '../components/parts.js'
import { drawMoney, drawStatus, drawText, drawTime } from '../components/text.js'
import { drawTimeline } from '../components/timeline.js'
import { takePage } from '../filters.js'
import { type DrawPage, type PageContext, readingsOf } from '../page-context.js'
import { drawPager } from './list-page.js'
import { recordPage } from './record-page.js'
import { answerTab, futureSteps, pastSteps } from './story.js'

export const userPage: DrawPage = (ctx, { id: written = '' }) => {
  const user = getUser(ctx.tables, written.toLowerCase(), 'id')
  const { id, status } = user
  const story = readStory(ctx, 'users', user)
  const done = story.done.filter(({ event }) => event?.type.startsWith('user.') ?? true)
  const steps = [
    ...futureSteps(ctx, { id, status, operation: 'moveUser', moves: [] }),
    ...pastSteps(ctx, { story: { ...story, done } }),
  ]
  return recordPage(ctx, {
    id,
    list: { text: 'Users', path: '/users' },
    title: fullName(user),
    sentence: userSentence(user, done.findLast(({ event }) => event)?.cause, ctx.world.now),
    actions: drawActions(ctx, user),
    tabs: [...statementTabs(ctx, user), answerTab(toUserResponse(user, readingsOf(ctx)))],
    facts: [
      ['Email', html`<bdi>${user.email_address}</bdi>`],
      ['Phone', user.phone_number ?? 'none'],
      ['Born', user.date_of_birth ?? 'unknown'],
      ['Address', html`<bdi>${formatAddress(user)}</bdi>`],
      ['Created', drawTime(ctx, user.created_at)],
      ['Payments', drawPayments(ctx, id)],
    ],
    aside: html`
      <section class="section">
        <h2>Verification</h2>
        ${drawTimeline(ctx, steps)}
      </section>
      ${drawAccounts(ctx, user)}`,
  })
}

const formatAddress = ({ address: { line1, postal_code, city, country } }: User): string => {
  const town = [postal_code, city].filter(Boolean).join(' ')
  return [line1, town, country].filter(Boolean).join(', ') || 'unknown'
}

const USER_VERBS: Readonly<Record<User['status'], string>> = {
  active: 'Approve',
  rejected: 'Reject',
  incomplete: 'Ask for more',
  under_review: 'Review again',
  paused: 'Pause',
  offboarded: 'Offboard',
}

const toUserVerb = (status: User['status'], to: User['status']): string =>
  status === 'paused' && to === 'active' ? 'Resume' : USER_VERBS[to]

const USER_FORMS: Readonly<Partial<Record<User['status'], readonly string[]>>> = {
  rejected: ['reasons'],
  incomplete: ['requirements'],
  offboarded: [],
}

const drawActions = (ctx: PageContext, { id, status }: User): Html => {
  const moves = USER_TRANSITIONS[status].map((to) => {
    const move = { operation: 'moveUser', given: { id, status: to } }
    const verb = toUserVerb(status, to)
    const fields = USER_FORMS[to]?.map((name) => ({ name, isMultiline: true }))
    if (!fields)
      return drawButton(ctx, { ...move, kind: to === 'active' ? 'main' : undefined }, verb)
    const note = to === 'offboarded' ? RECORD_TEXTS.offboarded : undefined
    return drawFolded(ctx, { ...move, summary: verb, kind: 'danger', fields, note })
  })
  return [drawStatus(status), drawMoneyForms(ctx, id, status), moves]
}

const drawMoneyForms = (ctx: PageContext, id: string, status: User['status']): Html => {
  const [balance] = fiatBalances(ctx.tables, id)
  const accounts = ctx.tables.accounts.list('user', id)
  const credit = drawFolded(ctx, {
    operation: 'creditUser',
    given: { id },
    summary: 'Credit',
    fields: ['amount', { name: 'currency', value: balance?.currency ?? 'USD' }],
  })
  if (accounts.length === 0 || status !== 'active') return credit
  const options = accounts.map((it) => [it.id, `${it.nickname} (${it.currency})`] as const)
  const start = drawFolded(ctx, {
    operation: 'startTransfer',
    given: { user_id: id },
    summary: 'Start a transfer',
    fields: [
      { name: 'source_amount', label: 'Amount' },
      { name: 'source_currency', label: 'Currency', value: 'USD' },
      { name: 'account_id', label: 'To', options },
    ],
  })
  return [credit, start]
}

/** One statement per balance and wallet. Its tab shows the figure. */
const statementTabs = (ctx: PageContext, user: User): Tab[] => {
  const { world, tables, live } = ctx
  const wallets = tables.wallets.list('user', user.id)
  const accounts = [
    [`user:${user.id}`, 'Balance'],
    ...wallets.map(({ id, blockchain }) => [`wallet:${id}`, `Wallet on ${blockchain}`]),
  ] as const
  const tabs = accounts.flatMap(([account = '', title]) =>
    [...tables.balances.of(account)].map(([asset, { amount }]): Tab => {
      const figure = drawMoney(amount.toFixed(), asset)
      return {
        value: `${account}-${asset}`,
        text: html`<span class="note">${title}</span><br />${figure}`,
        body: () => drawStatement(ctx, walkBack(world, live, account, asset)),
      }
    }),
  )
  const none = () => html`<p class="note">${drawText(ctx, RECORD_TEXTS.noMoney)}</p>`
  return tabs.length > 0 ? tabs : [{ text: 'Balances', body: none }]
}

/** Movements with the balance after each, newest first. */
export const drawStatement = (ctx: PageContext, rows: Iterable<StatementRow>): Html => {
  const { records, hasMore } = takePage(ctx, rows)
  const table = drawTable('Statement', records, [
    { name: 'Time', cell: ({ at }) => (at === null ? 'earlier' : drawTime(ctx, at)) },
    { name: 'What', cell: (it) => drawMovement(ctx, it) },
    { name: 'Amount', kind: 'number', cell: drawSigned },
    { name: 'Balance after', kind: 'number', cell: (it) => formatAmount(it.balance, it.currency) },
  ])
  const text = hasMore ? RECORD_TEXTS.someMovements : RECORD_TEXTS.allMovements
  return [table, drawPager(ctx, hasMore, drawText(ctx, text))]
}

const drawSigned = ({ amount, currency }: StatementRow): Html =>
  `${amount.startsWith('-') ? '' : '+'}${formatAmount(amount, currency)}`

const drawMovement = (ctx: PageContext, row: StatementRow): Html => {
  const { what, fee, currency, payout_id } = row
  const reason = what === 'payout returned' && ctx.tables.payouts.get(payout_id ?? '')?.reason
  const notes = [fee && `with ${formatMoney(fee, currency)} fee`, reason].filter(Boolean)
  const note = notes.length > 0 && html`<br /><bdi class="note">${notes.join(', ')}</bdi>`
  return [drawText(ctx, movementSentence(ctx.tables, row)), note]
}

const drawPayments = ({ href, tables: { payouts, transfers } }: PageContext, id: string): Html => {
  const count = payouts.count('user', id) + transfers.count('user', id)
  return html`<a href="${href(`/payments?user_id=${id}`)}">${pluralize(count, 'payment')}</a>`
}

const drawAccounts = (ctx: PageContext, { id }: User): Html => {
  const register = drawFolded(ctx, {
    operation: 'registerAccount',
    given: { id },
    summary: 'Register',
    fields: [{ name: 'currency', value: 'EUR' }, 'account_number', 'bank_name', 'nickname'],
  })
  const accounts = ctx.tables.accounts.list('user', id).map(
    (it) => html`
      <p>
        <b><bdi>${it.nickname}</bdi></b>, ${it.currency} <code>${maskNumber(it.account_number)}</code>
        <br /><bdi class="note">${it.bank_name}</bdi>
      </p>`,
  )
  return html`
    <section class="section">
      <header><h2>Accounts</h2> ${register}</header>
      ${accounts}
    </section>`
}
