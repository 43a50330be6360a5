import * as z from 'zod'
import {
  balanceEntry,
  wallet as contractWallet,
  showBalance,
  showWallet,
} from '../contract/wallet.js'
import { operation } from '../http/operation.js'
import { byUser } from '../http/selection.js'
import { walletBalances } from '../world/wallets.js'
import { listOf, listPage, pageQuery, userFilter } from './lists.js'

const wallet = contractWallet
  .extend({ balances: z.array(balanceEntry), created_at: z.iso.datetime() })
  .meta({ id: 'SandboxWallet' })

export const listWallets = operation({
  id: 'listWallets',
  method: 'get',
  path: '/_sandbox/wallets',
  tag: 'Wallets',
  summary: 'List wallets',
  description: 'All custody wallets with their balances, the newest first.',
  query: pageQuery.extend(userFilter),
  answers: { 200: { description: 'One page', schema: listOf(wallet, 'WalletList') } },
  errors: ['4000'],
  handle: ({ world: { tables }, query }) =>
    listPage(tables.wallets, byUser(query.user_id), query, (record) => ({
      ...showWallet(
        record,
        walletBalances(tables, record).map((it) => showBalance(it)),
      ),
      created_at: record.created_at,
    })),
})
