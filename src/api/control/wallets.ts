import * as z from 'zod'
import {
  balanceEntry,
  wallet as contractWallet,
  toBalanceResponse,
  toWalletResponse,
} from '../../contract/wallet.js'
import type { Tables, Wallet } from '../../domain/schema.js'
import { byUser } from '../../domain/selection.js'
import { walletBalances } from '../../domain/wallets.js'
import { pageQuery, userFilter } from './lists.js'
import { resource } from './resource.js'

const wallet = contractWallet
  .extend({ balances: z.array(balanceEntry), created_at: z.iso.datetime() })
  .meta({ id: 'SandboxWallet' })

const show = (record: Wallet, tables: Tables) => ({
  ...toWalletResponse(
    record,
    walletBalances(tables, record).map((it) => toBalanceResponse(it)),
  ),
  created_at: record.created_at,
})

export const wallets = resource({
  noun: 'wallet',
  table: (tables) => tables.wallets,
  schema: wallet,
  show,
  query: pageQuery.extend(userFilter),
  select: ({ user_id }) => byUser(user_id),
  listDescription: 'All custody wallets with their balances, newest first.',
  readDescription: 'The custody wallet with its balances.',
})
