import { expect, test } from 'vitest'
import {
  accounts,
  addresses,
  NOBODY,
  offrampId,
  payoutId,
  transferId,
  users,
  walletId,
} from '../support/fixture-ids.js'
import { openConsole } from '../support/visitor.js'

test.each([
  [transferId(1), `/transfers/${transferId(1)}`],
  [transferId(1).toUpperCase(), `/transfers/${transferId(1)}`],
  [` ${payoutId(1)} `, `/payouts/${payoutId(1)}`],
  [users.ben, `/users/${users.ben}`],
  ['ADA.okafor@example.com', `/users/${users.ada}`],
  [accounts.adaEur, `/users/${users.ada}`],
  [addresses.adaNgn, `/users/${users.ada}`],
  [walletId(1), `/wallets?user_id=${users.ada}`],
  [offrampId(1), `/transfers/${transferId(1)}`],
  ['bank-rejects', '/scenarios/bank-rejects'],
  ['66666666-6666-4666', `/transfers/${transferId(9)}`],
  ['000012', `/transfers/${transferId(12)}`],
])('%s leads to %s', async (text, path) => {
  const { visitor } = await openConsole()
  const shown = await visitor.get(`/find?q=${encodeURIComponent(text)}`)
  expect([shown.status, shown.path]).toEqual([200, path])
})

test('a request is found by its id', async () => {
  const { api, visitor } = await openConsole()
  const { headers } = await api.get('/nowhere')
  const id = headers.get('x-request-id')
  expect((await visitor.get(`/find?q=${id}`)).path).toBe(`/requests/${id}`)
})

test.each([NOBODY, 'zzz', '0'])('%s leads nowhere, and says so', async (text) => {
  const { visitor } = await openConsole()
  const shown = await visitor.get(`/find?q=${text}`)
  expect(shown.status).toBe(404)
  expect(shown.text).toContain(`Nothing is named ${text} .`)
})
