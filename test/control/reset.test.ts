import { expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { expectRefusal } from '../support/client.js'
import { addresses, BEGINNING, payoutId, transferId, users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import {
  consentRequest,
  offrampRequest,
  payoutRequest,
  userRequest,
  walletRequest,
} from '../support/requests.js'

/** Every record of every table, as text. */
const recordsOf = ({ sandbox }: Client): string =>
  JSON.stringify(
    Object.entries(sandbox.tables).map(([name, table]) => [name, 'all' in table && table.all()]),
    null,
    1,
  )

/** Something of everything; answers all that was answered, ids included. */
const live = async (api: Client): Promise<unknown[]> => [
  await api.make('/onboarding/api/v1/tnc', consentRequest()),
  await api.make('/onboarding/api/v1/users', userRequest()),
  await api.make('/payment/api/v1/payout', payoutRequest()),
  await api.make('/payment/api/v1/custody-wallet', walletRequest()),
  await api.make('/payment/api/v1/offramp', offrampRequest()),
  await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: 55 }),
  await api.make('/_sandbox/deposits', { address: 'nowhere', amount: 1 }),
  await api.make('/_sandbox/clock/advance', { by: '3s' }).then(() => api.sandbox.now),
  await api.make(`/_sandbox/transfers/${transferId(9)}/advance`, { to: 'FAILED' }),
  await api.make(`/_sandbox/payouts/${payoutId(3)}/advance`),
  await api.make(`/_sandbox/users/${users.ben}/status`, { status: 'paused' }),
  await api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'JPY', amount: 7 }),
  await api.call('PUT', '/_sandbox/clock', { body: { mode: '60x' } }).then(() => 'faster'),
]

const open = () => openOwnSandbox({ seed: 'reset', machineClock: () => 0 })

test('records are exactly those of a new sandbox with the same seed', async () => {
  const api = await open()
  const fresh = recordsOf(await open())
  expect(recordsOf(api)).toBe(fresh)
  await live(api)
  expect(recordsOf(api)).not.toBe(fresh)
  expect(await api.make('/_sandbox/reset')).toEqual({ now: BEGINNING, seed: 'reset' })
  expect(recordsOf(api)).toBe(fresh)
  expect(api.sandbox.audit()).toEqual((await open()).sandbox.audit())
})

test('what is done after it comes out as it did before it, ids and all', async () => {
  const api = await open()
  const first = await live(api)
  const records = recordsOf(api)
  for (let n = 0; n < 3; n++) {
    await api.make('/_sandbox/reset')
    expect(await live(api)).toEqual(first)
    expect(recordsOf(api)).toBe(records)
  }
})

test('another seed makes other ids', async () => {
  const ids = async (seed: string) => {
    const api = await openOwnSandbox({ seed })
    return (await live(api))[0]
  }
  expect(await ids('one')).toBe(await ids('one'))
  expect(await ids('one')).not.toBe(await ids('two'))
})

test('pending timers are forgotten', async () => {
  const api = await open()
  await live(api)
  expect(api.sandbox.tables.timers.size).toBeGreaterThan(0)
  await api.make('/_sandbox/reset')
  expect(api.sandbox.advance({ until: 'idle' })).toMatchObject({ count: 0 })
})

test('numbers of entries go on', async () => {
  const api = await open()
  const highest = () => {
    api.sandbox.run('transfer.start', {
      user_id: users.ada,
      account_id: '22222222-2222-4222-8222-000000000001',
      source_currency: 'USD',
      source_amount: '5.00',
    })
    return api.sandbox.advance('1h').fired.at(-1)?.seq ?? 0
  }
  const before = highest()
  await api.make('/_sandbox/reset')
  expect(highest()).toBeGreaterThan(before)
})

test('needs no body, and minds none', async () => {
  const api = await open()
  const headers = { 'content-type': 'text/plain' }
  const answer = await api.call('POST', '/_sandbox/reset', { raw: 'now!', headers })
  expect(answer.body).toEqual({ now: BEGINNING, seed: 'reset' })
  expectRefusal(await api.get('/_sandbox/reset'), 405, '4050')
})
