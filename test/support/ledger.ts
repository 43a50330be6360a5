import { expect } from 'vitest'
import type { Client } from './client.js'

interface Proof {
  readonly ok: boolean
  readonly assets: readonly {
    readonly asset: string
    readonly sum: string
    readonly accounts: Readonly<Record<string, string>>
  }[]
  readonly violations: readonly string[]
}

/** The holdings of every kind of account by asset, without zeros. The ledger must prove right. */
export const moneyOf = async (api: Client): Promise<Record<string, Record<string, string>>> => {
  const { ok, assets, violations } = await api.read<Proof>('/_sandbox/audit')
  expect(violations).toEqual([])
  expect(ok).toBe(true)
  const held = assets.map(({ asset, sum, accounts }): [string, Record<string, string>] => {
    expect(sum, asset).toBe('0')
    const some = Object.entries(accounts).filter(([, amount]) => Number(amount) !== 0)
    return [asset, Object.fromEntries(some)]
  })
  return Object.fromEntries(held.filter(([, accounts]) => Object.keys(accounts).length > 0))
}
