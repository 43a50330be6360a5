import type { Account } from '../world/accounts.js'
import type { Consent } from '../world/consents.js'
import type { Deposit } from '../world/deposits.js'
import type { Instruction } from '../world/offramps.js'
import type { Payout } from '../world/payouts.js'
import type { Transfer } from '../world/transfers.js'
import type { User } from '../world/users.js'
import type { Wallet } from '../world/wallets.js'

const fieldsOf =
  <R>() =>
  (...fields: readonly (keyof R & string)[]): readonly string[] =>
    fields

/** The fields that a rule can ask for, by the table of its subject: those with one plain value. */
export const subjectFields = {
  consents: fieldsOf<Consent>()('id', 'accepted_at', 'used_by', 'created_at'),
  users: fieldsOf<User>()(
    'id',
    'status',
    'first_name',
    'last_name',
    'email_address',
    'phone_number',
    'user_type',
    'date_of_birth',
    'consent_id',
    'sharing_consent',
    'identity_country_code',
    'metadata',
    'created_at',
    'updated_at',
  ),
  accounts: fieldsOf<Account>()(
    'id',
    'user_id',
    'account_type',
    'currency',
    'account_holder_name',
    'account_number',
    'bank_name',
    'bic',
    'nickname',
    'crypto',
    'chain',
    'created_at',
  ),
  wallets: fieldsOf<Wallet>()(
    'id',
    'user_id',
    'blockchain',
    'status',
    'wallet_address',
    'customer_wallet_ref',
    'created_at',
  ),
  instructions: fieldsOf<Instruction>()(
    'id',
    'user_id',
    'account_id',
    'address',
    'crypto',
    'chain',
    'created_at',
  ),
  deposits: fieldsOf<Deposit>()(
    'id',
    'address',
    'crypto',
    'chain',
    'amount',
    'matched',
    'reason',
    'user_id',
    'wallet_id',
    'offramp_id',
    'transfer_id',
    'created_at',
  ),
  transfers: fieldsOf<Transfer>()(
    'id',
    'kind',
    'user_id',
    'account_id',
    'source_currency',
    'source_amount',
    'target_currency',
    'destination_amount',
    'exchange_rate',
    'fees',
    'payment_rail',
    'status',
    'reason',
    'bank_txn_reference',
    'created_at',
    'updated_at',
  ),
  payouts: fieldsOf<Payout>()(
    'id',
    'user_id',
    'customer_payout_id',
    'currency',
    'amount',
    'rail',
    'rail_fee',
    'reference',
    'status',
    'reason',
    'created_at',
    'updated_at',
  ),
}
