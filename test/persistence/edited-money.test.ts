import { describe, expect, test } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { expectRefused } from '../support/failed-start.js'
import { addresses, NOBODY, userId } from '../support/fixture-ids.js'
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

const DEPOSIT = /worlds\.default: deposit \S+ moved \S+ \S+ to wallet/

describe('money in a data file that somebody has edited', () => {
  test('is taken as it was left', async () => {
    const { file, disk, before } = await edited(() => {})
    const { sandbox } = await openPersistent(file, disk)
    expect(stateOf(sandbox.main)).toEqual(before)
  })

  test('may be more, where record and movements say so', async () => {
    const { file, disk } = await edited(({ deposits, ledger }) => {
      deposits[0].amount = '4.500000'
      amountOf(ledger[0], '4.500000')
      ledger.push({ id: 'credit:gift', n: 99, movements: [{ ...ledger[3].movements[0] }] })
    })
    const { call } = await openPersistent(file, disk)
    expect((await call('GET', '/_sandbox/audit')).body).toMatchObject({ ok: true })
  })

  test.each<[string, (tables: Rows, base: Rows) => unknown, RegExp]>([
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
      /worlds\.default: deposit:\S+ moves ZZZ@ethereum, which is neither a currency/,
    ],
    [
      'an account with the name of an inherited property',
      ({ ledger: [it] }) => Object.assign(it.movements[0], { from: '__proto__' }),
      DEPOSIT,
    ],
    [
      'a deposit of somebody else',
      ({ deposits: [it] }) => Object.assign(it, { user_id: userId(2) }),
      /deposits\[0\]\.wallet_id: wallets has \S+ with another user_id\. Nothing was changed/,
    ],
    [
      'an unmatched deposit of something else',
      ({ deposits }) => Object.assign(deposits[1], { crypto: 'SHIB' }),
      /worlds\.default: deposit \S+ moved 5\.000000 SHIB@moon to nobody, but its postings/,
    ],
    [
      'movements of a deposit that is gone',
      ({ deposits }) => deposits.shift(),
      /worlds\.default: deposit:\S+ moves money, but no deposit has that id/,
    ],
    [
      'movements of a deposit that never was',
      ({ ledger: [it] }) => Object.assign(it, { id: `deposit:${NOBODY}` }),
      /worlds\.default: deposit/,
    ],
    [
      'movements of nothing',
      ({ ledger }) => ledger.push({ ...ledger[3], id: 'refund:1', n: 99 }),
      /worlds\.default: refund:1 moves money, but is not a transfer, payout, deposit or/,
    ],
    [
      'a credit of a token',
      ({ ledger }) => Object.assign(ledger[3].movements[0], { asset: 'USDC@base' }),
      /worlds\.default: credit:\S+ is not a single posting of a currency from outside to a/,
    ],
    [
      'an opening balance that comes from nowhere',
      (_, { ledger: [it] }) => Object.assign(it.movements[0], { from: 'fees' }),
      /base: credit:\S+ is not a single posting of a currency from outside to a/,
    ],
    [
      'an address on a chain that is none',
      (_, { instructions: [it] }) => Object.assign(it, { chain: 'moon' }),
      /base\.tables\.instructions\[0\]\.chain: chains has no moon\. Nothing was changed/,
    ],
    [
      'a currency that is none',
      (_, { accounts: [it] }) => Object.assign(it, { currency: 'ZZZ' }),
      /Invalid base\.tables\.accounts\[0\]\.currency: got "ZZZ"\. Expected an active ISO 4217 code in upper/,
    ],
    [
      'a birth on no day',
      (_, { users: [it] }) => Object.assign(it, { date_of_birth: '1990-02-30' }),
      /users\[0\]\.date_of_birth: got "1990-02-30"\. Expected a real date as YYYY-MM-DD\./,
    ],
  ])('%s is refused with the path', async (_what, edit, words) => {
    const { file, disk } = await edited(edit)
    await expectRefused(file, disk, words)
  })
})
