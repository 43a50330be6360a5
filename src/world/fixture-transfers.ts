import { type Account, accountFor } from './accounts.js'
import { fiatAsset, parseFixtureAmount, tokenAsset } from './fixture-money.js'
import type { Given } from './fixture-records.js'
import { assertPast, assertStatusPath, fixtureError, invalidValue } from './fixture-validation.js'
import { Refusal } from './kernel/refusal.js'
import { quote, type Transfer } from './transfers.js'
import type { Tables, Tx } from './world.js'

/** A transfer as fixtures give it: rate, fee and target amount follow from rates and rails. */
export type FixtureTransfer = Pick<
  Transfer,
  | 'id'
  | 'kind'
  | 'account_id'
  | 'source_currency'
  | 'source_amount'
  | 'source'
  | 'status'
  | 'reached'
> &
  Pick<Transfer, 'reason' | 'bank_txn_reference'> & { readonly chain: string | null }

/** A transfer as it is kept; what it costs and brings is worked out, and then stays. */
export const normalizeTransfer = (
  tx: Tx,
  given: FixtureTransfer,
  path: string,
): Given<Transfer> => {
  const { chain, ...transfer } = given
  const account = accountFor(tx.tables, given.account_id)
  assertStatusPath(given, `${path}.reached`)
  const times = Object.values(given.reached).sort()
  assertPast(tx, times.at(-1) ?? '', `${path}.reached`)
  const asset = normalizeSource(tx.tables, given, path)
  const source_amount = parseFixtureAmount(given.source_amount, asset, `${path}.source_amount`)
  return {
    ...transfer,
    source_amount,
    source_asset: asset.name,
    user_id: account.user_id,
    target_currency: account.currency,
    ...quoteAt(tx.tables, account, { ...given, source_amount }, path),
    created_at: times[0] ?? '',
    updated_at: times.at(-1) ?? '',
  }
}

/** Offramps bring a token from its chain, and transfers between banks a currency. */
const normalizeSource = (
  tables: Tables,
  { kind, chain, source_currency: crypto }: FixtureTransfer,
  path: string,
) => {
  if ((kind === 'offramp') !== (chain !== null)) {
    const accepted = kind === 'offramp' ? 'the id of one in chains.json' : 'null'
    throw invalidValue(`${path}.chain`, chain, `${accepted}, of a transfer of kind ${kind}`)
  }
  return chain === null
    ? fiatAsset(crypto, `${path}.source_currency`)
    : tokenAsset(tables, { crypto, chain }, `${path}.source_currency`)
}

/** What the transfer costs; a rate or rail that is missing is told with the transfer's place. */
const quoteAt = (tables: Tables, account: Account, given: FixtureTransfer, path: string) => {
  try {
    return quote(tables, account, given.source_currency, given.source_amount)
  } catch (error) {
    throw error instanceof Refusal ? fixtureError(path, error.message) : error
  }
}
