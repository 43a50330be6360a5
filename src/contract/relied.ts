import { type LoggedExchange, showExchange } from '../journal/exchange.js'
import type { Recording } from '../journal/recording.js'
import { type AssumptionId, assumptions } from './assumptions/index.js'
import { documentedErrors } from './errors.js'

/** An exchange as the request log shows it, with the assumptions that its answer relied on. */
export const showWithAssumptions = (recording: Recording): LoggedExchange => {
  const exchange = showExchange(recording)
  return { ...exchange, assumed: reliedOn(exchange) }
}

/** The assumptions that an answer shows, as `<id>=<reading>`. What a rule answered rests on none. */
export const reliedOn = (exchange: LoggedExchange): string[] => {
  if (exchange.fault !== null || exchange.status === null) return []
  const seen = seenIn(exchange)
  return (Object.keys(SHOWN) as AssumptionId[])
    .filter((id) => concerns(id, exchange) && SHOWN[id]?.(seen, exchange))
    .map((id) => `${id}=${assumptions[id].readings[0].name}`)
}

const concerns = (id: AssumptionId, { operation }: LoggedExchange): boolean => {
  const { operations } = assumptions[id] as { operations: readonly string[] }
  return operations.length === 0 || (operation !== null && operations.includes(operation))
}

type Fields = Readonly<Record<string, unknown>>

/** What tells which assumptions an answer relied on. */
interface Seen {
  readonly ok: boolean
  readonly status: number
  /** Of an error body. */
  readonly code: string
  readonly message: string
  readonly asked: Fields
  readonly answer: Fields
  /** Items of a list. */
  readonly items: readonly Fields[]
}

const fieldsOf = (body: unknown): Fields => (Object(body) === body ? (body as Fields) : {})

const seenIn = ({ status, request, response }: LoggedExchange): Seen => {
  const answer = fieldsOf(response.body)
  const lists = [response.body, ...Object.values(answer)].filter(Array.isArray)
  return {
    ok: (status ?? 500) < 400,
    status: status ?? 0,
    code: String(answer.code ?? ''),
    message: String(answer.message ?? ''),
    asked: fieldsOf(request.body),
    answer,
    items: (lists[0] ?? []).map(fieldsOf),
  }
}

type Test = (seen: Seen, exchange: LoggedExchange) => boolean

const answered: Test = ({ ok }) => ok
const withItems: Test = ({ ok, items }) => ok && items.length > 0
/** In the read of one transfer, and in lists that have some. */
const withTransfers: Test = (seen, exchange) =>
  exchange.operation === 'getTransferStatus' ? seen.ok : withItems(seen, exchange)
const refusedAs =
  (status: number, words: RegExp): Test =>
  (seen) =>
    seen.status === status && words.test(seen.message)
const someItem =
  (holds: (item: Fields) => boolean): Test =>
  ({ ok, items, answer }) =>
    ok && [...items, answer].some(holds)
const missing = refusedAs(400, /: nothing came/)

/** For each assumption that can show in an exchange, when it does. */
const SHOWN: { readonly [Id in AssumptionId]?: Test } = {
  'payout.missing_key': ({ code }) => code === '4030',
  'payout.repeat': (seen, { at }) =>
    (seen.ok && String(seen.answer.created_at) < at) || /^customer_payout_id/.test(seen.message),
  'payout.insufficient_balance': refusedAs(400, /the balance is/),
  'payout.no_balance': refusedAs(404, /^currency/),
  'payout.status': answered,
  'payout.statuses': ({ ok, answer }) => ok && answer.status !== 'PAYOUT_PROCESSED',
  'payout.fee': answered,
  'payout.rail': answered,
  'payout.no_rail': refusedAs(400, /no rail is there/),
  'payout.amount_scale': refusedAs(400, /^amount: .* decimals;/),
  'payout.amount_limits': refusedAs(400, /^amount: .* too large/),
  'payout.reference': ({ ok, answer }) => ok && answer.reference === null,
  'currency.case': refusedAs(400, /(^|\| )currency: "[A-Z]*[a-z]/),
  'user.gate': refusedAs(400, /only an active user/),
  'user.created_status': answered,
  'user.required': missing,
  'user.formats': refusedAs(400, /(?<!nothing) came; accepted/),
  'user.images': refusedAs(400, /as data URI/),
  'user.metadata': refusedAs(400, /(^|\| )metadata/),
  'user.consent': refusedAs(400, /^consent_id/),
  'user.sharing_consent': refusedAs(400, /^sharing_consent: false/),
  'user.duplicate_email': refusedAs(400, /^email_address: user/),
  'user.documents': someItem(({ documents }) => Array.isArray(documents) && documents.length > 0),
  'user.document_fields': refusedAs(400, /(^|\| )documents\.\d+\.\w+: nothing/),
  'user.paused': someItem(({ status }) => status === 'paused'),
  'user.rejection_reasons': someItem((user) => Array.isArray(user.rejection_reasons)),
  'user.requirements': someItem(({ requirements }) => Array.isArray(requirements)),
  'users.list': answered,
  'consent.created_status': answered,
  'consent.required': missing,
  'consent.declined': refusedAs(400, /tnc_accepted: false/),
  'consent.accepted_at': ({ ok, asked }, { at }) =>
    ok && String(fieldsOf(asked.tnc_data).accepted_at) > at,
  'wallet.created_status': ({ status }) => status === 201,
  'wallet.required': missing,
  'wallet.chain': refusedAs(400, /(^|\| )chain/),
  'wallet.repeat': ({ ok, status, message }) =>
    (ok && status === 200) || /^customer_wallet_ref/.test(message),
  'offramp.created_status': answered,
  'offramp.required': missing,
  'offramp.asset': answered,
  'offramp.address': answered,
  'offramp.listed': answered,
  'offramp.id': withItems,
  'offramp.fiat_amount': withItems,
  'offramp.foreign_account': refusedAs(404, /^account_id: user/),
  'audit.unknown_user': ({ status }) => status === 404,
  'audit.order': ({ ok, items }) => ok && items.length > 1,
  'audit.size': refusedAs(400, /(^|\| )size/),
  'audit.past_end': ({ ok, items, answer }) =>
    ok && items.length === 0 && Number(fieldsOf(answer.pagination).total_elements ?? 0) > 0,
  'audit.status_case': withItems,
  'audit.currency_case': withItems,
  'audit.masked_details': withTransfers,
  'transfer_audit.offramps': answered,
  'transfer_audit.target_amount': withItems,
  'transfer.transitions': answered,
  'transfer.fees_currency': withTransfers,
  'transfer.crypto_source': ({ ok, answer }) =>
    ok && JSON.stringify(answer).includes('"crypto_wallet"'),
  'transfer.unreached': ({ ok, answer }) =>
    ok && Object.entries(answer).some(([name, at]) => name.endsWith('_at') && at === null),
  'transfer.bank_reference': ({ ok, answer }) => ok && answer.bank_txn_reference === null,
  'transfer.unknown': ({ status }) => status === 404,
  'balance.total': answered,
  'balance.none': ({ ok, answer }) => ok && Object.values(answer).some((it) => Number(it) === 0),
  'balance.scale': answered,
  'crypto.unknown': ({ status }) => status === 400,
  'error.codes': ({ ok, code }) => !ok && !(code in documentedErrors),
  'path.unknown': ({ status }, { operation }) => operation === null && status === 404,
  'path.method': ({ status }) => status === 405,
  'path.trailing_slash': (_, { operation, path }) => operation === null && path.endsWith('/'),
  'path.head': ({ ok }, { method }) => ok && method === 'HEAD',
  'body.type': ({ status }) => status === 415,
  'body.size': ({ status }) => status === 413,
  'query.repeated': refusedAs(400, /it came \d+ times/),
}
