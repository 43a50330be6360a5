import { getUserAccount } from './accounts.js'
import { deriveAddress } from './addresses.js'
import { findChain } from './chains.js'
import { type Amount, round, ZERO } from './money.js'
import type { Account, DepositAddress, Tables, Token, Tx } from './schema.js'
import { assertMayTransact, getUser } from './users.js'

export interface OfframpInput {
  readonly user_id: string
  readonly account_id: string
}

/**
 * Returns the deposit address of an account and a token, the same each time. Refusals in order: unknown user,
 * unknown or foreign account, user not active.
 */
export const initiateOfframp = (tx: Tx, input: OfframpInput): DepositAddress => {
  const user = getUser(tx.tables, input.user_id)
  const account = getUserAccount(tx.tables, user.id, input.account_id)
  assertMayTransact(tx, user)
  const { crypto, chain } = expectedAsset(tx, account)
  const known = tx.tables.instructions
    .list('account', account.id)
    .find((it) => it.crypto === crypto && it.chain === chain)
  const instruction = known
    ? applyScenarios(tx, known)
    : tx.add('instructions', {
        id: tx.uuid(),
        n: tx.tables.instructions.next,
        user_id: account.user_id,
        account_id: account.id,
        address: deriveAddress(findChain(tx.tables, chain).family, tx.bytes()),
        crypto,
        chain,
        created_at: tx.at,
      })
  tx.emit({ type: 'offramp.initiated', id: instruction.id })
  return instruction
}

/** An account may say which token its address expects (offramp.asset). */
const expectedAsset = (tx: Tx, account: Account): { crypto: string; chain: string } =>
  tx.readings.offramp.asset === 'solana'
    ? { crypto: 'USDC', chain: 'solana' }
    : { crypto: account.crypto ?? 'USDC', chain: account.chain ?? 'polygon' }

const applyScenarios = (tx: Tx, known: DepositAddress): DepositAddress =>
  tx.activeScenarios
    ? tx.replace('instructions', known, { ...known, scenarios: tx.activeScenarios })
    : known

/** Deposits of a token that are not converted yet; undefined without any. */
export const inFlightAmount = (
  tables: Tables,
  user_id: string,
  token: Token,
): Amount | undefined => {
  const transfers = tables.transfers.list('unconverted', `${user_id} ${token.id}`)
  if (transfers.length === 0) return undefined
  let sum = ZERO
  for (const { source_amount } of transfers) sum = sum.plus(source_amount)
  return round(sum, token.decimals)
}
