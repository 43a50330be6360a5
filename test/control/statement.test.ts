import { expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { ownId, users } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import type { List } from '../support/wire.js'

interface Row {
  readonly at: string | null
  readonly entry: number | null
  readonly what: string
  readonly payout_id: string | null
  readonly currency: string
  readonly amount: string
  readonly fee: string | null
  readonly balance: string
}

type Api = Awaited<ReturnType<typeof openSandbox>>

const PAYOUT = '/payment/api/v1/payout'
const statement = `/_sandbox/users/${users.ada}/statement`
const read = async (api: Api, query = '') => (await api.read<List<Row>>(statement + query)).items

test('shows each movement once, with its fee and the balance after it', async () => {
  const api = await openSandbox()
  await api.make('/_sandbox/next', { operation: 'createPayout', then: { move: 'PAYOUT_FAILED' } })
  const failed = await api.make<{ id: string }>(PAYOUT, payoutRequest())
  await api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'NGN', amount: '10.00' })
  const paid = await api.make<{ id: string }>(PAYOUT, {
    ...payoutRequest(),
    customer_payout_id: ownId(2),
  })
  const rows = await read(api, '?currency=NGN')
  expect(rows.slice(0, 4).map(({ what, amount, fee }) => [what, amount, fee])).toEqual([
    ['payout', '-1550.00', '50.00'],
    ['credit', '10.00', null],
    ['payout returned', '1550.00', '50.00'],
    ['payout', '-1550.00', '50.00'],
  ])
  expect(rows.slice(0, 4).map(({ payout_id }) => payout_id)).toEqual([
    paid.id,
    null,
    failed.id,
    failed.id,
  ])
  expect(rows.at(-1)).toMatchObject({ what: 'opening', amount: rows.at(-1)?.balance })
  for (const [i, { amount, balance }] of rows.entries()) {
    const before = Number(rows[i + 1]?.balance ?? 0)
    expect(before + Number(amount)).toBeCloseTo(Number(balance))
  }
  const { items } = await api.read<List<{ currency: string; amount: number }>>(
    `/_sandbox/users/${users.ada}/balances`,
  )
  expect(items.find(({ currency }) => currency === 'NGN')?.amount).toBe(Number(rows[0]?.balance))
  const entry = api.sandbox.entries().find(({ seq }) => seq === rows[1]?.entry)
  expect(entry).toMatchObject({ command: 'balance.credit', at: rows[1]?.at })
})

test('shows deposits to a wallet, and nothing that was undone', async () => {
  const api = await openSandbox()
  const before = await read(api)
  const deposit = { address: 'adaPolygon', amount: '2.5' }
  const { wallet_id } = await api.make<{ wallet_id: string }>('/_sandbox/deposits', deposit)
  const [row] = await read(api, '?currency=USDC')
  expect(row).toMatchObject({ what: 'deposit', wallet_id })
  expect(row?.amount).toBe('2.500000')
  await api.make('/_sandbox/undo')
  expect(await read(api)).toEqual(before)
})

test('brings the balance forward of a forked world', async () => {
  const api = await openOwnSandbox()
  await api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'JPY', amount: '7' })
  await api.make('/_sandbox/snapshots', { name: 'kept' })
  const { key } = await api.make<{ key: string }>('/_sandbox/snapshots/kept/fork')
  const sent = { key, body: { currency: 'JPY', amount: '3' } }
  await api.call('POST', `/_sandbox/users/${users.ada}/balances`, sent)
  const { body } = await api.get<List<Row>>(`${statement}?currency=JPY`, { key })
  expect(body.items.map(({ what, entry, balance }) => [what, entry === null, balance])).toEqual([
    ['credit', false, '10'],
    ['brought forward', true, '7'],
  ])
})

test('shows what a restored or forked world does with a payout of before', async () => {
  const api = await openOwnSandbox()
  const { id } = await api.make<{ id: string }>(PAYOUT, payoutRequest())
  await api.make('/_sandbox/snapshots', { name: 'kept' })
  const { key } = await api.make<{ key: string }>('/_sandbox/snapshots/kept/fork')
  await api.make('/_sandbox/snapshots/kept/restore')
  const readAfterFailure = async (as: string | null = null) => {
    const options = { key: as, body: { to: 'PAYOUT_FAILED' } }
    await api.call('POST', `/_sandbox/payouts/${id}/advance`, options)
    const { body } = await api.get<List<Row>>(`${statement}?currency=NGN`, { key: as })
    return body.items.map(({ what, amount }) => [what, amount])
  }
  const returned = ['payout returned', '1550.00']
  const restored = await readAfterFailure()
  expect(restored.slice(0, 2)).toEqual([returned, ['payout', '-1550.00']])
  expect(await readAfterFailure(key)).toEqual([returned, ['brought forward', expect.anything()]])
})

test('has pages, and none for an unknown user', async () => {
  const api = await openSandbox()
  const all = await read(api)
  expect(await read(api, '?size=1&page=1')).toEqual(all.slice(1, 2))
  expectRefusal(await api.get(`/_sandbox/users/${ownId(9)}/statement`), 404, '4040')
})
