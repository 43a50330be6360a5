import type { ReadingOf, ReadingsById } from '../assumptions/ids.js'
import type { Row } from '../kernel/row.js'
import { ruleCountsLayout } from '../kernel/rules.js'
import { layout, type Table, type TableLayout } from '../kernel/table.js'
import type { Instant } from '../kernel/time.js'
import { timersLayout } from '../kernel/timers.js'
import type { Transaction } from '../kernel/transaction.js'
import { addressKey, type ChainFamily } from './addresses.js'
import type { Balances, LedgerRecord } from './balance-index.js'
import type { Amount } from './money.js'

/** A blockchain network, by the lower case name that the contract uses in paths. */
export interface Chain extends Row {
  readonly family: ChainFamily
  readonly name: string
}

export const chainsLayout = layout<Chain>()({ all: () => '' })

/** A token on a chain; the id is its asset name in the ledger, `<TOKEN>@<chain>`. */
export interface Token extends Row {
  readonly symbol: string
  readonly chain: string
  readonly contract_address: string
  readonly decimals: number
}

export const tokensLayout = layout<Token>()({ all: () => '', symbol: (token) => token.symbol })

/** A way to pay out in one currency, and what it costs in that currency. */
export interface Rail extends Row {
  readonly currency: string
  readonly name: string
  readonly payout_fee: Amount
  readonly transfer_fee: Amount
  /** Wallet providers that it reaches, by bank_name; empty for the rail that reaches banks. */
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

export type KeyPermissions = (typeof KEY_PERMISSIONS)[number]

/** An API key of the account. The secret is nowhere: only its SHA-256 and its last characters are. */
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

/** A recorded acceptance of terms and conditions (contract, endpoint 5). */
export interface Consent extends Row {
  readonly accepted_at: string
  /** The terms were declined, and consent.refusals let it be recorded. */
  readonly declined?: true
  /** The user created with it; a consent serves once (consent.refusals). */
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

/** What is kept of an uploaded image: never the image itself. */
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
  /** Null for documents that came with the fixtures. */
  readonly image: ImageDigest | null
}

/** What did not have to be given is null where it was not (user.required). */
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

/** An end user with identity, address and documents (contract, Resources, User). */
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
  phone: ({ phone_number }) => phone_number || undefined,
  identity: (user) => identityKey(user),
})

/** Which identity document a user has, by its country and its number; undefined where neither is known. */
export const identityKey = ({ documents }: Pick<User, 'documents'>): string | undefined => {
  const identity = documents.find(({ type }) => IDENTITY_SIDES.includes(type))
  return identity?.document_number
    ? `${identity.issuing_country} ${identity.document_number}`
    : undefined
}

const IDENTITY_SIDES: readonly string[] = ['identity_front', 'identity_back']

/** A destination account: where an offramp or a transfer pays to. */
export interface Account extends Row {
  readonly user_id: string
  readonly account_type: 'bank_account'
  readonly currency: string
  readonly account_holder_name: string
  readonly account_number: string
  readonly bank_name: string
  readonly bic: string
  readonly nickname: string
  /** The token and chain that its offramps expect; null leaves it to the reading offramp.asset. */
  readonly crypto: string | null
  readonly chain: string | null
  readonly created_at: string
}

export const accountsLayout = layout<Account>()({
  all: () => '',
  user: (account) => account.user_id,
})

/** A custody wallet of a user on a chain (contract, Resources, Custody wallet). */
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

/** Where crypto for one destination account is to be sent (contract, Offramp instruction). */
export interface DepositAddress extends Row {
  readonly user_id: string
  readonly account_id: string
  readonly address: string
  readonly crypto: string
  readonly chain: string
  /** What it expects was read otherwise than from the account (offramp.asset). */
  readonly asset_read?: 'solana'
  readonly created_at: string
}

export const instructionsLayout = layout<DepositAddress>()({
  all: () => '',
  account: (instruction) => instruction.account_id,
  address: (instruction) => addressKey(instruction.address),
})

/** One deposit on its way to fiat; amounts and status are those of its transfer. */
export interface Offramp extends Row {
  readonly user_id: string
  readonly account_id: string
  readonly instruction_id: string
  readonly transfer_id: string
  readonly blockchain: string
  /** Its user was not active when the crypto came, and this was read (deposit.inactive_user). */
  readonly inactive_user?: ReadingOf<'deposit.inactive_user'>
  /** It was converted although its amount could be refused (deposit.limits). */
  readonly beyond_limits?: true
  readonly created_at: string
}

export const offrampsLayout = layout<Offramp>()({
  all: () => '',
  user: (offramp) => offramp.user_id,
  transfer: (offramp) => offramp.transfer_id,
  instruction: (offramp) => offramp.instruction_id,
  beyond_limits: (offramp) => (offramp.beyond_limits ? offramp.user_id : undefined),
})

/** The contract's statuses of a transfer, in the order listed there. */
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

/** Where the money comes from, as the status read shows it. */
export interface TransferSource {
  readonly sender_name: string
  readonly account_type: string
  readonly masked_details: string
  readonly payment_rail: string
}

type Rounding = ReadingOf<'conversion.rounding'>

/** A currency conversion on its way to a destination account (contract, Transfer transaction). */
export interface Transfer extends Row {
  readonly kind: (typeof TRANSFER_KINDS)[number]
  readonly user_id: string
  readonly account_id: string
  readonly source_currency: string
  /** The ledger's asset of the source: the currency, or the token on its chain. */
  readonly source_asset: string
  readonly source_amount: Amount
  readonly target_currency: string
  /** What arrives: after conversion and fees. */
  readonly destination_amount: Amount
  readonly exchange_rate: Amount
  /** In target currency. */
  readonly fees: Amount
  readonly source: TransferSource
  readonly payment_rail: string
  readonly status: TransferStatus
  /** When each status was entered. */
  readonly reached: Readonly<Partial<Record<TransferStatus, string>>>
  /** Why it failed or was cancelled, when somebody said so. */
  readonly reason: string | null
  readonly bank_txn_reference: string | null
  /** How its amounts were rounded, where it is not half to even after the fee (conversion.rounding). */
  readonly rounding?: Exclude<Rounding, 'half_even'>
  /** When its rate was fixed, where the rate of the world had changed by its conversion (conversion.rate_fixed). */
  readonly rate_fixed?: ReadingOf<'conversion.rate_fixed'>
  /** Where its money went when it ended, where it is not the sender (transfer.failed_funds). */
  readonly failed_funds?: Exclude<ReadingOf<'transfer.failed_funds'>, 'sender'>
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
  below_fee: (transfer) => (isBelowFee(transfer) ? transfer.user_id : undefined),
})

/** Why a transfer failed of which nothing would have arrived. */
export const BELOW_FEE = 'below_fee'

/** Whether it failed since the fee would have eaten up the deposit that it is of (offramp.below_fee). */
export const isBelowFee = ({ kind, reason }: Transfer): boolean =>
  kind === 'offramp' && reason === BELOW_FEE

/** Crypto that leaves a wallet for a payout. */
export interface Draw {
  readonly wallet_id: string
  readonly asset: string
  readonly amount: Amount
}

/** What each part of a payout took from custody wallets. */
export interface Custody {
  readonly amount: readonly Draw[]
  readonly fee: readonly Draw[]
}

/** Readings that the first answer went by, where they are not the default. */
export interface OriginalResponse {
  /** The status then, where the times of the record do not show it: a move came at the same instant. */
  readonly status?: 'pending' | 'processed'
  readonly statuses?: ReadingOf<'payout.statuses'>
  readonly transitions?: ReadingOf<'payout.transitions'>
  readonly times?: ReadingOf<'time.form'>
}

/** Only PAYOUT_PROCESSED is observed in the contract; the others are assumed (payout.statuses). */
export const PAYOUT_STATUSES = ['PAYOUT_PENDING', 'PAYOUT_PROCESSED', 'PAYOUT_FAILED'] as const

export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

export interface Recipient {
  readonly bank_name: string
  readonly account_holder_name: string
  readonly recipient_account_number: string
}

/** A payment out of a user's balance (contract, Resources, Payout). */
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
  /** The recipient bears the fee: it is taken from the amount (payout.fee). */
  readonly fee_deducted?: true
  /** The crypto that paid for it, where it was not the fiat balance (payout.source). */
  readonly custody?: Custody
  /** The rail kept its fee when the payout failed (payout.failed_fee). */
  readonly fee_kept?: true
  /** When a payout was processed that the receiving bank has returned since. */
  readonly processed_at?: string
  /** What the first answer showed otherwise than the record and the defaults tell. */
  readonly first?: OriginalResponse
  readonly created_at: string
  readonly updated_at: string
}

export const payoutsLayout = layout<Payout>()({
  all: () => '',
  user: (payout) => payout.user_id,
  status: (payout) => payout.status,
  customer_id: (payout) => payout.customer_payout_id,
  failed: ({ status, user_id }) => (status === 'PAYOUT_FAILED' ? user_id : undefined),
})

/** `offramp` and `wallet` when it was expected there; `unmatched` is kept aside. */
export const MATCHED = ['offramp', 'wallet', 'unmatched'] as const

/** What is read so or so of a deposit to an address of an offramp. */
export const ROUTING_READINGS = [
  'offramp.other_token',
  'offramp.below_fee',
  'deposit.limits',
] as const

/** The last one is in data files of older versions. */
export type RoutingReason = (typeof ROUTING_READINGS)[number] | 'wallet.other_chain'

/** Crypto that arrived at an address, and what became of it. */
export interface Deposit extends Row {
  readonly address: string
  readonly crypto: string
  readonly chain: string
  readonly amount: Amount
  readonly matched: (typeof MATCHED)[number]
  /** Why it is unmatched. */
  readonly reason: string | null
  readonly user_id: string | null
  readonly wallet_id: string | null
  readonly offramp_id: string | null
  readonly transfer_id: string | null
  /** It came to an address of this user, and what was read so decided where it went. */
  readonly kept?: { readonly user_id: string; readonly by: RoutingReason }
  readonly created_at: string
}

export const depositsLayout = layout<Deposit>()({
  all: () => '',
  matched: (deposit) => deposit.matched,
  kept: ({ kept }) => kept && `${kept.user_id} ${kept.by}`,
})

export const ledgerLayout = layout<LedgerRecord>()({})

/** `real` runs with machine time, `manual` stands still, `speed` runs at a multiple of it. */
export type ClockMode = 'real' | 'manual' | 'speed'

/**
 * How the world's time follows the machine's: world time at one machine time, and the pace from there
 * on (0 stands still). Both in milliseconds since 1970.
 */
export interface Clock extends Row {
  readonly mode: ClockMode
  readonly speed: number
  readonly world_ms: Instant
  readonly machine_ms: Instant
}

export const clockLayout = layout<Clock>()({})

/** A scenario that was posted to this world: its text, and what was read from it. */
export interface UploadedScenario extends Row {
  readonly text: string
  readonly scenario: object
}

export const uploadedLayout = layout<UploadedScenario>()({ all: () => '' })

/** Which scenarios a world plays, in order of precedence. */
export interface ActiveScenarios extends Row {
  readonly names: readonly string[]
}

export const activeScenariosLayout = layout<ActiveScenarios>()({})

/**
 * How a world was told to read one thing that the contract leaves open, be it the default; without a
 * record nobody has chosen, and it is the default.
 */
export interface Choice extends Row {
  readonly reading: string
}

export const readingsLayout = layout<Choice>()({ all: () => '' })

/** All that a world remembers, table by table. */
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
  readings: readingsLayout,
  rule_counts: ruleCountsLayout,
  timers: timersLayout,
}

type Layouts = typeof layouts

export type TableName = keyof Layouts

type TableOf<L> = L extends TableLayout<infer R, infer Index> ? Table<R, Index> : never

/** A world's tables, and the balances that its ledger adds up to. */
export type Tables = { readonly [Name in TableName]: TableOf<Layouts[Name]> } & {
  readonly balances: Balances
}

export const tableNames = Object.keys(layouts) as TableName[]

export type Tx = Transaction<Tables, ReadingsById>
