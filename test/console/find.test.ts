import { expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import {
  accounts,
  addresses,
  consentId,
  NOBODY,
  offrampId,
  payoutId,
  transferId,
  users,
  walletId,
} from '../support/fixture-ids.js'

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
  ['DE89370400440532013000', `/users/${users.ada}`],
  [consentId(1), `/users/${users.ada}`],
  ['aaaaaaaa-aaaa-4aaa-8aaa-000000000001', '/api-keys'],
  ['bank-rejects', '/scenarios/bank-rejects'],
  ['66666666-6666-4666', `/transfers/${transferId(9)}`],
  ['000012', `/transfers/${transferId(12)}`],
])('%s leads to %s', async (text, path) => {
  const { visitor } = await openConsole()
  const shown = await visitor.get(`/find?q=${encodeURIComponent(text)}`)
  expect([shown.status, shown.path]).toEqual([200, path])
})

test('an unknown term stays in the field', async () => {
  const { visitor } = await openConsole()
  const { html } = await visitor.get('/find?q=no%20such%22thing')
  expect(html).toMatch(/<input id="find"[^>]* value="no such&quot;thing"/)
  expect((await visitor.look('/')).html).not.toMatch(/<input id="find"[^>]* value=/)
})

test('a bank reference, or its end, leads to its transfer or payout', async () => {
  const { sandbox, visitor } = await openConsole()
  sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
  sandbox.advance({ until: 'idle' })
  const transfer = sandbox.tables.transfers.list('all', '').at(-1)
  const names = [
    [transfer?.bank_txn_reference, `/transfers/${transfer?.id}`],
    [sandbox.tables.payouts.get(payoutId(1))?.reference, `/payouts/${payoutId(1)}`],
  ]
  for (const [name, path] of names) {
    expect((await visitor.get(`/find?q=${name}`)).path).toBe(path)
    expect((await visitor.get(`/find?q=${name?.slice(-12)}`)).path).toBe(path)
  }
})

test('a deposit leads to its row, on whatever page that is', async () => {
  const { sandbox, visitor } = await openConsole()
  const first = sandbox.tables.deposits.list('all', '')[0]?.id ?? ''
  for (let i = 0; i < 110; i++) sandbox.run('deposit.receive', { address: 'nowhere', amount: '1' })
  const before = sandbox.tables.deposits.size
  const { path, html } = await visitor.get(`/find?q=${first}`)
  expect(path).toBe(`/deposits?matched=all&page=${Math.floor((before - 1) / 50)}#deposit-${first}`)
  expect(html).toContain(`<tr id="deposit-${first}">`)
})

test('a part that several names have leads to one of them, and says so', async () => {
  const { sandbox, visitor } = await openConsole()
  const several = await visitor.look('/find?q=66666666')
  const [newest] = sandbox.tables.transfers.page('all', '', 0, 1)
  expect(several.path).toBe(`/transfers/${newest?.id}`)
  expect(several.text).toContain('12 records have an id, address or reference')
  expect((await visitor.look(`/find?q=${transferId(3)}`)).text).not.toContain('records have')
  expect((await visitor.look('/find?q=8666-000000000003')).text).not.toContain('records have')
})

test('the end of an id is found among all records, however old', async () => {
  const { sandbox, visitor } = await openConsole()
  const old = sandbox.tables.transfers.list('all', '')[0]?.id ?? ''
  for (let i = 0; i < 1_100; i++) {
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
  }
  expect((await visitor.get(`/find?q=${old.slice(0, 30)}`)).status).toBe(200)
  expect((await visitor.get(`/find?q=${old.slice(-20)}`)).path).toBe(`/transfers/${old}`)
})

test('a request is found by its id', async () => {
  const { api, visitor } = await openConsole()
  const { headers } = await api.get('/payment/nowhere')
  const id = headers.get('x-request-id')
  expect((await visitor.get(`/find?q=${id}`)).path).toBe(`/requests/${id}`)
})

test.each([NOBODY, 'zzz', '0'])('%s leads nowhere, and says so', async (text) => {
  const { visitor } = await openConsole()
  const shown = await visitor.get(`/find?q=${text}`)
  expect(shown.status).toBe(404)
  expect(shown.text).toContain(`No match for ${text} .`)
})
