import { describe, expect, test } from 'vitest'
import { idInPathCases } from '../support/cases/id-in-path-cases.js'
import type { Subject } from '../support/cases/subject.js'
import { type Client, expectRefusal } from '../support/client.js'
import { addresses, NOBODY, users } from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'

const pathOf = (crypto: string, chain: string, user: string) =>
  `/payment/api/v1/offramp-audit/crypto-balance/${crypto}/${chain}/${user}`
const subject: Subject = {
  method: 'GET',
  path: pathOf('USDC', 'polygon', users.ada),
  success: 200,
}

describe('getCryptoBalance', () => {
  idInPathCases({
    over: 'fetch',
    subject,
    field: 'user_id',
    id: users.ada,
    unknown: 'no user has the id',
  })

  test.each([
    ['USDC', 'ethereum', users.ada, 1_500],
    ['USDT', 'ethereum', users.ada, 400],
    ['USDC', 'polygon', users.ada, 750.25],
    ['USDC', 'solana', users.ada, 420.5],
    ['USDT', 'tron', users.ada, 0],
    ['USDC', 'ethereum', users.ben, 0],
    ['USDT', 'ethereum', users.ben, 300],
    ['USDC', 'polygon', users.hanna, 0],
    ['USDC', 'polygon', users.offboarded, 0],
  ])('%s on %s of user %s is a bare number', async (crypto, chain, user, balance) => {
    const api = await openSandbox()
    expect(await api.read<number>(pathOf(crypto, chain, user))).toBe(balance)
  })

  test.each([
    ['usdc', 'polygon'],
    ['Usdc', 'Polygon'],
    ['USDC', 'POLYGON'],
    ['%55SDC', 'polygon'],
  ])('%s on %s is the same in any case', async (crypto, chain) => {
    const api = await openSandbox()
    expect(await api.read<number>(pathOf(crypto, chain, users.ada))).toBe(750.25)
  })

  test.each([
    [
      'DOGE',
      'polygon',
      'Invalid crypto: got "DOGE". Expected a known token on polygon: USDC, USDT',
    ],
    ['USDT', 'base', 'Invalid crypto: got "USDT". Expected a known token on base: USDC'],
    [
      'USDC',
      'bitcoin',
      'Invalid blockchain: got "bitcoin". Expected a known chain: ethereum, polygon',
    ],
    ['%20', 'polygon', 'Invalid crypto: got " ". Expected a known token on polygon: USDC, USDT'],
    ['USDC', 'constructor', 'Invalid blockchain: got "constructor". Expected a known chain'],
    [
      'x'.repeat(256),
      'polygon',
      `Invalid crypto: got "${'x'.repeat(64)}…". Expected a known token`,
    ],
    ['u%C5%BFdc', 'polygon', 'Invalid crypto: got "uſdc". Expected a known token'],
  ])('%.20s on %s is refused', async (crypto, chain, words) => {
    const api = await openSandbox()
    expectRefusal(await api.get(pathOf(crypto, chain, users.ada)), 400, '4000', words)
  })

  test('malformed, then unknown token, then unknown user', async () => {
    const api = await openSandbox()
    const malformed = await api.get(pathOf('DOGE', 'bitcoin', 'x'))
    expectRefusal(malformed, 400, '4000', invalid('user_id', 'x'))
    const token = await api.get(pathOf('DOGE', 'polygon', NOBODY))
    expectRefusal(token, 400, '4000', invalid('crypto', 'DOGE'))
    expectRefusal(await api.get(pathOf('USDC', 'polygon', NOBODY)), 404, '4040', 'user_id: ')
  })

  test('an empty part is another path', async () => {
    const api = await openSandbox()
    expectRefusal(await api.get(pathOf('', 'polygon', users.ada)), 404, '4040', 'Unknown path')
  })

  describe('with what is not converted yet', () => {
    const scope = 'balance.scope=with_offramps'
    const tron = pathOf('USDT', 'tron', users.ben)
    const arrive = (api: Client, amount: string) =>
      api.make<{ transfer_id: string }>('/_sandbox/deposits', {
        address: addresses.benMpesa,
        amount,
      })

    test('goes up when crypto arrives, and down when it is converted or sent back', async () => {
      const api = await openSandbox({ readings: [scope] })
      const balance = () => api.read<number>(tron)
      const before = await balance()
      const first = await arrive(api, '10')
      await arrive(api, '0.5')
      await arrive(api, '30')
      expect(await balance()).toBe(before + 30 + 10)
      await api.make(`/_sandbox/transfers/${first.transfer_id}/advance`, { to: 'CANCELLED' })
      expect(await balance()).toBe(before + 30)
      expect(await api.read<number>(pathOf('USDC', 'ethereum', users.ben))).toBe(0)
      expect(await api.read<number>(pathOf('USDT', 'tron', users.hanna))).toBe(0)
      api.sandbox.advance({ until: 'idle' })
      expect(await balance()).toBe(0)
    })
  })
})
