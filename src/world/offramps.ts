import { type Account, accountOfUser } from './accounts.js'
import { addressKey, addressOf } from './addresses.js'
import { chainOf } from './chains.js'
import { layout, type Row } from './kernel/table.js'
import { assertAdmitted, userOf } from './users.js'
import type { Tx } from './world.js'

/** Where crypto for one destination account is to be sent (contract, Offramp instruction). */
export interface Instruction extends Row {
  readonly user_id: string
  readonly account_id: string
  readonly address: string
  readonly crypto: string
  readonly chain: string
  readonly created_at: string
}

/** One deposit on its way to fiat; amounts and status are those of its transfer. */
export interface Offramp extends Row {
  readonly user_id: string
  readonly account_id: string
  readonly instruction_id: string
  readonly transfer_id: string
  readonly blockchain: string
  readonly created_at: string
}

export const instructionsLayout = layout<Instruction>()({
  all: () => '',
  account: (instruction) => instruction.account_id,
  address: (instruction) => addressKey(instruction.address),
})

export const offrampsLayout = layout<Offramp>()({
  all: () => '',
  user: (offramp) => offramp.user_id,
  transfer: (offramp) => offramp.transfer_id,
})

export interface OfframpInput {
  readonly user_id: string
  readonly account_id: string
}

/** What the deposit address expects when the account does not say (reading offramp.asset). */
const DEFAULT_CRYPTO = 'USDC'
const DEFAULT_CHAIN = 'polygon'

/**
 * Answers the deposit address for a user's destination account, the same one each time (reading
 * offramp.address). Refusals in order: unknown user, unknown or foreign account, user not active.
 */
export const initiateOfframp = (tx: Tx, input: OfframpInput): Instruction => {
  const user = userOf(tx.tables, input.user_id)
  const account = accountOfUser(tx.tables, user.id, input.account_id)
  assertAdmitted(tx, user)
  const known = tx.tables.instructions.first('account', account.id)
  const instruction = known ? steer(tx, known) : makeInstruction(tx, account)
  tx.emit({ type: 'offramp.initiated', id: instruction.id })
  return instruction
}

/** An address that is asked for again goes by the scenarios that are named now. */
const steer = (tx: Tx, known: Instruction): Instruction =>
  tx.goesBy ? tx.replace('instructions', known, { ...known, scenarios: tx.goesBy }) : known

const makeInstruction = (tx: Tx, account: Account): Instruction => {
  const chain = chainOf(tx.tables, account.chain ?? DEFAULT_CHAIN)
  return tx.add('instructions', {
    id: tx.uuid(),
    n: tx.tables.instructions.next,
    user_id: account.user_id,
    account_id: account.id,
    address: addressOf(chain.family, tx.bytes()),
    crypto: account.crypto ?? DEFAULT_CRYPTO,
    chain: chain.id,
    created_at: tx.at,
  })
}
