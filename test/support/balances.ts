import type { Client } from './client.js'
import type { BalanceEntry, List } from './wire.js'

interface FiatBalance {
  readonly currency: string
  readonly amount: number
}

/** The available balance of a user; undefined in a currency without a balance. */
export const balanceOf = async (
  api: Client,
  user: string,
  currency: string,
): Promise<number | undefined> => {
  const { items } = await api.read<List<FiatBalance>>(`/_sandbox/users/${user}/balances`)
  return items.find((it) => it.currency === currency)?.amount
}

/** The total of all custody wallets in the token with this contract address. */
export const totalOf = async (api: Client, contract: string): Promise<number | undefined> => {
  const all = await api.read<BalanceEntry[]>('/payment/api/v1/custody-wallet/total-balances')
  return all.find((it) => it.contract_address === contract)?.balance
}
