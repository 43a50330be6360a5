import { describe, expect, test } from 'vitest'
import { amountCases } from '../support/cases/amount-cases.js'
import { type FieldCase, field, fieldCases } from '../support/cases/field-cases.js'
import { footprint, type Subject } from '../support/cases/subject.js'
import { type Client, expectRefusal } from '../support/client.js'
import { type Deposit, type SandboxTransfer, walletAddress } from '../support/control.js'
import { addresses, BEGINNING, users, walletId } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { Audit, OfframpItem } from '../support/wire.js'
import { MISSING } from '../support/with-field.js'

const path = '/_sandbox/deposits'
const over = 'fetch'
const depositRequest = () => ({ address: addresses.adaEur, amount: '100.00' })

const receive = (api: Client, body: object) => api.make<Deposit>(path, body)

describe('receiveDeposit', () => {
  const subject: Subject = { method: 'POST', path, body: depositRequest, success: 201 }
  const mayBeLeftOut = (name: string, shape: 'text' | 'token' | 'chain'): FieldCase => {
    const it = field(name, shape)
    return { ...it, wrong: it.wrong.filter(([value]) => value !== MISSING) }
  }
  fieldCases({ over, subject }, [
    field('address', 'text'),
    ...amountCases('amount'),
    mayBeLeftOut('crypto', 'token'),
    mayBeLeftOut('chain', 'chain'),
  ])

  describe('at a deposit address', () => {
    test('sets off an offramp and its transfer, and money moves only with its statuses', async () => {
      const api = await openSandbox()
      const before = await moneyOf(api)
      const answer = await api.post<Deposit>(path, depositRequest())
      expect(answer.status).toBe(201)
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        address: addresses.adaEur,
        crypto: 'USDC',
        chain: 'polygon',
        amount: 100,
        matched: 'offramp',
        reason: null,
        user_id: users.ada,
        wallet_id: null,
        offramp_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        transfer_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: BEGINNING,
      })
      expect(await moneyOf(api)).toEqual(before)
      api.sandbox.advance('2s')
      const asset = 'USDC@polygon'
      const { transit } = (await moneyOf(api))[asset] ?? {}
      expect(Number(transit) - Number(before[asset]?.transit ?? 0)).toBe(100)
    })

    test.each([
      ['polygon, address in lower case', { address: addresses.adaEur.toLowerCase() }],
      [
        'polygon, address in upper case',
        { address: `0X${addresses.adaEur.slice(2).toUpperCase()}` },
      ],
      ['token and chain said', { crypto: 'USDC', chain: 'polygon' }],
      ['token and chain in other case', { crypto: 'usdc', chain: 'Polygon' }],
      ['a number', { amount: 100 }],
      ['all six decimals', { amount: '100.000001' }],
      ['solana', { address: addresses.adaNgn }],
      ['tron', { address: addresses.benMpesa }],
    ])('%s', async (_, change) => {
      const api = await openSandbox()
      expect(await receive(api, { ...depositRequest(), ...change })).toMatchObject({
        matched: 'offramp',
      })
    })

    test.each([
      ['1.176470', 0],
      ['1.176471', 0],
      ['1.182352', 0],
      ['1.182353', 0.01],
      ['1.19', 0.01],
    ])('%s USDC to EUR with a fee of 1.00 brings %d', async (amount, arrives) => {
      const api = await openSandbox()
      const before = await moneyOf(api)
      const { offramp_id, transfer_id } = await receive(api, { ...depositRequest(), amount })
      const transfer = () => api.read<SandboxTransfer>(`/_sandbox/transfers/${transfer_id}`)
      const failed = arrives === 0
      expect(await transfer()).toMatchObject({
        destination_amount: arrives,
        status: failed ? 'FAILED' : 'PENDING',
        reason: failed ? 'below_fee' : null,
      })
      const audit = await api.read<Audit<OfframpItem>>(
        `/payment/api/v1/offramp-audit/${users.ada}?size=1`,
      )
      const status = failed ? 'failed' : 'pending'
      expect(audit.transactions[0]).toMatchObject({ id: offramp_id, status, fiat_amount: arrives })
      api.sandbox.advance({ until: 'idle' })
      expect((await transfer()).status).toBe(failed ? 'FAILED' : 'PAYMENT_PROCESSED')
      if (failed) expect(await moneyOf(api)).toEqual(before)
    })

    test.each(['paused', 'offboarded'])(
      'is converted for a user who is %s: crypto cannot be turned away',
      async (status) => {
        const api = await openSandbox()
        await api.make(`/_sandbox/users/${users.ada}/status`, { status })
        const { transfer_id } = await receive(api, depositRequest())
        api.sandbox.advance({ until: 'idle' })
        const transfer = await api.read(`/_sandbox/transfers/${transfer_id}`)
        expect(transfer).toMatchObject({ status: 'PAYMENT_PROCESSED', reason: null })
      },
    )

    test.each([
      ['100.00', 'user_not_active'],
      ['0.5', 'below_fee'],
    ])('%s for a paused user may fail at once, for %s', async (amount, reason) => {
      const api = await openSandbox({ readings: ['deposit.inactive_user=failed'] })
      await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'paused' })
      const before = await moneyOf(api)
      const { transfer_id } = await receive(api, { ...depositRequest(), amount })
      const transfer = await api.read(`/_sandbox/transfers/${transfer_id}`)
      expect(transfer).toMatchObject({ status: 'FAILED', reason, bank_txn_reference: null })
      expect(api.sandbox.tables.timers.size).toBe(0)
      expect(await moneyOf(api)).toEqual(before)
    })
  })

  describe('at a wallet', () => {
    test('raises its balance at once', async () => {
      const api = await openSandbox()
      const address = walletAddress(api, 2)
      expect(await receive(api, { address, amount: '0.25' })).toMatchObject({
        crypto: 'USDC',
        chain: 'polygon',
        matched: 'wallet',
        wallet_id: walletId(2),
        user_id: users.ada,
        offramp_id: null,
        transfer_id: null,
      })
      const usd = `/payment/api/v1/offramp-audit/crypto-balance/USDC/polygon/${users.ada}`
      expect(await api.read<number>(usd)).toBe(750.5)
      await moneyOf(api)
    })

    test('of another token of its chain raises that one', async () => {
      const api = await openSandbox()
      const body = { address: walletAddress(api, 2), amount: '7', crypto: 'usdt' }
      expect(await receive(api, body)).toMatchObject({ matched: 'wallet', crypto: 'USDT' })
      const usd = `/payment/api/v1/offramp-audit/crypto-balance/USDT/polygon/${users.ada}`
      expect(await api.read<number>(usd)).toBe(7)
    })
  })

  test.each([
    ['0.0000001', 'Invalid amount: got "0.0000001". Expected at most 6 decimals in USDC'],
    ['1000000000', 'Invalid amount: got "1000000000". Expected at most 999999999.999999 USDC'],
    [1e-7, 'Invalid amount: got 1e-7. Expected at most 6 decimals in USDC'],
    [1e21, 'Invalid amount: got 1e+21. Expected at most 999999999.999999 USDC'],
  ])('%s is no amount of a token', async (amount, words) => {
    const api = await openSandbox()
    const before = footprint(api)
    expectRefusal(await api.post(path, { ...depositRequest(), amount }), 400, '4000', words)
    expect(footprint(api)).toEqual(before)
  })
})
