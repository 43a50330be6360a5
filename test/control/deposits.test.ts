import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { type Deposit, walletAddress } from '../support/control.js'
import { addresses, BEGINNING, users, walletId } from '../support/fixture-ids.js'
import { moneyOf } from '../support/ledger.js'
import { openSandbox } from '../support/open-sandbox.js'

const path = '/_sandbox/deposits'
const depositRequest = () => ({ address: addresses.adaEur, amount: '100.00' })

const receive = (api: Client, body: object) => api.make<Deposit>(path, body)

describe('receiveDeposit', () => {
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
  })
})
