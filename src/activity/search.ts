import { addressKey } from '../domain/addresses.js'
import type { Deposit, Payout, Tables, Transfer, User, Wallet } from '../domain/schema.js'
import { fullName } from '../domain/users.js'
import { formatMoney } from '../history/format.js'
import type { LogRecord } from '../history/log-record.js'
import { forEachChange } from '../kernel/command-record.js'
import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'
import { accumulate } from './accumulate.js'
import { payoutTitle, transferTitle } from './record-sentences.js'
import type { View } from './view.js'

export type Texts = readonly (string | null | undefined)[]

const NUMBER = /^[\d,.]+$/
const AMOUNT = /^\d{1,9}$|^\d+\.\d+$/

/** A test for a typed text. A typed amount may contain commas. */
export const createMatcher = (typed: string, kind?: RegExp): ((texts: Texts) => boolean) => {
  const text = NUMBER.test(typed) ? typed.replaceAll(',', '') : typed
  // Texts in lower case would cost more than the search.
  const sought = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
  return (texts) => texts.some((it) => it != null && sought.test(it) && (!kind || kind.test(it)))
}

export const userTexts = (it: User) => [it.id, fullName(it), it.email_address, it.phone_number]

export const payoutTexts = (tables: Tables, it: Payout) => [
  it.id,
  it.customer_payout_id,
  it.amount,
  it.currency,
  it.reference,
  it.reason,
  it.account_details.bank_name,
  it.account_details.account_holder_name,
  it.account_details.recipient_account_number,
  nameOf(tables, it.user_id),
]

export const transferTexts = (tables: Tables, it: Transfer) => {
  const { id, source_amount, destination_amount, bank_txn_reference, reason } = it
  const bank = tables.accounts.get(it.account_id)?.bank_name
  const own = [id, source_amount, destination_amount, bank_txn_reference, reason]
  return [...own, it.source_currency, it.target_currency, bank, nameOf(tables, it.user_id)]
}

export const depositTexts = (tables: Tables, it: Deposit) => {
  const { id, amount, crypto, chain, address, reason } = it
  return [id, amount, crypto, chain, address, reason, nameOf(tables, findOwner(tables, it))]
}

export const walletTexts = (tables: Tables, it: Wallet) => [
  ...[it.id, it.wallet_address, it.blockchain, it.customer_wallet_ref],
  nameOf(tables, it.user_id),
]

/** The user of the address, even if it expects another token. */
export const findOwner = (tables: Tables, { address, user_id }: Deposit): string | null => {
  const key = addressKey(address)
  const { instructions, wallets } = tables
  const owner = instructions.first('address', key) ?? wallets.first('address', key)
  return user_id ?? owner?.user_id ?? null
}

export const nameOf = (tables: Tables, user_id: string | null): string | undefined => {
  const user = tables.users.get(user_id ?? '')
  return user && fullName(user)
}

export const HIT_NOUNS = [
  'users',
  'payouts',
  'transfers',
  'deposits',
  'wallets',
  'requests',
  'pages',
] as const

/** The pages of the console, by path. */
export const PAGES = {
  '/': 'Activity',
  '/payments': 'Payments',
  '/users': 'Users',
  '/ledger': 'Ledger',
  '/control': 'Faults and time',
  '/worlds': 'Worlds',
  '/questions': 'Open questions',
  '/connect': 'Connect: base URL, API keys, reference',
} as const

/** The texts of each payment in one: to look at the fields of 100,000 takes three times as long. */
class PaymentTexts<R extends Payout | Transfer> {
  readonly #places = new Map<string, number>()
  readonly #payments: R[] = []
  readonly #texts: string[] = []

  set(payment: R, texts: Texts): void {
    const place = this.#places.get(payment.id) ?? this.#payments.length
    this.#places.set(payment.id, place)
    this.#payments[place] = payment
    this.#texts[place] = [...texts, payment.status].join('\n')
  }

  /** The newest first. */
  *find(has: (texts: Texts) => boolean, most: number): Generator<R> {
    const { length } = this.#texts
    for (let place = length - 1; place >= Math.max(0, length - most); place--)
      if (has([this.#texts[place]])) yield this.#payments[place] as R
  }
}

const readTexts = <R extends Payout | Transfer>(
  noun: 'payouts' | 'transfers',
  textsOf: (tables: Tables, payment: R) => Texts,
) =>
  accumulate(
    ({ tables }) => {
      const texts = new PaymentTexts<R>()
      for (const it of [...tables[noun].newestFirst()].reverse() as R[])
        texts.set(it, textsOf(tables, it))
      return texts
    },
    (texts, entry, { tables }) =>
      forEachChange(entry, noun, (_, it) => it && texts.set(it as R, textsOf(tables, it as R))),
  )

const TEXTS = {
  payouts: readTexts('payouts', payoutTexts),
  transfers: readTexts('transfers', transferTexts),
}

type Found<N> = Generator<N extends 'payouts' ? Payout : Transfer>

/** Of the newest payments those that may have all words, in nearly the order of the list. */
export function* findPayments<N extends keyof typeof TEXTS>(
  view: View,
  noun: N,
  words: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Found<N> {
  const matchers = words.map((it) => createMatcher(it))
  const has = (texts: Texts) => matchers.every((it) => it(texts))
  yield* TEXTS[noun](view).find(has, most) as Found<N>
}

export interface Hit {
  readonly noun: (typeof HIT_NOUNS)[number]
  /** Of a page, its path. */
  readonly id: string
  readonly title: string
  readonly status: string | null
}

/** A search in more records of a table would delay the answer. */
export const MAX_SEARCHED = 20_000

/** The newest records, requests and pages that have all words of a text, at most `most` of each noun. */
export function* search(view: View, text: string, most: number): Generator<void, Hit[]> {
  const words = text.trim().split(/\s+/)
  const records = yield* findRecords(view, words, most)
  const requests = yield* view.live.requests.take({}, 0, most, text)
  return [...records, ...requests.map(toHit), ...findPages(words)]
}

const findPages = (words: readonly string[]): Hit[] => {
  const matchers = words.map((it) => createMatcher(it))
  return Object.entries(PAGES).flatMap(([id, title]) =>
    matchers.every((has) => has([title])) ? [{ noun: 'pages', id, title, status: null }] : [],
  )
}

/** Of a number that no amount has: most ids contain any shorter one. */
const MIN_DIGITS = 4

/** An id finds its record, however old. A number finds ids only if no amount has it. */
function* findRecords(view: View, words: readonly string[], most: number): Generator<void, Hit[]> {
  const { tables } = view
  const numbers = words.filter((it) => NUMBER.test(it))
  const matchers = words.map((it) =>
    createMatcher(it, numbers.includes(it) && it.length < MIN_DIGITS ? AMOUNT : undefined),
  )
  const inAmounts = numbers.map((it) => createMatcher(it, AMOUNT))
  const hits: Hit[] = []
  const inIds: Hit[] = []
  const find = <R extends Row & { readonly status?: string }>(
    noun: Hit['noun'],
    table: Table<R>,
    textsOf: (record: R) => (string | null | undefined)[],
    titleOf: (record: R) => string,
    records: Iterable<R> = table.newestFirst(),
  ): void => {
    const toHit = (it: R): Hit => ({
      ...{ noun, id: it.id, title: titleOf(it) },
      status: it.status ?? null,
    })
    const named = table.get(words.join('').toLowerCase())
    if (named) {
      hits.push(toHit(named))
      return
    }
    let rest = MAX_SEARCHED
    const found: [Hit[], Hit[]] = [[], []]
    for (const record of records) {
      if (rest-- === 0 || found[0].length === most) break
      const texts = textsOf(record)
      texts.push(record.status)
      if (!matchers.every((has) => has(texts))) continue
      const place = inAmounts.every((has) => has(texts)) ? 0 : 1
      if (found[place].length < most) found[place].push(toHit(record))
    }
    hits.push(...found[0])
    inIds.push(...found[1])
  }
  find('users', tables.users, userTexts, fullName)
  yield
  const payouts = findPayments(view, 'payouts', words, MAX_SEARCHED)
  find('payouts', tables.payouts, (it) => payoutTexts(tables, it), payoutTitle, payouts)
  yield
  const transfers = findPayments(view, 'transfers', words, MAX_SEARCHED)
  find('transfers', tables.transfers, (it) => transferTexts(tables, it), transferTitle, transfers)
  yield
  const depositTitle = (it: Deposit) => `Deposit of ${formatMoney(it.amount, it.crypto)}`
  find('deposits', tables.deposits, (it) => depositTexts(tables, it), depositTitle)
  yield
  const walletTitle = ({ blockchain, user_id }: Wallet) =>
    `Wallet of ${nameOf(tables, user_id)} on ${blockchain}`
  find('wallets', tables.wallets, (it) => walletTexts(tables, it), walletTitle)
  return hits.length > 0 ? hits : inIds
}

const toHit = ({ id, method, operation, path, status }: LogRecord): Hit => ({
  noun: 'requests',
  id,
  title: `${method} ${operation?.id ?? path}`,
  status: status === null ? null : String(status),
})
