import { invalidInput, notFound } from '../kernel/refusal.js'
import { findToken } from './chains.js'
import { railFor } from './rails.js'
import type { Account, Tables, Token, Tx } from './schema.js'
import { fullName, getUser } from './users.js'

export interface AccountInput {
  readonly user_id: string
  readonly currency: string
  readonly account_number: string
  readonly account_holder_name?: string | undefined
  readonly bank_name?: string | undefined
  readonly bic?: string | undefined
  readonly nickname?: string | undefined
  readonly crypto?: string | undefined
  readonly chain?: string | undefined
}

const DEFAULT_BANK = 'Sandramp Test Bank'
/** ISO 9362 reserves 0 as the second location character for test BICs. */
const DEFAULT_BIC = 'SRMPXXX0'

/** The contract has no operation for this. */
export const registerAccount = (tx: Tx, input: AccountInput): Account => {
  const user = getUser(tx.tables, input.user_id)
  railFor(tx.tables, input.currency, input.bank_name ?? DEFAULT_BANK)
  const token = expectedToken(tx.tables, input)
  const account = tx.add('accounts', {
    id: tx.uuid(),
    n: tx.tables.accounts.next,
    user_id: user.id,
    account_type: 'bank_account',
    currency: input.currency,
    account_holder_name: input.account_holder_name ?? fullName(user),
    account_number: input.account_number,
    bank_name: input.bank_name ?? DEFAULT_BANK,
    bic: input.bic ?? DEFAULT_BIC,
    nickname: input.nickname ?? `${input.currency} account`,
    crypto: token?.symbol ?? null,
    chain: token?.chain ?? null,
    created_at: tx.at,
  })
  tx.emit({ type: 'account.registered', id: account.id })
  return account
}

/** Accepts token and chain in any case. Undefined leaves the choice to offramp.asset. */
const expectedToken = (tables: Tables, { crypto, chain }: AccountInput): Token | undefined => {
  if (crypto !== undefined && chain !== undefined) return findToken(tables, crypto, chain)
  if (crypto === chain) return undefined
  const [came, missing] = chain === undefined ? ['crypto', 'chain'] : ['chain', 'crypto']
  throw invalidInput(missing, undefined, `both ${missing} and ${came}, or neither`)
}

/** The account of another user counts as unknown. */
export const getUserAccount = (tables: Tables, user_id: string, id: string): Account => {
  const account = tables.accounts.get(id)
  if (account?.user_id === user_id) return account
  throw notFound('account_id', `user ${user_id} has no destination account with the id ${id}`)
}

/** Accounts are never removed, so a missing one is a bug. */
export const getAccount = (tables: Tables, id: string): Account => {
  const account = tables.accounts.get(id)
  if (!account) throw new Error(`account ${id} is missing`)
  return account
}
