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
import { ok, operation } from '../../http/operation/operation.js'
import { EXAMPLES, idPath } from './fields.js'
import { knownRecord } from './find-record.js'
import { listPage, listSchema, pageQuery, userFilter } from './lists.js'

const wallet = contractWallet
  .extend({ balances: z.array(balanceEntry), created_at: z.iso.datetime() })
  .meta({ id: 'SandboxWallet' })

const show = (tables: Tables, record: Wallet) => ({
  ...toWalletResponse(
    record,
    walletBalances(tables, record).map((it) => toBalanceResponse(it)),
  ),
  created_at: record.created_at,
})

export const listWallets = operation({
  id: 'listWallets',
  method: 'get',
  path: '/_sandbox/wallets',
  tag: 'Wallets',
  summary: 'List wallets',
  description: 'All custody wallets with their balances, newest first.',
  query: pageQuery.extend(userFilter),
  answers: { 200: { description: 'One page', schema: listSchema(wallet, 'WalletList') } },
  errors: ['4000'],
  handle: ({ world: { tables }, query }) =>
    listPage(tables.wallets, byUser(query.user_id), query, (record) => show(tables, record)),
})

export const readWallet = operation({
  id: 'readWallet',
  method: 'get',
  path: '/_sandbox/wallets/{id}',
  tag: 'Wallets',
  summary: 'Read a wallet',
  description: 'The custody wallet with its balances.',
  params: idPath(EXAMPLES.wallets),
  answers: { 200: { description: 'The wallet', schema: wallet } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { id } }) =>
    ok(show(tables, knownRecord(tables.wallets, id, 'wallet'))),
})
