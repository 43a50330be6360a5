import type * as z from 'zod'
import type { offrampAuditAs, offrampTransaction } from '../../src/contract/audit.js'
import type { ErrorBody } from '../../src/contract/errors.js'
import type { offrampInstruction } from '../../src/contract/offramp.js'
import type { pagination } from '../../src/contract/pagination.js'
import type { payout } from '../../src/contract/payout.js'
import type { transfer } from '../../src/contract/transfer.js'
import type { user } from '../../src/contract/user.js'
import type { balanceEntry, wallet } from '../../src/contract/wallet.js'

/** The shapes of responses, for reading along: the documents check them. */

export type { ErrorBody }
export type Payout = z.output<typeof payout>
export type Wallet = z.output<typeof wallet>
export type BalanceEntry = z.output<typeof balanceEntry>
export type Instruction = z.output<typeof offrampInstruction>
export type OfframpItem = z.output<typeof offrampTransaction>
export type Transfer = z.output<typeof transfer>
export type User = z.output<typeof user>
export type Pagination = z.output<typeof pagination>

/** A page of an audit. */
export interface Audit<T>
  extends Omit<z.output<ReturnType<typeof offrampAuditAs>>, 'transactions'> {
  readonly transactions: readonly T[]
}

/** A page of a list of the control API. */
export interface List<T> {
  readonly items: readonly T[]
  readonly pagination: Pagination
}
