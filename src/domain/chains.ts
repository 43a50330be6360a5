import { ruleViolation } from '../kernel/refusal.js'
import { MAX_QUOTED, quote } from '../lib/text.js'
import type { Chain, Tables, Token } from './schema.js'

/** Tokens of ERC-20 have up to 18. */
export const MAX_DECIMALS = 18
/** What a refusal tells of how many a token may have. */
export const DECIMALS = `a whole number from 0 to ${MAX_DECIMALS}`

export const toAsset = (symbol: string, chain: string): string => `${symbol}@${chain}`

/** The chain by its exact name; refuses an unknown one (wallet.chain). */
export const findChain = (tables: Tables, name: string, field = 'chain'): Chain => {
  const chain = tables.chains.get(name)
  if (chain) return chain
  const known = tables.chains
    .list('all', '')
    .map(({ id }) => id)
    .join(', ')
  throw ruleViolation(field, `${quote(name, MAX_QUOTED)} is not a known chain; accepted: ${known}`)
}

/** The token on the chain, names in any case; refuses what the token table lacks. */
export const findToken = (
  tables: Tables,
  crypto: string,
  chain: string,
  fields = { crypto: 'crypto', chain: 'chain' },
): Token => {
  const { id } = findChain(tables, chain.toLowerCase(), fields.chain)
  // Letters of other alphabets become these in upper case, but are not the same.
  const symbol = crypto.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
  const token = tables.tokens.get(toAsset(symbol, id))
  if (token) return token
  const here = tables.tokens.list('all', '').filter((known) => known.chain === id)
  const accepted = here.map((known) => known.symbol).join(', ')
  throw ruleViolation(
    fields.crypto,
    `${quote(crypto, MAX_QUOTED)} is not a known token on ${id}; accepted: ${accepted}`,
  )
}
