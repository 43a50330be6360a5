import type { CommandName, TableName } from '../world/world.js'

/** What an event is about: the table of its subject, and the command that moves the subject. */
interface Subject {
  readonly table: TableName
  readonly move?: CommandName
}

/** The events that rules can wait for. */
export const events = {
  'consent.created': { table: 'consents' },
  'user.created': { table: 'users', move: 'user.move' },
  'user.moved': { table: 'users', move: 'user.move' },
  'account.registered': { table: 'accounts' },
  'balance.credited': { table: 'users', move: 'user.move' },
  'wallet.created': { table: 'wallets' },
  'offramp.initiated': { table: 'instructions' },
  'deposit.received': { table: 'deposits' },
  'transfer.created': { table: 'transfers', move: 'transfer.move' },
  'transfer.moved': { table: 'transfers', move: 'transfer.move' },
  'payout.created': { table: 'payouts', move: 'payout.move' },
  'payout.moved': { table: 'payouts', move: 'payout.move' },
} as const satisfies Record<string, Subject>

export type EventName = keyof typeof events
export const eventNames = Object.keys(events) as [EventName, ...EventName[]]

export const subjectOf = (event: EventName): Subject => events[event]
