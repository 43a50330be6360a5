import { PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import { PAYOUT_STATUSES, TRANSFER_STATUSES, USER_STATUSES } from '../../domain/schema.js'
import { TRANSFER_TRANSITIONS } from '../../domain/transfers.js'
import { USER_TRANSITIONS } from '../../domain/users.js'
import type { CommandName } from '../../domain/world.js'
import type { Noun } from './fields.js'

/** The actions of rules on the record of an event. */
export interface Subject {
  readonly table: Noun
  readonly statuses?: readonly [string, ...string[]]
  readonly moves?: Readonly<Record<string, readonly string[]>>
  readonly move?: CommandName
  /** Whether it has a user, whose balance can be credited. */
  readonly hasUser: boolean
  /** Whether the service has a status request for it. */
  readonly isRead: boolean
  readonly hasAddress: boolean
  /** Whether it has an amount that can be credited. */
  readonly hasAmount: boolean
}

const plain = { hasUser: true, isRead: false, hasAddress: false, hasAmount: false }

const consent: Subject = { ...plain, table: 'consents', hasUser: false }
const user: Subject = {
  ...plain,
  table: 'users',
  statuses: USER_STATUSES,
  moves: USER_TRANSITIONS,
  move: 'user.move',
}
const account: Subject = { ...plain, table: 'accounts' }
const wallet: Subject = { ...plain, table: 'wallets', hasAddress: true }
const instruction: Subject = { ...plain, table: 'instructions', hasAddress: true }
const deposit: Subject = { ...plain, table: 'deposits', hasAddress: true }
const transfer: Subject = {
  ...plain,
  table: 'transfers',
  statuses: TRANSFER_STATUSES,
  moves: TRANSFER_TRANSITIONS,
  move: 'transfer.move',
  isRead: true,
}
const payout: Subject = {
  ...plain,
  table: 'payouts',
  statuses: PAYOUT_STATUSES,
  moves: PAYOUT_TRANSITIONS,
  move: 'payout.move',
  hasAmount: true,
}

/** Events of rules, with the record and its first status. */
export const events = {
  'consent.created': { subject: consent },
  'user.created': { subject: user, begins: 'under_review' },
  'user.moved': { subject: user },
  'account.registered': { subject: account },
  'balance.credited': { subject: user },
  'wallet.created': { subject: wallet },
  'offramp.initiated': { subject: instruction },
  'deposit.received': { subject: deposit },
  'transfer.created': { subject: transfer, begins: 'PENDING' },
  'transfer.moved': { subject: transfer },
  'payout.created': { subject: payout, begins: 'PAYOUT_PENDING' },
  'payout.moved': { subject: payout },
} as const satisfies Record<string, { subject: Subject; begins?: string }>

export type EventName = keyof typeof events
export const eventNames = Object.keys(events) as [EventName, ...EventName[]]

export const isEvent = (name: string): name is EventName => Object.hasOwn(events, name)
export const findSubject = (event: EventName): Subject => events[event].subject
