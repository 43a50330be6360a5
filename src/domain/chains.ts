import { invalidInput } from '../kernel/refusal.js'
import type { Chain, Tables, Token } from './schema.js'

/** The most that ERC-20 tokens use. */
export const MAX_DECIMALS = 18
export const DECIMALS = `a whole number from 0 to ${MAX_DECIMALS}`

export const toAsset = (symbol: string, chain: string): string => `${symbol}@${chain}`

/** Exact name only. */
export const findChain = (tables: Tables, name: string, field = 'chain'): Chain => {
  const chain = tables.chains.get(name)
  if (chain) return chain
  const known = tables.chains
    .list('all', '')
    .map(({ id }) => id)
    .join(', ')
  throw invalidInput(field, name, `a known chain: ${known}`)
}

/** Accepts token and chain in any case. */
export const findToken = (
  tables: Tables,
  crypto: string,
  chain: string,
  fields = { crypto: 'crypto', chain: 'chain' },
): Token => {
  const { id } = findChain(tables, chain.toLowerCase(), fields.chain)
  // ASCII only: upper case maps some other letters to ASCII ones.
  const symbol = crypto.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
  const token = tables.tokens.get(toAsset(symbol, id))
  if (token) return token
  const here = tables.tokens.list('all', '').filter((known) => known.chain === id)
  const accepted = here.map((known) => known.symbol).join(', ')
  throw invalidInput(fields.crypto, crypto, `a known token on ${id}: ${accepted}`)
}
