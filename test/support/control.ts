import type { Client } from './client.js'
import { accounts, users, walletId } from './fixture-ids.js'
import type { Transfer } from './wire.js'

/** Responses of the control API, with fields that the contract does not have. */

export interface Timer {
  readonly due: string
  readonly subject: string
  readonly command: string
}

export interface Clock {
  readonly now: string
  readonly mode: string
  readonly speed: number
  readonly pending: number
  readonly next: readonly Timer[]
}

export interface Entry {
  readonly seq: number
  readonly at: string
  readonly command: string
  readonly cause: { readonly kind: string }
  readonly events: readonly { readonly type: string; readonly id: string }[]
  readonly input: Record<string, unknown>
  readonly refused?: { readonly code: string; readonly message: string }
}

export interface Advanced {
  readonly now: string
  readonly count: number
  readonly fired: readonly Entry[]
}

export type SandboxTransfer = Transfer & {
  readonly kind: string
  readonly user_id: string
  readonly account_id: string
  readonly offramp_id: string | null
  readonly reason: string | null
  readonly reached: Readonly<Record<string, string>>
  readonly legal_moves: readonly string[]
  readonly created_at: string
  readonly updated_at: string
}

export interface Deposit {
  readonly id: string
  readonly matched: string
  readonly reason: string | null
  readonly offramp_id: string | null
  readonly transfer_id: string | null
}

export const startRequest = () => ({
  user_id: users.ada,
  account_id: accounts.adaEur,
  source_currency: 'USD',
  source_amount: '500.00',
})

/** A bank transfer of the test, which moves by itself as time passes. */
export const startTransfer = (api: Pick<Client, 'make'>): Promise<SandboxTransfer> =>
  api.make<SandboxTransfer>('/_sandbox/transfers', startRequest())

/** The address of a wallet of the fixtures. */
export const walletAddress = (api: Client, n: number): string =>
  api.sandbox.tables.wallets.get(walletId(n))?.wallet_address ?? ''
