import { invalidInput } from '../kernel/refusal.js'
import { addressKey } from './addresses.js'
import { toAsset } from './chains.js'
import type { Deposit, Offramp, Tables } from './schema.js'

/**
 * Invariants under every reading. Commands keep them; fixtures and edited data files are checked.
 */

/** The fields that are set, by match. */
const DESTINATIONS = {
  wallet: ['user_id', 'wallet_id'],
  offramp: ['user_id', 'offramp_id', 'transfer_id'],
  unmatched: [],
} as const
const DESTINATION_FIELDS = ['user_id', 'wallet_id', 'offramp_id', 'transfer_id'] as const

export const assertDestination = (deposit: Omit<Deposit, 'n'>, path: string): void => {
  const { matched } = deposit
  const due: readonly string[] = DESTINATIONS[matched]
  for (const field of DESTINATION_FIELDS) {
    if ((deposit[field] !== null) === due.includes(field)) continue
    const accepted = due.includes(field) ? 'an id' : 'null'
    throw invalidInput(
      `${path}.${field}`,
      deposit[field],
      `${accepted}, of what is matched ${matched}`,
    )
  }
}

/** A deposit fits the wallet or the transfer that it names. */
export const assertDepositRoute = (
  tables: Tables,
  deposit: Omit<Deposit, 'n'>,
  path: string,
): void => {
  const { address, crypto, chain, amount, wallet_id, offramp_id, transfer_id } = deposit
  const wallet = tables.wallets.get(wallet_id ?? '')
  const offramp = tables.offramps.get(offramp_id ?? '')
  const expected =
    wallet?.wallet_address ?? tables.instructions.get(offramp?.instruction_id ?? '')?.address
  if (expected !== undefined && addressKey(expected) !== addressKey(address)) {
    throw invalidInput(`${path}.address`, address, `the address that it is matched by, ${expected}`)
  }
  if (wallet && wallet.blockchain !== chain) {
    throw invalidInput(`${path}.chain`, chain, `the chain of its wallet, ${wallet.blockchain}`)
  }
  const transfer = tables.transfers.get(transfer_id ?? '')
  if (transfer && transfer.source_asset !== toAsset(crypto, chain)) {
    throw invalidInput(
      `${path}.crypto`,
      crypto,
      `the asset of its transfer, ${transfer.source_asset}`,
    )
  }
  if (transfer && transfer.source_amount !== amount) {
    throw invalidInput(
      `${path}.amount`,
      amount,
      `the amount of its transfer, ${transfer.source_amount}`,
    )
  }
}

/** An offramp names a transfer of crypto from its chain. */
export const assertOfframpTransfer = (
  tables: Tables,
  { transfer_id, blockchain }: Omit<Offramp, 'n'>,
  path: string,
): void => {
  const transfer = tables.transfers.get(transfer_id)
  if (transfer?.kind !== 'offramp') {
    throw invalidInput(`${path}.transfer_id`, transfer_id, 'the id of a transfer of kind offramp')
  }
  if (transfer.source_asset === toAsset(transfer.source_currency, blockchain)) return
  throw invalidInput(`${path}.blockchain`, blockchain, 'the chain of its transfer')
}
