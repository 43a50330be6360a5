import { describe, expect, it } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { expectRefused } from '../support/failed-start.js'
import { addresses, NOBODY, userId, walletId } from '../support/fixture-ids.js'
import { MemoryDisk } from '../support/memory-disk.js'
import { openPersistent, stateOf } from '../support/persistent-sandbox.js'

const WALLET = '0x04DCE5d5E94EbEEC281eAFBBd903991303620eab'
const STRANGER = `0x${'12'.repeat(20)}`

// biome-ignore lint/suspicious/noExplicitAny: a file is edited where it hurts
type Rows = any

/** A file with a deposit of each kind, a transfer on its way and a timer, as an edit leaves it. */
const edited = async (edit: (tables: Rows, base: Rows) => unknown) => {
  const file = dataFile()
  const disk = new MemoryDisk()
  const { sandbox, call } = await openPersistent(file, disk)
  const deposits = [
    { address: WALLET, amount: '3' },
    { address: STRANGER, amount: '5', crypto: 'DOGE', chain: 'moon' },
    { address: addresses.adaEur, amount: '30' },
    { address: addresses.adaEur, amount: '2', crypto: 'USDT' },
  ]
  for (const it of deposits) expect((await call('POST', '/_sandbox/deposits', it)).status).toBe(201)
  const credit = { currency: 'NGN', amount: '7' }
  await call('POST', `/_sandbox/users/${userId(1)}/balances`, credit)
  const before = stateOf(sandbox.main)
  await sandbox.close()
  const state = JSON.parse(disk.text(file))
  edit(state.worlds.default.tables, state.base.tables)
  disk.put(file, JSON.stringify(state, null, 2))
  return { file, disk, before }
}

const amountOf = (row: Rows, amount: string) => Object.assign(row.movements[0], { amount })

const DEPOSIT = /worlds\.default\.tables\.deposits\[0\]: deposit \S+ has brought \S+ \S+ to wallet/

describe('money in a data file that somebody has edited', () => {
  it('is taken as it was left', async () => {
    const { file, disk, before } = await edited(() => {})
    const { sandbox } = await openPersistent(file, disk)
    expect(stateOf(sandbox.main)).toEqual(before)
  })

  it('may be more, where record and movements say so', async () => {
    const { file, disk } = await edited(({ deposits, ledger }) => {
      deposits[0].amount = '4.500000'
      amountOf(ledger[0], '4.500000')
      ledger.push({ id: 'credit:gift', n: 99, movements: [{ ...ledger[3].movements[0] }] })
    })
    const { call } = await openPersistent(file, disk)
    expect((await call('GET', '/_sandbox/audit')).body).toMatchObject({ ok: true })
  })

  it.each<[string, (tables: Rows, base: Rows) => unknown, RegExp]>([
    ['a deposit of more', ({ deposits: [it] }) => Object.assign(it, { amount: '5000' }), DEPOSIT],
    ['a movement of more than its deposit', ({ ledger: [it] }) => amountOf(it, '5000'), DEPOSIT],
    ['a deposit without its movement', ({ ledger }) => ledger.shift(), DEPOSIT],
    [
      'a movement of an asset that is none',
      ({ ledger: [it] }) => Object.assign(it.movements[0], { asset: 'ZZZ@base' }),
      DEPOSIT,
    ],
    [
      'a token that is none in a wallet',
      ({ deposits: [it], ledger: [row] }) => {
        Object.assign(it, { crypto: 'ZZZ' })
        Object.assign(row.movements[0], { asset: 'ZZZ@ethereum' })
      },
      /worlds\.default\.tables\.ledger\[0\]: deposit:\S+ moves ZZZ@ethereum, which is no currency/,
    ],
    [
      'a deposit on a chain that its wallet is not on',
      ({ deposits: [it] }) => Object.assign(it, { chain: 'moon' }),
      /deposits\[0\]\.chain: "moon" came; accepted: the chain of its wallet, ethereum; nothing was/,
    ],
    [
      'a deposit that was kept aside for a user that nobody knows',
      ({ deposits: [, , , it] }) => Object.assign(it.kept, { user_id: NOBODY }),
      /deposits\[3\]\.kept\.user_id: users has no \S+; nothing was changed/,
    ],
    [
      'a deposit on another chain that was read to be something else',
      ({ deposits: [it, , , { kept }] }) => Object.assign(it, { chain: 'polygon', kept }),
      /deposits\[0\]\.chain: "polygon" came; accepted: the chain of its wallet, ethereum; nothing/,
    ],
    [
      'a deposit that was kept aside and has arrived',
      ({ deposits: [it, , , { kept }] }) => Object.assign(it, { kept }),
      /deposits\[0\]\.kept: it is matched wallet, and so not kept aside; nothing was changed/,
    ],
    [
      'a deposit at another address',
      ({ deposits: [it] }) => Object.assign(it, { address: STRANGER }),
      /deposits\[0\]\.address: "0x12\S+ came; accepted: the address that it is matched by, 0x04DC/,
    ],
    [
      'a deposit of somebody else',
      ({ deposits: [it] }) => Object.assign(it, { user_id: userId(2) }),
      /deposits\[0\]\.wallet_id: wallets has \S+ with another user_id; nothing was changed/,
    ],
    [
      'a deposit that is matched with nothing',
      ({ deposits: [it] }) => Object.assign(it, { matched: 'offramp' }),
      /deposits\[0\]\.wallet_id: "\S+" came; accepted: null, of what is matched offramp/,
    ],
    [
      'an unmatched deposit that a wallet has',
      ({ deposits }) => Object.assign(deposits[1], { user_id: userId(1), wallet_id: walletId(1) }),
      /deposits\[1\]\.user_id: "\S+" came; accepted: null, of what is matched unmatched/,
    ],
    [
      'an unmatched deposit of something else',
      ({ deposits }) => Object.assign(deposits[1], { crypto: 'SHIB' }),
      /deposits\[1\]: deposit \S+ has brought 5\.000000 SHIB@moon to nobody, which its movements/,
    ],
    [
      'movements of a deposit that is gone',
      ({ deposits }) => deposits.shift(),
      /worlds\.default\.tables\.ledger\[0\]\.id: deposits has no /,
    ],
    [
      'movements of a deposit that never was',
      ({ ledger: [it] }) => Object.assign(it, { id: `deposit:${NOBODY}` }),
      /worlds\.default\.tables\.ledger\[0\]\.id: deposits has no 0f0f/,
    ],
    [
      'movements of nothing',
      ({ ledger }) => ledger.push({ ...ledger[3], id: 'refund:1', n: 99 }),
      /default\.tables\.ledger\[\d\]: refund:1 moves money, but is no transfer, payout, deposit or/,
    ],
    [
      'a credit of a token',
      ({ ledger }) => Object.assign(ledger[3].movements[0], { asset: 'USDC@base' }),
      /default\.tables\.ledger\[3\]: credit:\S+ is not one movement of a currency from outside to a/,
    ],
    [
      'an opening balance that comes from nowhere',
      (_, { ledger: [it] }) => Object.assign(it.movements[0], { from: 'fees' }),
      /base\.tables\.ledger\[0\]: credit:\S+ is not one movement of a currency from outside to a/,
    ],
    [
      'a deposit of more than its transfer converts',
      ({ deposits }) => Object.assign(deposits[2], { amount: '5000' }),
      /deposits\[2\]\.amount: "5000" came; accepted: what its transfer converts, 30\.000000; nothing/,
    ],
    [
      'an offramp on another chain',
      ({ offramps: [it] }) => Object.assign(it, { blockchain: 'moon' }),
      /offramps\[0\]\.blockchain: "moon" came; accepted: the chain of its transfer; nothing was/,
    ],
    [
      'an address on a chain that is none',
      (_, { instructions: [it] }) => Object.assign(it, { chain: 'moon' }),
      /base\.tables\.instructions\[0\]\.chain: chains has no moon; nothing was changed/,
    ],
    [
      'a transfer of more than came',
      ({ transfers: [it] }) => Object.assign(it, { source_amount: '5000' }),
      /transfers\[0\]\.destination_amount: "\S+" came; accepted: \S+, by source_amount, exchange_rate/,
    ],
    [
      'a rate that brings something else',
      ({ transfers: [it] }) => Object.assign(it, { exchange_rate: '12345.67' }),
      /transfers\[0\]\.destination_amount: "24\.50" came; accepted: 370369\.10, by source_amount,/,
    ],
    [
      'fees that leave something else',
      ({ transfers: [it] }) => Object.assign(it, { fees: '100' }),
      /transfers\[0\]\.destination_amount: "24\.50" came; accepted: 0\.00, by source_amount,/,
    ],
    [
      'a transfer to another currency than its account has',
      ({ transfers: [it] }) => Object.assign(it, { target_currency: 'USD' }),
      /transfers\[0\]\.target_currency: "USD" came; accepted: that of its account, EUR; nothing/,
    ],
    [
      'a transfer by a rail that is none',
      ({ transfers: [it] }) => Object.assign(it, { payment_rail: 'PIGEON' }),
      /transfers\[0\]\.payment_rail: "PIGEON" came; accepted: the id of a rail for EUR; nothing/,
    ],
    [
      'a transfer of a token that is none',
      ({ transfers: [it] }) =>
        Object.assign(it, { source_currency: 'ZZZ', source_asset: 'ZZZ@polygon' }),
      /transfers\[0\]\.source_asset: "ZZZ@polygon" came; accepted: a token ZZZ on its chain, of a/,
    ],
    [
      'a transfer between banks of a currency that is none',
      (_, { transfers }) => {
        const bank = transfers.find((it: Rows) => it.kind === 'bank')
        Object.assign(bank, { source_currency: 'ZZZ', source_asset: 'ZZZ' })
      },
      /base\.tables\.transfers\[\d+\]\.source_asset: "ZZZ" came; accepted: the ISO 4217 code that is/,
    ],
    [
      'a currency that is none',
      (_, { accounts: [it] }) => Object.assign(it, { currency: 'ZZZ' }),
      /base\.tables\.accounts\[0\]\.currency: "ZZZ" came; accepted: an active ISO 4217 code in upper/,
    ],
    [
      'a birth on no day',
      (_, { users: [it] }) => Object.assign(it, { date_of_birth: '1990-02-30' }),
      /users\[0\]\.date_of_birth: "1990-02-30" came; accepted: a real date as YYYY-MM-DD, or null;/,
    ],
    [
      'a timer about nothing',
      ({ timers: [it] }) => Object.assign(it.plan, { subject: NOBODY }),
      /worlds\.default\.tables\.timers\[0\]\.plan\.subject: transfers has no 0f0f/,
    ],
    [
      'a timer about nothing that would do something else',
      ({ timers: [it] }) => {
        const steps = [{ after_ms: 0, command: 'balance.credit', input: {} }]
        Object.assign(it, { done: 0, plan: { ...it.plan, subject: NOBODY, steps } })
      },
      /timers\[0\]\.plan\.subject: no record has the id 0f0f/,
    ],
    [
      'a timer about something that cannot be moved so',
      ({ timers: [it], deposits }) => Object.assign(it.plan, { subject: deposits[0].id }),
      /timers\[0\]\.plan\.subject: transfers has no /,
    ],
  ])('%s is refused with the path', async (_what, edit, words) => {
    const { file, disk } = await edited(edit)
    await expectRefused(file, disk, words)
  })
})
