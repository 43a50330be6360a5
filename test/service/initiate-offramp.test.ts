import { describe, expect, test } from 'vitest'
import { isValidAddress } from '../support/addresses.js'
import { field, fieldCases } from '../support/cases/field-cases.js'
import { footprint, type Subject } from '../support/cases/subject.js'
import { expectRefusal } from '../support/client.js'
import { accountId, accounts, addresses, NOBODY, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { offrampRequest } from '../support/requests.js'
import type { Audit, Instruction, OfframpItem } from '../support/wire.js'

const path = '/payment/api/v1/offramp'
const subject: Subject = { method: 'POST', path, body: offrampRequest, success: 200 }

describe('initiateOfframp', () => {
  fieldCases({ over: 'fetch', subject }, [field('user_id', 'uuid'), field('account_id', 'uuid')])

  test.each([
    ['adaEur', users.ada, { address: addresses.adaEur, crypto: 'USDC', chain: 'polygon' }],
    ['adaUsd', users.ada, { address: addresses.adaUsd, crypto: 'USDT', chain: 'ethereum' }],
    ['adaNgn', users.ada, { address: addresses.adaNgn, crypto: 'USDC', chain: 'solana' }],
    ['benMpesa', users.ben, { address: addresses.benMpesa, crypto: 'USDT', chain: 'tron' }],
  ] as const)('%s has a deposit address already', async (account, user_id, instruction) => {
    const api = await openSandbox()
    const answer = await api.post<Instruction>(path, { user_id, account_id: accounts[account] })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['address', 'crypto', 'chain'])
    expect(answer.body).toEqual(instruction)
  })

  test('an account that does not say expects USDC on polygon, at the same address each time', async () => {
    const api = await openSandbox()
    const body = { user_id: users.ada, account_id: accounts.adaKes }
    const first = await api.make<Instruction>(path, body)
    expect(first).toEqual({ address: expect.any(String), crypto: 'USDC', chain: 'polygon' })
    expect(isValidAddress('polygon', first.address)).toBe(true)
    expect(Object.values<string>(addresses)).not.toContain(first.address)
    const before = footprint(api)
    api.sandbox.advance('1d')
    const shouted = {
      user_id: body.user_id.toUpperCase(),
      account_id: body.account_id.toUpperCase(),
    }
    expect(await api.make<Instruction>(path, shouted)).toEqual(first)
    expect(footprint(api)).toEqual(before)
  })

  test.each(['ethereum', 'base', 'arbitrum', 'solana', 'tron'])(
    'an account that expects USDT or USDC on %s gets an address there',
    async (chain) => {
      const api = await openSandbox()
      const crypto = chain === 'tron' ? 'USDT' : 'USDC'
      const registration = { currency: 'EUR', account_number: '12345678', crypto, chain }
      const { account_id } = await api.make<{ account_id: string }>(
        `/_sandbox/users/${users.hanna}/accounts`,
        registration,
      )
      const made = await api.make<Instruction>(path, { user_id: users.hanna, account_id })
      expect(made).toMatchObject({ crypto, chain })
      expect(isValidAddress(chain, made.address)).toBe(true)
    },
  )

  test('initiating lists nothing yet', async () => {
    const api = await openSandbox()
    const audit = `/payment/api/v1/offramp-audit/${users.ada}`
    const before = await api.read<Audit<OfframpItem>>(audit)
    await api.make(path, { user_id: users.ada, account_id: accounts.adaKes })
    api.sandbox.advance('1d')
    expect(await api.read<Audit<OfframpItem>>(audit)).toEqual(before)
  })

  test.each([
    ['unknown', NOBODY],
    ['another user’s', accounts.benEur],
    ['a user’s id', users.ada],
  ])('an account that is %s is not found', async (_, account_id) => {
    const api = await openSandbox()
    const before = footprint(api)
    const answer = await api.post(path, { user_id: users.ada, account_id })
    const words = `account_id: user ${users.ada} has no destination account with the id ${account_id}`
    expectRefusal(answer, 404, '4040', words)
    expect(footprint(api)).toEqual(before)
  })

  test('a user who is paused loses the way to an address that is there', async () => {
    const api = await openSandbox()
    await api.make(`/_sandbox/users/${users.ada}/status`, { status: 'paused' })
    expectRefusal(await api.post(path, offrampRequest()), 400, '4000', 'is paused')
  })

  test('the accounts of test values have addresses of their own', async () => {
    const api = await openSandbox()
    api.sandbox.run('scenarios.activate', { names: [] })
    const seen = new Set<string>()
    for (const n of [101, 102, 103, 104]) {
      const body = { user_id: users.ada, account_id: accountId(n) }
      seen.add((await api.make<Instruction>(path, body)).address)
    }
    expect(seen.size).toBe(4)
  })
})
