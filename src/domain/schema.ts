import type { Readings } from '../assumptions/use.js'
import type { Row } from '../kernel/row.js'
import { ruleCountsLayout } from '../kernel/rules.js'
import { layout, type Table, type TableLayout } from '../kernel/table.js'
import type { Instant } from '../kernel/time.js'
import { timersLayout } from '../kernel/timer-records.js'
import type { Transaction } from '../kernel/transaction.js'
import { addressKey, type ChainFamily } from './addresses.js'
import type { Balances, LedgerRecord } from './balance-index.js'
import type { Amount } from './money.js'

/** By the lower case name that the contract uses in paths. */
export interface Chain extends Row {
  readonly family: ChainFamily
  readonly name: string
}

export const chainsLayout = layout<Chain>()({ all: () => '' })

/** The id is the asset name in the ledger: `<TOKEN>@<chain>`. */
export interface Token extends Row {
  readonly symbol: string
  readonly chain: string
  readonly contract_address: string
  readonly decimals: number
}

export const tokensLayout = layout<Token>()({ all: () => '', symbol: (token) => token.symbol })

/** A payout network of one currency, with its fees in that currency. */
export interface Rail extends Row {
  readonly currency: string
  readonly name: string
  readonly payout_fee: Amount
  readonly transfer_fee: Amount
  /** Wallet providers by bank_name; empty for the rail that reaches banks. */
  readonly providers: readonly string[]
}

export const railsLayout = layout<Rail>()({ all: () => '', currency: (rail) => rail.currency })

/** How much of `quote` one unit of `base` buys. */
export interface Rate extends Row {
  readonly base: string
  readonly quote: string
  readonly rate: Amount
}

export const ratesLayout = layout<Rate>()({ all: () => '' })

export const KEY_STATUSES = ['active', 'suspended', 'deactivated'] as const

export type KeyStatus = (typeof KEY_STATUSES)[number]

export const KEY_PERMISSIONS = ['full', 'read_only'] as const

type KeyPermissions = (typeof KEY_PERMISSIONS)[number]

/** Contains the SHA-256 and the last characters of the secret, never the secret. */
export interface ApiKey extends Row {
  readonly name: string
  readonly hash: string
  readonly last_four: string
  readonly permissions: KeyPermissions
  readonly status: KeyStatus
  readonly expires_at: string | null
  readonly created_at: string
}

export const apiKeysLayout = layout<ApiKey>()({ all: () => '', hash: (key) => key.hash })

/** An acceptance of the terms (contract, endpoint 5). */
export interface Consent extends Row {
  readonly accepted_at: string
  /** A consent serves one user. */
  readonly used_by: string | null
  readonly created_at: string
}

export const consentsLayout = layout<Consent>()({ all: () => '' })

export const USER_STATUSES = [
  'under_review',
  'active',
  'rejected',
  'offboarded',
  'incomplete',
  'paused',
] as const

export type UserStatus = (typeof USER_STATUSES)[number]

/** The image itself is never stored. */
export interface ImageDigest {
  readonly media_type: string
  readonly bytes: number
  readonly sha256: string
}

export interface UserDocument {
  readonly name: string
  readonly type: string
  readonly issuing_country: string
  readonly document_number: string
  /** Null for documents of fixtures. */
  readonly image: ImageDigest | null
}

/** Null if a fixture does not give it. */
export interface Address {
  readonly line1: string | null
  readonly line2: string | null
  readonly city: string | null
  readonly country: string | null
  readonly region: string | null
  readonly sub_division: string | null
  readonly postal_code: string | null
}

/** Why a user was rejected: for the customer, and for the developer. */
export interface RejectionReason {
  readonly reason: string
  readonly timestamp: string
  readonly developer_reason: string
}

/** Contract, Resources, User. */
export interface User extends Row {
  readonly status: UserStatus
  readonly first_name: string
  readonly last_name: string
  readonly email_address: string
  readonly phone_number: string | null
  readonly user_type: 'individual'
  readonly date_of_birth: string | null
  readonly consent_id: string | null
  readonly sharing_consent: boolean | null
  readonly identity_country_code: string | null
  readonly documents: readonly UserDocument[]
  readonly address: Address
  readonly metadata: string | null
  readonly rejection_reasons: readonly RejectionReason[] | null
  readonly requirements: readonly string[] | null
  readonly created_at: string
  readonly updated_at: string
}

export const usersLayout = layout<User>()({
  all: () => '',
  status: (user) => user.status,
  email: (user) => user.email_address.toLowerCase(),
  identity: (user) => identityKey(user),
})

/** By country and number; undefined if both are unknown. */
export const identityKey = ({ documents }: Pick<User, 'documents'>): string | undefined => {
  const identity = documents.find(({ type }) => IDENTITY_SIDES.includes(type))
  return identity?.document_number
    ? `${identity.issuing_country} ${identity.document_number}`
    : undefined
}

const IDENTITY_SIDES: readonly string[] = ['identity_front', 'identity_back']

/** Where an offramp or a transfer pays to. */
export interface Account extends Row {
  readonly user_id: string
  readonly account_type: 'bank_account'
  readonly currency: string
  readonly account_holder_name: string
  readonly account_number: string
  readonly bank_name: string
  readonly bic: string
  readonly nickname: string
  /** Expected by its offramps; null leaves it to offramp.asset. */
  readonly crypto: string | null
  readonly chain: string | null
  readonly created_at: string
}

export const accountsLayout = layout<Account>()({
  all: () => '',
  user: (account) => account.user_id,
})

/** Contract, Resources, Custody wallet. */
export interface Wallet extends Row {
  readonly user_id: string
  readonly blockchain: string
  readonly status: 'ACTIVE'
  readonly wallet_address: string
  readonly customer_wallet_ref: string
  readonly created_at: string
}

export const walletsLayout = layout<Wallet>()({
  all: () => '',
  user: (wallet) => wallet.user_id,
  user_chain: (wallet) => `${wallet.user_id} ${wallet.blockchain}`,
  ref: (wallet) => wallet.customer_wallet_ref,
  address: (wallet) => addressKey(wallet.wallet_address),
})

/** Where to send crypto for one account (contract, Offramp instruction). */
export interface DepositAddress extends Row {
  readonly user_id: string
  readonly account_id: string
  readonly address: string
  readonly crypto: string
  readonly chain: string
  readonly created_at: string
}

export const instructionsLayout = layout<DepositAddress>()({
  all: () => '',
  account: (instruction) => instruction.account_id,
  address: (instruction) => addressKey(instruction.address),
})

/** A deposit on its way to fiat; amounts and status are those of its transfer. */
export interface Offramp extends Row {
  readonly user_id: string
  readonly account_id: string
  readonly instruction_id: string
  readonly transfer_id: string
  readonly blockchain: string
  readonly created_at: string
}

export const offrampsLayout = layout<Offramp>()({
  all: () => '',
  user: (offramp) => offramp.user_id,
  transfer: (offramp) => offramp.transfer_id,
})

export const TRANSFER_STATUSES = [
  'PENDING',
  'FUNDS_RECEIVED',
  'CONVERSION_PROCESSED',
  'PAYMENT_SUBMITTED',
  'PAYMENT_PROCESSED',
  'FAILED',
  'CANCELLED',
] as const

export type TransferStatus = (typeof TRANSFER_STATUSES)[number]

export const TRANSFER_KINDS = ['offramp', 'bank'] as const

/** The sender, as the status request shows it. */
export interface TransferSource {
  readonly sender_name: string
  readonly account_type: string
  readonly masked_details: string
  readonly payment_rail: string
}

/** A currency conversion to a destination account (contract, Transfer transaction). */
export interface Transfer extends Row {
  readonly kind: (typeof TRANSFER_KINDS)[number]
  readonly user_id: string
  readonly account_id: string
  readonly source_currency: string
  /** The asset in the ledger: the currency, or the token on its chain. */
  readonly source_asset: string
  readonly source_amount: Amount
  readonly target_currency: string
  /** After conversion and fees. */
  readonly destination_amount: Amount
  readonly exchange_rate: Amount
  readonly fees: Amount
  readonly source: TransferSource
  readonly payment_rail: string
  readonly status: TransferStatus
  readonly reached: Readonly<Partial<Record<TransferStatus, string>>>
  /** Why it failed or was cancelled, if a reason was given. */
  readonly reason: string | null
  readonly bank_txn_reference: string | null
  readonly created_at: string
  readonly updated_at: string
}

export const transfersLayout = layout<Transfer>()({
  all: () => '',
  user: (transfer) => transfer.user_id,
  status: (transfer) => transfer.status,
  unconverted: ({ kind, status, user_id, source_asset }) =>
    kind === 'offramp' && (status === 'PENDING' || status === 'FUNDS_RECEIVED')
      ? `${user_id} ${source_asset}`
      : undefined,
})

/** Reason of a transfer whose fee leaves nothing of its amount. */
export const BELOW_FEE = 'below_fee'

/** Crypto that leaves a wallet for a payout. */
export interface Draw {
  readonly wallet_id: string
  readonly asset: string
  readonly amount: Amount
}

/** Crypto that paid for the amount and for the fee. */
export interface Custody {
  readonly amount: readonly Draw[]
  readonly fee: readonly Draw[]
}

/** The contract shows only PAYOUT_PROCESSED (payout.statuses). */
export const PAYOUT_STATUSES = ['PAYOUT_PENDING', 'PAYOUT_PROCESSED', 'PAYOUT_FAILED'] as const

export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

export interface Recipient {
  readonly bank_name: string
  readonly account_holder_name: string
  readonly recipient_account_number: string
}

/** A payment from a user's balance (contract, Resources, Payout). */
export interface Payout extends Row {
  readonly user_id: string
  readonly customer_payout_id: string
  readonly currency: string
  readonly amount: Amount
  readonly rail: string
  readonly rail_fee: Amount
  readonly reference: string | null
  readonly status: PayoutStatus
  readonly reason: string | null
  readonly account_details: Recipient
  /** The recipient pays the fee (payout.fee). */
  readonly fee_deducted?: true
  /** Crypto instead of the fiat balance (payout.source). */
  readonly custody?: Custody
  /** Set on a payout that the receiving bank has returned since. */
  readonly processed_at?: string
  /** The first response, kept once the payout moves after it (payout.repeat). */
  readonly first?: Pick<Payout, 'status' | 'reference' | 'updated_at'>
  readonly created_at: string
  readonly updated_at: string
}

export const payoutsLayout = layout<Payout>()({
  all: () => '',
  user: (payout) => payout.user_id,
  status: (payout) => payout.status,
  customer_id: (payout) => payout.customer_payout_id,
})

/** `offramp` and `wallet` if an address expected it. */
export const MATCHED = ['offramp', 'wallet', 'unmatched'] as const

/** Crypto at an address, and its destination. */
export interface Deposit extends Row {
  readonly address: string
  readonly crypto: string
  readonly chain: string
  readonly amount: Amount
  readonly matched: (typeof MATCHED)[number]
  /** Set for unmatched deposits. */
  readonly reason: string | null
  readonly user_id: string | null
  readonly wallet_id: string | null
  readonly offramp_id: string | null
  readonly transfer_id: string | null
  readonly created_at: string
}

export const depositsLayout = layout<Deposit>()({
  all: () => '',
  matched: (deposit) => deposit.matched,
})

export const ledgerLayout = layout<LedgerRecord>()({})

/** `real` follows machine time, `manual` stops, `speed` multiplies machine time. */
export type ClockMode = 'real' | 'manual' | 'speed'

/**
 * World time at one machine time, and the speed since then (0 stops). Both times are in
 * milliseconds since 1970.
 */
export interface Clock extends Row {
  readonly mode: ClockMode
  readonly speed: number
  readonly world_ms: Instant
  readonly machine_ms: Instant
  /** How the world began, if not as the sandbox's other worlds. */
  readonly begin?: { readonly mode: ClockMode; readonly speed: number }
  /** Number of the entry with which a reset began the world. */
  readonly since?: number
}

export const clockLayout = layout<Clock>()({})

export interface UploadedScenario extends Row {
  readonly text: string
  readonly scenario: object
}

export const uploadedLayout = layout<UploadedScenario>()({ all: () => '' })

/** In order of precedence. */
export interface ActiveScenarios extends Row {
  readonly names: readonly string[]
}

export const activeScenariosLayout = layout<ActiveScenarios>()({})

/** A fault, or a move of a new record, that the next calls that fit take. Null is any, or always. */
export interface NextCall extends Row {
  readonly operation: string | null
  readonly user_id: string | null
  readonly times: number | null
  /** How many calls may still take it. At 0 only records that earlier calls created need it. */
  readonly left: number | null
  readonly taken?: true
  /** Nothing has to take it. */
  readonly optional?: true
  readonly then: object
  /** Its rules: that of the call and, for a move or a stop, that of the record. */
  readonly scenario: { readonly name: string; readonly rules: readonly object[] }
  readonly yaml: string
}

export const nextCallsLayout = layout<NextCall>()({
  armed: ({ left }) => (left === 0 ? undefined : ''),
})

/** A reading that was chosen for this world, even the default. No record means the default. */
export interface Choice extends Row {
  readonly reading: string
}

export const readingsLayout = layout<Choice>()({ all: () => '' })

export const layouts = {
  chains: chainsLayout,
  tokens: tokensLayout,
  rails: railsLayout,
  rates: ratesLayout,
  api_keys: apiKeysLayout,
  consents: consentsLayout,
  users: usersLayout,
  accounts: accountsLayout,
  wallets: walletsLayout,
  instructions: instructionsLayout,
  offramps: offrampsLayout,
  transfers: transfersLayout,
  payouts: payoutsLayout,
  deposits: depositsLayout,
  ledger: ledgerLayout,
  clock: clockLayout,
  posted: uploadedLayout,
  playlist: activeScenariosLayout,
  next_calls: nextCallsLayout,
  readings: readingsLayout,
  rule_counts: ruleCountsLayout,
  timers: timersLayout,
}

type Layouts = typeof layouts

export type TableName = keyof Layouts

type TableOf<L> = L extends TableLayout<infer R, infer Index> ? Table<R, Index> : never

/** The tables of a world, and the running balances of its ledger. */
export type Tables = { readonly [Name in TableName]: TableOf<Layouts[Name]> } & {
  readonly balances: Balances
}

export const tableNames = Object.keys(layouts) as TableName[]

export type Tx = Transaction<Tables, Readings>
