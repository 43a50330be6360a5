import { fiatBalances } from '../../domain/balances.js'
import type { NamedFixtures } from '../../domain/fixture-names.js'
import { Decimal } from '../../domain/money.js'
import type { Tables } from '../../domain/schema.js'
import { isDelivered } from '../../history/delivered.js'
import type { PaidTwice } from '../../history/paid-twice.js'
import type { Row } from '../../kernel/row.js'
import { truncate } from '../../lib/text.js'
import { readOfframp, readRecord } from '../evaluate/field-access.js'
import { parseDecimal } from '../language/comparison.js'
import type { Conditions } from '../language/conditions.js'
import type { Counted } from '../language/expectations.js'
import type { Noun } from '../language/fields.js'
import { createFieldReader, type FieldReader } from '../language/match.js'
import { type CreationOrder, type OrderKey, SHOWN } from './creation-order.js'
import { type LoggedRequest, readExchange } from './logged-request.js'

/** The records and exchanges that expectations are about. */
export interface VerificationInput {
  readonly tables: Tables
  readonly names: NamedFixtures
  /** The lowest number of a record that is not from the fixtures. */
  readonly firstOwn: (noun: Noun) => number
  readonly exchanges: () => readonly LoggedRequest[]
  /** Evicted exchanges; infinite if the log is off. */
  readonly evictedCount: number
  readonly order: () => CreationOrder
  /** The steps of a rule, `<scenario>/<rule>`; none if the world no longer has it. */
  readonly findSteps: (rule: string) => readonly object[]
  readonly fired: () => readonly { readonly rule: string; readonly times: number }[]
  readonly paidTwice: () => PaidTwice
  /** True if the client failed visibly, so it need not repair anything. */
  readonly isExcused?: boolean
}

/** An item that expectations count: a record, or an exchange of the request log. */
export interface Subject {
  readonly noun: Counted
  readonly id: string
  /** A short name for reports. */
  readonly what: string
  /** Amount, client id, the request that created it, and the last response about it. */
  readonly detail?: () => readonly string[]
  readonly reader: FieldReader
  /** The time of one of these statuses, else of the creation. Called only if order matters. */
  readonly moment: (statuses: readonly string[]) => OrderKey
  readonly hasReached: (status: string) => boolean
}

export const singular = (noun: Counted): string => noun.slice(0, -1)

export const sumOf = (things: readonly Subject[], field: string): string =>
  things
    .reduce((sum, { reader }) => sum.plus(parseDecimal(reader(field)) ?? 0), new Decimal(0))
    .toFixed()

/** Records since the fixtures, oldest first. With `shown` also fixtures that changed. */
export const listSubjects = (
  noun: Counted,
  { shown }: Conditions,
  input: VerificationInput,
): Subject[] => {
  if (noun === 'requests') return listRequests(input)
  return noun === 'balances' ? listBalances(input) : listRecords(noun, shown !== undefined, input)
}

/** Balances are sums: all of them count, and they have no time. */
const listBalances = ({ tables }: VerificationInput): Subject[] =>
  tables.users.all().flatMap((user) =>
    fiatBalances(tables, user.id).map(({ currency, amount }) => ({
      noun: 'balances' as const,
      id: `${user.id}/${currency}`,
      what: `balance of ${user.first_name} ${user.last_name}, ${amount} ${currency}`,
      reader: createFieldReader({ user_id: user.id, currency, amount, user }),
      moment: () => [0, 0] as const,
      hasReached: () => false,
    })),
  )

const listRecords = (noun: Noun, isShown: boolean, input: VerificationInput): Subject[] => {
  const { tables, firstOwn, order, exchanges } = input
  const first = firstOwn(noun)
  const readerIn = noun === 'offramps' ? readOfframp : readRecord
  return tables[noun]
    .all()
    .filter(({ n, id }) => n >= first || (isShown && order().ofRecord(noun, id)[0] > 0))
    .map((record) => {
      const { id } = record
      const reader = readerIn(tables, record)
      return {
        noun,
        id,
        what: [singular(noun), shortId(id), describeState(reader)].filter(Boolean).join(' '),
        detail: () => {
          const [entry] = order().ofRecord(noun, id)
          return [
            ...describeMoney(reader),
            ...describeClientId(reader),
            ...describeCreator(entry, exchanges()),
            ...describeLastResponse(id, input),
          ]
        },
        reader: (field) => (field === 'shown' ? order().listReached(SHOWN, id) : reader(field)),
        moment: (statuses) =>
          isShown && statuses.length > 0
            ? order().ofStatus(SHOWN, id, statuses)
            : findMoment(noun, record, statuses, order()),
        hasReached: (status) => hasReached(noun, record, status, order()),
      }
    })
}

type Stated = Row & { readonly transfer_id?: string | null }

const findMoment = (
  noun: Noun,
  record: Stated,
  statuses: readonly string[],
  order: CreationOrder,
): OrderKey => {
  if (statuses.length === 0) return order.ofRecord(noun, record.id)
  const { table, id, word } = findOwner(noun, record)
  return order.ofStatus(table, id, statuses.map(word))
}

const hasReached = (noun: Noun, record: Stated, status: string, order: CreationOrder): boolean => {
  const { table, id, word } = findOwner(noun, record)
  return order.listReached(table, id)?.includes(word(status)) ?? false
}

/** The status of an offramp is that of its transfer, in upper case there. */
const findOwner = (noun: Noun, { id, transfer_id }: Stated) =>
  noun === 'offramps'
    ? { table: 'transfers', id: transfer_id ?? '', word: (it: string) => it.toUpperCase() }
    : { table: noun, id, word: (it: string) => it }

const shortId = (id: string): string => truncate(id, 8)

/** The field that says most about the state of a record. */
const describeState = (reader: FieldReader): string => {
  const state = reader('status') ?? reader('matched')
  return typeof state === 'string' ? state : ''
}

const describeMoney = (reader: FieldReader): string[] => {
  const amount = reader('amount') ?? reader('source_amount')
  const unit = reader('currency') ?? reader('source_currency') ?? reader('crypto')
  return amount === undefined ? [] : [[amount, unit].filter(Boolean).join(' ')]
}

const describeClientId = (reader: FieldReader): string[] => {
  const id = reader('customer_payout_id')
  return typeof id === 'string' ? [`customer_payout_id ${id}`] : []
}

/** The request that created an entry, if the log still has it. */
const describeCreator = (entry: number, exchanges: readonly LoggedRequest[]): string[] => {
  const maker = exchanges.find(
    ({ entries }) => entries && entries.from <= entry && entry <= entries.to,
  )
  return maker ? [`made by request ${maker.n}`] : []
}

/** The newest response that showed a record: the client knows no more of it. */
const describeLastResponse = (id: string, input: VerificationInput): string[] => {
  const last = input
    .exchanges()
    .findLast((it) => isDelivered(it) && it.shown.some(([shownId]) => shownId === id))
  return last ? [`last shown by ${describeExchange(last, input)}`] : []
}

const listRequests = (input: VerificationInput): Subject[] =>
  input.exchanges().map((exchange) => ({
    noun: 'requests',
    id: exchange.id,
    get what() {
      return describeExchange(exchange, input)
    },
    detail: () => {
      const reader = createFieldReader(Object(exchange.request.body))
      return [...describeMoney(reader), ...describeClientId(reader)]
    },
    reader: readExchange(exchange),
    moment: () => input.order().ofExchange(exchange),
    hasReached: () => false,
  }))

const MAX_TEXT = 200

/** `request 3, createPayout: 503 5030 Service unavailable; wait and retry by flaky-gateway/1` */
const describeExchange = (exchange: LoggedRequest, input: VerificationInput): string => {
  const { n, operation, method, target, fault, aborted_ms } = exchange
  const by = fault === null ? '' : ` by ${fault}`
  const aborted = aborted_ms === null ? '' : `, aborted by the client after ${aborted_ms} ms`
  const call = operation ?? `${method} ${truncate(target, MAX_TEXT)}`
  return `request ${n}, ${call}: ${describeResult(exchange, input)}${by}${aborted}`
}

const describeResult = (
  { status, pending, fault, response }: LoggedRequest,
  { findSteps }: VerificationInput,
): string => {
  if (pending) return 'pending'
  if (status === null) return describeCut(fault === null ? [] : findSteps(fault))
  return [status, ...describeBody(status, response.body)].join(' ')
}

const describeCut = (steps: readonly object[]): string => {
  if (steps.some((step) => 'hang' in step)) return 'hang'
  return steps.some((step) => 'reset' in step) ? 'connection reset' : 'connection cut'
}

/** Code and message of a refusal, or the status of a record. The body can have any shape. */
const describeBody = (httpStatus: number, body: unknown): string[] => {
  const { code, message, status } = Object(body) as Readonly<Record<string, unknown>>
  const parts = httpStatus < 400 ? [status] : [code, message]
  return parts.flatMap((it) =>
    typeof it === 'string' ? [truncate(it.replace(/\.$/, ''), MAX_TEXT)] : [],
  )
}
