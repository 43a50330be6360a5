import { accountOfUser } from './accounts.js'
import { assetDecimals } from './currencies.js'
import { parseAmount } from './money.js'
import { railFor } from './rails.js'
import type { Transfer, Tx } from './schema.js'
import { createTransfer } from './transfers.js'
import { assertActive, fullName, getUser } from './users.js'

export interface BankTransferInput {
  readonly user_id: string
  readonly account_id: string
  readonly source_currency: string
  readonly source_amount: string
}

/**
 * Starts a transfer from a bank account of the user to one of the user's destination accounts. Refusals
 * in order: unknown user, unknown or foreign account, user not active, currency, amount, no rail, no rate.
 */
export const startBankTransfer = (tx: Tx, input: BankTransferInput): Transfer => {
  const user = getUser(tx.tables, input.user_id)
  const account = accountOfUser(tx, user.id, input.account_id)
  assertActive(user)
  const { source_currency } = input
  const decimals = assetDecimals(source_currency, 'source_currency')
  const source_amount = parseAmount(input.source_amount, decimals, source_currency, 'source_amount')
  return createTransfer(tx, {
    kind: 'bank',
    account,
    source_currency,
    source_asset: source_currency,
    source_amount,
    source: {
      sender_name: fullName(user),
      account_type: 'bank_account',
      masked_details: `****${tx.digits(4)}`,
      payment_rail: railFor(tx.tables, source_currency, '', 'source_currency').id,
    },
  })
}
