import type * as api from '../../generated/api-types.js'
import type { OperationId } from '../../generated/api-types.js'
import { parseInstant } from '../kernel/time.js'
import { groupBy } from '../lib/group-by.js'
import { canonical, type Exchange, getText, isOk, listedUsers } from './exchange.js'
import type { Facts } from './facts.js'

/** A value of the service: no field of it is certain, and words may be new. */
export type Seen<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Seen<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]?: Seen<T[Name]> | null }
      : T

interface Answers {
  createPayout: api.Payout
  createCustodyWallet: api.CustodyWallet
  initiateOfframp: api.OfframpInstruction
  createUser: api.User
  createConsent: string
  listUsers: unknown
  getOfframpAudit: api.OfframpAudit
  getTransferAudit: api.TransferAudit
  getTotalCustodyBalances: readonly api.BalanceEntry[]
  getTransferStatus: api.TransferTransaction
  getCryptoBalance: number
}

/** A success whose body has the types of the contract. */
export type Answered<Id extends OperationId = OperationId> = Id extends OperationId
  ? Omit<Exchange, 'answer'> & { readonly answer: Seen<Answers[Id]> }
  : never

export type AuditId = 'getOfframpAudit' | 'getTransferAudit'
export const AUDITS = ['getOfframpAudit', 'getTransferAudit'] as const

export type OfframpItem = Seen<api.OfframpAudit['transactions'][number]>
export type TransferItem = Seen<api.TransferAudit['transactions'][number]>
export type TransferDetail = Seen<api.TransferTransaction>
export type ListedUser = Seen<api.User>

/** One value of an answer, and where it was. */
export interface Found<T> {
  readonly it: T
  readonly x: Exchange
}

export interface Repeat<Id extends OperationId> {
  readonly first: Answered<Id>
  readonly again: Exchange
  readonly isSame: boolean
}

/** Fields by which clients name what they create. */
const ID_FIELDS: Partial<Record<OperationId, string>> = {
  createPayout: 'customer_payout_id',
  createCustodyWallet: 'customer_wallet_ref',
}

/** Fields that no two users share. */
export const USER_FIELDS = ['email_address', 'identity.identity_number'] as const

export const nameUser = (field: (typeof USER_FIELDS)[number], x: Exchange): string =>
  `${field} ${getText(x.body, field)?.toLowerCase()}`

/** State of the service moves, so that only requests within two minutes compare. */
export const CLOSE_MS = 120_000
/** The date of an answer has whole seconds. */
const DATE_MS = 2_000

/** Ids that nobody has begin so. */
const NOBODY = /^5a4d5052-/i
export const isNobody = (id: string | undefined): boolean => id !== undefined && NOBODY.test(id)

/** An outage, a limit or a cut connection says nothing about the contract. */
const isNoise = ({ status }: Exchange): boolean => status < 200 || status === 429 || status >= 500

/** Refusals of a key. */
const KEY_CODES = /^(?:4030|4100|4101|4102|4103|4300)$/
export const isKeyRefusal = ({ status, answer }: Exchange): boolean =>
  status === 401 ||
  (status === 403 && (answer === undefined || KEY_CODES.test(getText(answer, 'code') ?? '')))

export const isClose = (a: Exchange, b: Exchange): boolean =>
  a.source === b.source && Math.abs(a.at - b.at) < CLOSE_MS

export const overlaps = (a: Exchange, b: Exchange): boolean => a.at < b.end && b.at < a.end

export const userOf = (x: Exchange): string | undefined =>
  (x.params.user_id ?? getText(x.body, 'user_id'))?.toLowerCase()

export const walletKey = (x: Exchange): string =>
  `${userOf(x)} ${getText(x.body, 'chain')?.toLowerCase()}`

export const balanceKey = ({ params: { crypto, blockchain, user_id } }: Exchange): string =>
  `${crypto} ${blockchain} ${user_id}`.toLowerCase()

/** The exchanges of all files, in order, and what evidence selects of them. */
export class Traffic {
  /** Without outages. */
  readonly all: readonly Exchange[]
  /** Payouts that their own request created, as far as the server's clock shows. */
  readonly newPayouts: readonly Answered<'createPayout'>[]
  /** By user and chain. */
  readonly newWallets: ReadonlyMap<string, readonly Answered<'createCustodyWallet'>[]>
  /** By token, chain and user. */
  readonly balances: ReadonlyMap<string, readonly Answered<'getCryptoBalance'>[]>
  /** By field and its value, in lower case. */
  readonly createdUsers: ReadonlyMap<string, readonly Exchange[]>
  readonly offramps: readonly Found<OfframpItem>[]
  readonly transfers: readonly Found<TransferItem>[]
  readonly details: readonly Found<TransferDetail>[]
  readonly users: readonly Found<ListedUser>[]
  readonly #byOperation: ReadonlyMap<OperationId | undefined, readonly Exchange[]>
  readonly #byId: ReadonlyMap<string, readonly Exchange[]>
  /** By file and user. */
  readonly #sightings: ReadonlyMap<string, readonly Found<ListedUser>[]>
  readonly #controls = new Map<string, ReadonlyMap<string, readonly Exchange[]>>()

  /** `isComplete`: the recorders left out nothing. */
  constructor(
    exchanges: readonly Exchange[],
    readonly isComplete: boolean,
    readonly facts: Facts,
  ) {
    this.all = exchanges.filter((x) => !isNoise(x))
    this.#byOperation = groupBy(this.all.filter(isEvidence), ({ operation }) => operation)
    this.#byId = groupBy(exchanges, (x) => clientIdOf(x) ?? '')
    this.newPayouts = this.ok('createPayout').filter((x) => this.isNew(x))
    const wallets = this.ok('createCustodyWallet').filter((x) => this.isNew(x))
    this.newWallets = groupBy(wallets, walletKey)
    this.balances = groupBy(this.ok('getCryptoBalance'), balanceKey)
    this.createdUsers = new Map(
      USER_FIELDS.flatMap((field) => [
        ...groupBy(this.ok('createUser'), (x) => nameUser(field, x)),
      ]),
    )
    this.offramps = this.ok('getOfframpAudit').flatMap(toItems)
    this.transfers = this.ok('getTransferAudit').flatMap(toItems)
    this.details = this.ok('getTransferStatus').map((x) => ({ it: x.answer, x }))
    this.users = this.ok('listUsers').flatMap((x) =>
      listedUsers(x.answer).map((it) => ({ it: it as ListedUser, x: x as Exchange })),
    )
    this.#sightings = groupBy(this.users, ({ it, x }) => `${x.source} ${it.id}`)
  }

  /** Requests that the service judged by their content. */
  of(...operations: readonly OperationId[]): readonly Exchange[] {
    const lists = operations.map((id) => this.#byOperation.get(id) ?? [])
    return lists.length === 1 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a.n - b.n)
  }

  ok<Id extends OperationId>(id: Id): readonly Answered<Id>[] {
    const found: readonly unknown[] = this.of(id).filter((x) => isOk(x) && x.answer !== undefined)
    return found as readonly Answered<Id>[]
  }

  /** All requests with the id that this one gives to what it creates, this one too. */
  sharing(x: Exchange): readonly Exchange[] {
    const id = clientIdOf(x)
    return id === undefined ? [] : (this.#byId.get(id) ?? [])
  }

  /** Earlier requests with its id; of other files, all. */
  before(x: Exchange): readonly Exchange[] {
    return this.sharing(x).filter((y) => y !== x && (y.source !== x.source || y.n < x.n))
  }

  /** Whether an earlier request may have created what this one names. */
  isTaken(x: Exchange): boolean {
    return this.before(x).some((y) => y.status < 300 || y.status === 409 || isNoise(y))
  }

  /** Whether this very request has created the record that its answer shows. */
  isNew(x: Exchange): boolean {
    if (!isOk(x) || x.answer === undefined || this.isTaken(x) || !isEcho(x)) return false
    if (x.operation === 'createPayout')
      return x.date === undefined ? this.isComplete : isMadeNow(x, x.date)
    if (x.operation !== 'createCustodyWallet') return true
    // A repeat may be shown with 200.
    return x.status === 201 || this.isComplete
  }

  /** A later request that is the same but for these fields, and created something. */
  control(
    x: Exchange,
    fields: readonly string[],
    fits: (y: Answered) => boolean = () => true,
  ): Exchange | undefined {
    const { operation } = x
    if (operation === undefined) return undefined
    const name = (y: Exchange) => `${y.source} ${y.key} ${canonical(y.body, fields)}`
    const table = `${operation} ${fields.join()}`
    const byBody = this.#controls.get(table) ?? groupBy(this.of(operation), name)
    this.#controls.set(table, byBody)
    const body = canonical(x.body)
    for (const y of byBody.get(name(x)) ?? []) {
      if (y.n <= x.n) continue
      if (y.at - x.at >= CLOSE_MS) return undefined
      if (this.isNew(y) && canonical(y.body) !== body && fits(y as Answered)) return y
    }
    return undefined
  }

  /** Requests with the id of an earlier, finished one that was accepted. No third one overlaps. */
  repeats<Id extends 'createPayout' | 'createCustodyWallet'>(id: Id): readonly Repeat<Id>[] {
    const firsts = new Map<string, Answered<Id>>()
    return this.of(id).flatMap((again) => {
      if (clientIdOf(again) === undefined) return []
      const name = `${again.source} ${clientIdOf(again)}`
      const first = firsts.get(name)
      if (!first) {
        if (isOk(again) && again.answer !== undefined && isEcho(again))
          firsts.set(name, again as Answered<Id>)
        return []
      }
      const isAlone = this.sharing(again).every(
        (y) => y === again || (y.source === again.source && !overlaps(y, again)),
      )
      const isSame = canonical(first.body) === canonical(again.body)
      return isAlone ? [{ first, again, isSame }] : []
    })
  }

  /** Reads that show all of a user's list, by user. */
  wholeLists<Id extends AuditId>(id: Id): ReadonlyMap<string, readonly Answered<Id>[]> {
    const whole = this.ok(id).filter(({ answer: { pagination, transactions } }) => {
      const { page, total_elements: total } = pagination ?? {}
      return page === 0 && typeof total === 'number' && total <= (transactions?.length ?? -1)
    })
    return groupBy(whole, (x) => userOf(x) ?? '')
  }

  /** The status of a user during an exchange: the lists before and after it agree. */
  #statusAt(x: Exchange, id: string | undefined): string | undefined {
    const list = this.#sightings.get(`${x.source} ${id}`) ?? []
    const later = findFirst(list, (it) => it.x.n > x.n)
    const [a, b] = [list[later - 1], list[later]].map((it) =>
      it && isClose(it.x, x) ? it.it.status : undefined,
    )
    return a === b ? (a ?? undefined) : undefined
  }

  isActive(x: Exchange): boolean {
    return !this.#isPaused(x) && this.#statusAt(x, userOf(x)) === 'active'
  }

  isInactive(x: Exchange): boolean {
    const status = this.#statusAt(x, userOf(x))
    return this.#isPaused(x) || (status !== undefined && status !== 'active')
  }

  /** Lists may show a paused user as active, so that only the facts know it. */
  #isPaused(x: Exchange): boolean {
    const paused = this.facts.users?.paused
    return paused !== undefined && userOf(x) === paused
  }
}

const toItems = <Id extends AuditId>(x: Answered<Id>) => {
  type Item = NonNullable<Answered<Id>['answer']['transactions']>[number]
  return (x.answer.transactions ?? []).map((it) => ({ it: it as Item, x: x as Exchange }))
}

/** The first place in a sorted list from which on a condition holds. */
const findFirst = <T>(list: readonly T[], holds: (item: T) => boolean): number => {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = list[middle]
    if (item !== undefined && holds(item)) high = middle
    else low = middle + 1
  }
  return low
}

const isEvidence = (x: Exchange): boolean =>
  x.operation !== undefined &&
  x.key !== undefined &&
  !isKeyRefusal(x) &&
  (x.method !== 'POST' || (/json/.test(x.contentType) && x.body !== undefined))

export const clientIdOf = ({ operation, body }: Exchange): string | undefined => {
  const field = operation && ID_FIELDS[operation]
  const id = field && getText(body, field)
  return id ? `${operation} ${id.toLowerCase()}` : undefined
}

/** Whether an answer is about this very request, and not about another one of its id. */
export const isEcho = (x: Exchange): boolean => {
  const { operation, body } = x
  const isSame = (path: string, field: string) =>
    getText(body, field)?.toLowerCase() === getText(x.answer, path)?.toLowerCase()
  if (operation === 'createPayout') {
    const { amount } = (x as Answered<'createPayout'>).answer
    return (
      isSame('user_id', 'user_id') &&
      isSame('currency', 'currency') &&
      Math.abs(Number(amount) - Number(body?.amount)) < 0.01 &&
      ['bank_name', 'account_holder_name', 'recipient_account_number'].every((name) =>
        isSame(`account_details.${name}`, `recipient_details.${name}`),
      )
    )
  }
  if (operation !== 'createCustodyWallet') return true
  return (
    isSame('user_id', 'user_id') &&
    isSame('blockchain', 'chain') &&
    isSame('customer_wallet_ref', 'customer_wallet_ref')
  )
}

/** Whether the record of an answer was created while its request ran, by the server's clock. */
const isMadeNow = ({ at, end, answer }: Exchange, date: number): boolean => {
  const made = parseInstant(getText(answer, 'created_at') ?? '')
  return date - made < end - at + DATE_MS
}
