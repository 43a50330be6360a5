import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.js'
import { addresses, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { Audit, Instruction, OfframpItem } from '../support/wire.js'

// offramp.listed=on_initiate: the first deposit to an address is the transaction that was listed before.

const EARLY = 'offramp.listed=on_initiate'
const AUDIT = `/payment/api/v1/offramp-audit/${users.ada}`

const auditAs = async (api: Client, reading: string, query = '?size=100') => {
  const headers = { 'x-sandbox-reading': reading }
  const { body } = await api.get<Audit<OfframpItem>>(`${AUDIT}${query}`, { headers })
  return body.transactions
}

/** Initiates an offramp to an account of its own. */
const initiate = async (api: Client): Promise<string> => {
  const { account_id } = await api.make<{ account_id: string }>(
    `/_sandbox/users/${users.ada}/accounts`,
    { currency: 'GBP', account_number: '31926819' },
  )
  const body = { user_id: users.ada, account_id }
  return (await api.make<Instruction>('/payment/api/v1/offramp', body)).address
}

interface Deposit {
  readonly offramp_id: string
  readonly transfer_id: string
}

/** Lets crypto come, a minute after what was before. */
const deposit = (api: Client, address: string, amount = '100') => {
  api.sandbox.advance('1m')
  return api.make<Deposit>('/_sandbox/deposits', { address, amount })
}

describe('an offramp that is listed from its initiation on', () => {
  test('keeps id and time when funds come; only what comes later is listed besides', async () => {
    const api = await openSandbox()
    const address = await initiate(api)
    const [awaited, ...before] = await auditAs(api, EARLY)
    expect(awaited).toMatchObject({ crypto_amount: 0, fiat_amount: 0, status: 'pending' })
    await deposit(api, address)
    const [first, ...rest] = await auditAs(api, EARLY)
    expect(first).toMatchObject({ id: awaited?.id, created_at: awaited?.created_at })
    expect(first?.crypto_amount).toBe(100)
    expect(rest).toEqual(before)
    const { offramp_id } = await deposit(api, address, '200')
    const [second, ...others] = await auditAs(api, EARLY)
    expect(second).toMatchObject({ id: offramp_id, crypto_amount: 200 })
    expect(others.map(({ id }) => id)).toEqual([first, ...before].map((it) => it?.id))
    api.sandbox.advance({ until: 'idle' })
    expect((await auditAs(api, EARLY))[1]).toMatchObject({
      id: awaited?.id,
      created_at: awaited?.created_at,
      status: 'payment_processed',
    })
  })

  test('stays in its place among others of the same instant', async () => {
    const api = await openSandbox()
    const [one, other] = [await initiate(api), await initiate(api)]
    await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '100' })
    const ids = async (query?: string) => (await auditAs(api, EARLY, query)).map(({ id }) => id)
    const before = await ids()
    expect(before).toHaveLength(9)
    await deposit(api, other)
    await deposit(api, one)
    expect(await ids()).toEqual(before)
    expect(await ids('?size=2&page=1')).toEqual(before.slice(2, 4))
  })

  test('waits for its id where that is its transfer’s', async () => {
    const api = await openSandbox()
    const both = `${EARLY}, offramp.id=transfer`
    const address = await initiate(api)
    const [awaited] = await auditAs(api, both)
    expect(awaited).toMatchObject({ id: null, crypto_amount: 0 })
    const { transfer_id } = await deposit(api, address)
    const [first] = await auditAs(api, both)
    expect(first).toMatchObject({ id: transfer_id, created_at: awaited?.created_at })
    await api.read(`/payment/api/v1/fx-audit/status/${transfer_id}`)
  })
})
