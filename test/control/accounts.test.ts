import { describe, expect, test } from 'vitest'
import { accountId, BEGINNING, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { Instruction, List } from '../support/wire.js'

interface Account {
  readonly account_id: string
  readonly masked_details: string
}

const path = `/_sandbox/users/${users.ada}/accounts`
const registration = () => ({ currency: 'EUR', account_number: 'DE89370400440532013000' })

describe('listUserAccounts', () => {
  test('lists a user’s own, the newest first', async () => {
    const api = await openSandbox()
    const { items } = await api.read<List<Account>>(`/_sandbox/users/${users.ben}/accounts`)
    expect(items.map(({ account_id }) => account_id)).toEqual([accountId(6), accountId(5)])
    const made = await api.make<Account>(path, registration())
    const { items: adas } = await api.read<List<Account>>(path)
    expect(adas).toHaveLength(11)
    expect(adas[0]).toEqual(made)
  })

  test('shows an account of the fixtures in full', async () => {
    const api = await openSandbox()
    const { items } = await api.read<List<Account>>(path)
    expect(items.find(({ account_id }) => account_id === accountId(1))).toEqual({
      account_id: accountId(1),
      account_type: 'bank_account',
      masked_details: 'DE89****3000',
      nickname: 'Euro account',
      user_id: users.ada,
      currency: 'EUR',
      account_holder_name: 'Ada Okafor',
      account_number: 'DE89370400440532013000',
      bank_name: 'Rhine Test Bank',
      bic: 'RTBKDEF0',
      crypto: 'USDC',
      chain: 'polygon',
      created_at: '2025-11-10T10:00:00.000Z',
    })
  })
})

describe('registerAccount', () => {
  test('needs only currency and number', async () => {
    const api = await openSandbox()
    const answer = await api.post(path, registration())
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      account_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account_type: 'bank_account',
      masked_details: 'DE89****3000',
      nickname: 'EUR account',
      user_id: users.ada,
      currency: 'EUR',
      account_holder_name: 'Ada Okafor',
      account_number: 'DE89370400440532013000',
      bank_name: expect.any(String),
      bic: expect.stringMatching(/^[A-Z]{6}[A-Z0-9]0$/),
      crypto: null,
      chain: null,
      created_at: BEGINNING,
    })
  })

  test('keeps all that is given, and an offramp to it expects what it says', async () => {
    const api = await openSandbox()
    const body = {
      ...registration(),
      account_holder_name: 'A. Okafor',
      bank_name: 'Rhine Test Bank',
      bic: 'RTBKDEF0',
      nickname: 'Savings',
      crypto: 'USDT',
      chain: 'tron',
    }
    const made = await api.make<Account>(path, body)
    expect(made).toMatchObject(body)
    const offramp = { user_id: users.ada, account_id: made.account_id }
    expect(await api.make<Instruction>('/payment/api/v1/offramp', offramp)).toMatchObject({
      crypto: 'USDT',
      chain: 'tron',
    })
  })
})
