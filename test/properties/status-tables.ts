import { PAYOUT_TRANSITIONS } from '../../src/domain/payouts.js'
import type { PayoutStatus, TransferStatus, UserStatus } from '../../src/domain/schema.js'
import { TRANSFER_TRANSITIONS } from '../../src/domain/transfers.js'
import { USER_TRANSITIONS } from '../../src/domain/users.js'
import type { CommandName, World } from '../../src/domain/world.js'
import { fixtures } from './open-world.js'

/** A noun with a status, as the laws about status tables look at it. */
export interface StatusNoun<S extends string = string> {
  readonly noun: string
  /** The table of DESIGN, section "Status tables", written down here once more. */
  readonly legal: Readonly<Record<S, readonly S[]>>
  /** The transition table that the world uses. */
  readonly table: Readonly<Record<S, readonly S[]>>
  readonly first: S
  readonly command: CommandName
  /** Makes a record in its first status; answers its id. */
  readonly make: (world: World) => string
  readonly read: (world: World, id: string) => StatusRecord | undefined
}

export interface StatusRecord {
  readonly status: string
  readonly updated_at: string
  readonly reached?: Readonly<Record<string, string>>
}

const BY = { kind: 'library' } as const

export const ADA = '11111111-1111-4111-8111-000000000001'

export const accountIn = (currency: string): string => {
  const found = fixtures.accounts.find((it) => it.user_id === ADA && it.currency === currency)
  if (!found) throw new Error(`the fixtures give Ada no account in ${currency}`)
  return found.id
}

export const startBank = (world: World, amount = '100.00'): string => {
  const input = { user_id: ADA, account_id: accountIn('EUR'), source_currency: 'USD' }
  return world.run('transfer.start', { ...input, source_amount: amount }, BY).id
}

export const startOfframp = (world: World, amount = '100'): string => {
  const input = { user_id: ADA, account_id: accountIn('EUR') }
  const { address } = world.run('offramp.initiate', input, BY)
  return world.run('deposit.receive', { address, amount }, BY).transfer_id ?? 'no transfer was made'
}

const payOut = (world: World): string => {
  const recipient_details = {
    bank_name: 'First Bank',
    account_holder_name: 'Amina Yusuf',
    recipient_account_number: '0123456789',
  }
  const customer_payout_id = 'eeeeeeee-eeee-4eee-8eee-000000000001'
  const input = {
    user_id: ADA,
    currency: 'USD',
    amount: '50',
    customer_payout_id,
    recipient_details,
  }
  return world.run('payout.create', input, BY).id
}

const createUser = (world: World): string => {
  const [given] = fixtures.users
  if (!given) throw new Error('the fixtures have no user')
  const { id, status, rejection_reasons, requirements, created_at, updated_at, ...input } = given
  const consent = { tnc_accepted: true, accepted_at: '2026-06-15T08:00:00.000Z' }
  const { id: consent_id } = world.run('consent.create', consent, BY)
  const email_address = 'somebody.new@example.com'
  const documents = input.documents.map((it) => ({ ...it, document_number: 'B76543210' }))
  return world.run('user.create', { ...input, consent_id, email_address, documents }, BY).id
}

const transferLaw: Readonly<Record<TransferStatus, readonly TransferStatus[]>> = {
  PENDING: ['FUNDS_RECEIVED', 'FAILED', 'CANCELLED'],
  FUNDS_RECEIVED: ['CONVERSION_PROCESSED', 'FAILED', 'CANCELLED'],
  CONVERSION_PROCESSED: ['PAYMENT_SUBMITTED', 'FAILED'],
  PAYMENT_SUBMITTED: ['PAYMENT_PROCESSED', 'FAILED'],
  PAYMENT_PROCESSED: ['FAILED'],
  FAILED: [],
  CANCELLED: [],
}

const payoutLaw: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  PAYOUT_PENDING: ['PAYOUT_PROCESSED', 'PAYOUT_FAILED'],
  PAYOUT_PROCESSED: ['PAYOUT_FAILED'],
  PAYOUT_FAILED: [],
}

const userLaw: Readonly<Record<UserStatus, readonly UserStatus[]>> = {
  under_review: ['active', 'rejected', 'incomplete'],
  incomplete: ['under_review'],
  rejected: ['under_review'],
  active: ['paused', 'offboarded'],
  paused: ['active', 'offboarded'],
  offboarded: [],
}

const transfers = {
  legal: transferLaw,
  table: TRANSFER_TRANSITIONS,
  first: 'PENDING',
  command: 'transfer.move',
  read: ({ tables }: World, id: string) => tables.transfers.get(id),
} as const

export const statusNouns: readonly StatusNoun[] = [
  { noun: 'bank transfer', make: (world) => startBank(world), ...transfers },
  { noun: 'offramp transfer', make: (world) => startOfframp(world), ...transfers },
  {
    noun: 'payout',
    legal: payoutLaw,
    table: PAYOUT_TRANSITIONS,
    first: 'PAYOUT_PENDING',
    command: 'payout.move',
    make: payOut,
    read: ({ tables }, id) => tables.payouts.get(id),
  },
  {
    noun: 'user',
    legal: userLaw,
    table: USER_TRANSITIONS,
    first: 'under_review',
    command: 'user.move',
    make: createUser,
    read: ({ tables }, id) => tables.users.get(id),
  },
]

/** The shortest way to a status by legal moves. */
export const wayTo = ({ legal, first }: StatusNoun, status: string): string[] => {
  const ways = [[first]]
  for (const way of ways) {
    const last = way.at(-1) ?? first
    if (last === status) return way.slice(1)
    for (const next of legal[last] ?? []) if (!way.includes(next)) ways.push([...way, next])
  }
  throw new Error(`no legal moves lead from ${first} to ${status}`)
}

/** Moves a record, one second after whatever was done before. */
export const move = (world: World, { command }: StatusNoun, id: string, to: string): void => {
  world.advance(world.now + 1_000)
  world.run(command, { id, to } as never, BY)
}
