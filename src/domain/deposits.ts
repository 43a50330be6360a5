import { getAccount } from './accounts.js'
import { addressKey, isAddress, maskAddress } from './addresses.js'
import type { Posting } from './balance-index.js'
import { toAsset } from './chains.js'
import { post, UNMATCHED } from './ledger.js'
import { type Amount, Decimal, parseAmount } from './money.js'
import type { Deposit, DepositAddress, Tables, Tx, Wallet } from './schema.js'
import { createTransfer } from './transfers.js'
import { fullName, getUser } from './users.js'

export interface DepositInput {
  readonly address: string
  readonly amount: string
  readonly crypto?: string | undefined
  readonly chain?: string | undefined
}

/** Decimals of tokens that the world does not know. */
export const UNKNOWN_DECIMALS = 6
const DEFAULT_CRYPTO = 'USDC'

/** Routes crypto to an offramp or a wallet, else stores it as unmatched. */
export const receiveDeposit = (tx: Tx, input: DepositInput): Deposit => {
  const key = addressKey(input.address)
  const instruction = tx.tables.instructions.first('address', key)
  const wallet = instruction ? undefined : tx.tables.wallets.first('address', key)
  const crypto = (input.crypto ?? instruction?.crypto ?? DEFAULT_CRYPTO).toUpperCase()
  const chain = (
    input.chain ??
    instruction?.chain ??
    wallet?.blockchain ??
    guessChain(tx.tables, input.address)
  ).toLowerCase()
  const decimals = tx.tables.tokens.get(toAsset(crypto, chain))?.decimals ?? UNKNOWN_DECIMALS
  const arrival = {
    address: input.address,
    crypto,
    chain,
    amount: parseAmount(input.amount, decimals, crypto),
  }
  if (instruction) return depositToAddress(tx, instruction, arrival)
  return wallet
    ? depositToWallet(tx, wallet, arrival)
    : recordUnmatched(tx, arrival, 'no offramp and no wallet has this address')
}

type IncomingDeposit = Pick<Deposit, 'address' | 'crypto' | 'chain' | 'amount'>

const depositToAddress = (
  tx: Tx,
  instruction: DepositAddress,
  arrival: IncomingDeposit,
): Deposit => {
  const { crypto, chain } = instruction
  const unexpected = (what: string, not: string) =>
    recordUnmatched(tx, arrival, `the address expects ${what}, not ${not}`)
  if (arrival.crypto !== crypto || arrival.chain !== chain)
    return unexpected(`${crypto} on ${chain}`, describeIncoming(arrival))
  if (isBeyondLimits(arrival.amount) && tx.readings.deposit.limits === 'unmatched')
    return unexpected(`${MIN_DEPOSIT} to ${MAX_DEPOSIT} ${crypto}`, arrival.amount)
  return depositToOfframp(tx, instruction, arrival)
}

/** In units of the token (deposit.limits). */
const MIN_DEPOSIT = 10
const MAX_DEPOSIT = 10_000

const isBeyondLimits = (text: Amount): boolean => {
  const amount = new Decimal(text)
  return amount.lt(MIN_DEPOSIT) || amount.gt(MAX_DEPOSIT)
}

const NOWHERE = {
  reason: null,
  user_id: null,
  wallet_id: null,
  offramp_id: null,
  transfer_id: null,
}

const depositToOfframp = (
  tx: Tx,
  instruction: DepositAddress,
  arrival: IncomingDeposit,
): Deposit => {
  inheritFrom(tx, instruction)
  const account = getAccount(tx.tables, instruction.account_id)
  const user = getUser(tx.tables, instruction.user_id)
  const offramp_id = tx.uuid()
  const transfer = createTransfer(tx, {
    kind: 'offramp',
    account,
    source_currency: arrival.crypto,
    source_asset: toAsset(arrival.crypto, arrival.chain),
    source_amount: arrival.amount,
    source: {
      sender_name: fullName(user),
      account_type: 'crypto_wallet',
      masked_details: maskAddress(instruction.address),
      payment_rail: arrival.chain,
    },
  })
  tx.add('offramps', {
    id: offramp_id,
    n: tx.tables.offramps.next,
    user_id: user.id,
    account_id: account.id,
    instruction_id: instruction.id,
    transfer_id: transfer.id,
    blockchain: arrival.chain,
    created_at: tx.at,
  })
  return recordDeposit(tx, {
    ...arrival,
    ...NOWHERE,
    matched: 'offramp',
    user_id: user.id,
    offramp_id,
    transfer_id: transfer.id,
  })
}

/** An armed call is about one deposit, the scenarios of a header about all. */
const inheritFrom = (tx: Tx, instruction: DepositAddress): void => {
  tx.inheritScenarios(instruction)
  const { scenarios = [] } = instruction
  const lasting = scenarios.filter((name) => !tx.tables.next_calls.get(name))
  if (lasting.length < scenarios.length)
    tx.replace('instructions', instruction, { ...instruction, scenarios: lasting })
}

const depositToWallet = (tx: Tx, wallet: Wallet, arrival: IncomingDeposit): Deposit => {
  const { crypto, chain } = arrival
  return wallet.blockchain === chain && tx.tables.tokens.get(toAsset(crypto, chain))
    ? holdInWallet(tx, wallet, arrival)
    : recordUnmatched(tx, arrival, unheldReason(arrival, wallet))
}

const holdInWallet = (tx: Tx, wallet: Wallet, arrival: IncomingDeposit): Deposit => {
  tx.inheritScenarios(wallet)
  return recordDeposit(tx, {
    ...arrival,
    ...NOWHERE,
    matched: 'wallet',
    user_id: wallet.user_id,
    wallet_id: wallet.id,
  })
}

const recordUnmatched = (tx: Tx, arrival: IncomingDeposit, reason: string): Deposit =>
  recordDeposit(tx, { ...arrival, ...NOWHERE, matched: 'unmatched', reason })

const recordDeposit = (tx: Tx, deposit: Omit<Deposit, 'id' | 'n' | 'created_at'>): Deposit => {
  const kept = tx.add('deposits', {
    id: tx.uuid(),
    n: tx.tables.deposits.next,
    ...deposit,
    created_at: tx.at,
  })
  post(tx, `deposit:${kept.id}`, expectedDepositPostings(kept))
  tx.emit({ type: 'deposit.received', id: kept.id, matched: kept.matched })
  return kept
}

/** The postings that the audit expects. Deposits to offramps have none: their transfers do. */
export const expectedDepositPostings = (deposit: Omit<Deposit, 'n'>): Posting[] => {
  const { matched, wallet_id, crypto, chain, amount } = deposit
  if (matched === 'offramp') return []
  const to = matched === 'wallet' ? `wallet:${wallet_id}` : UNMATCHED
  return [{ from: 'outside', to, asset: toAsset(crypto, chain), amount }]
}

const unheldReason = (arrival: IncomingDeposit, { blockchain }: Wallet): string =>
  `the wallet expects known tokens on ${blockchain}, not ${describeIncoming(arrival)}`

const describeIncoming = ({ crypto, chain }: IncomingDeposit): string => `${crypto} on ${chain}`

/** The first chain whose addresses have this form. */
const guessChain = (tables: Tables, address: string): string => {
  const chains = tables.chains.list('all', '')
  return chains.find((chain) => isAddress(chain.family, address))?.id ?? 'unknown'
}
