import { describe, expect, test } from 'vitest'
import { type AssumptionId, DEFAULT_READINGS } from '../../src/assumptions/ids.js'
import { assumptions } from '../../src/assumptions/register/index.js'
import { choose } from '../readings/chosen.js'
import type { Client } from '../support/client.js'
import { startRequest, startTransfer } from '../support/control.js'
import { copyFixtures, editRecord } from '../support/fixture-folder.js'
import { accountId, addresses, ownId, transferId, users } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { consentRequest, payoutRequest, userRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'

// An answer that would be the same under every reading of a question does not name it.

const { recipient_details } = payoutRequest()
const pendingPayout = {
  ...payoutRequest(),
  recipient_details: { ...recipient_details, recipient_account_number: '00000002' },
}
const { tnc_data } = consentRequest()
const impossible = '2026-02-30T10:00:00.000Z'

test.each<[string, AssumptionId, string, object]>([
  ['a payout that waits either way', 'payout.status', '/payment/api/v1/payout', pendingPayout],
  ['a payout to a bank', 'payout.rail', '/payment/api/v1/payout', payoutRequest()],
  ...(['documents', 'address', 'identity'] as const).map(
    (field): [string, AssumptionId, string, object] => [
      `text in the place of ${field}`,
      'user.formats',
      '/onboarding/api/v1/users',
      { ...userRequest(), [field]: '' },
    ],
  ),
  [
    'a text for a document',
    'user.formats',
    '/onboarding/api/v1/users',
    { ...userRequest(), documents: [''] },
  ],
  [
    'a birth on no real day',
    'user.formats',
    '/onboarding/api/v1/users',
    { ...userRequest(), date_of_birth: '1990-02-30' },
  ],
  [
    'an instant that is none',
    'consent.time',
    '/onboarding/api/v1/tnc',
    { tnc_data: { ...tnc_data, accepted_at: impossible } },
  ],
])('%s does not rest on %s', async (_, id, path, body) => {
  const api = await openSandbox()
  const { headers } = await api.post(path, body)
  expect(headers.get('x-sandbox-assumed') ?? '').not.toContain(`${id}=`)
})

test('a path that is none with or without a slash at its end does not rest on that', async () => {
  const api = await openSandbox()
  const { headers } = await api.get('/payment/api/v1/nothing/')
  expect(headers.get('x-sandbox-assumed')).not.toContain('wire.strictness')
})

test('a token that is unknown in any case does not rest on chain.spelling', async () => {
  const api = await openSandbox()
  const path = `/payment/api/v1/offramp-audit/crypto-balance/constructor/polygon/${users.ada}`
  const { status, headers } = await api.get(path)
  expect(status).toBe(400)
  expect(headers.get('x-sandbox-assumed')).not.toContain('chain.spelling=')
})

const AUDIT = '/payment/api/v1/fx-audit'
const assumedBy = (answer: { readonly headers: Headers }) =>
  answer.headers.get('x-sandbox-assumed') ?? ''
const statusOf = async (api: Client, id: string, headers: Record<string, string> = {}) =>
  assumedBy(await api.get(`${AUDIT}/status/${id}`, { headers }))

test('x-sandbox-assumed omits transfer.fees_currency for a transfer at a rate of 1', async () => {
  const reported = await statusOf(await openSandbox(), transferId(9))
  expect(reported).not.toContain('transfer.fees_currency=')
})

test('a transfer whose amounts are not shown rests on nothing that is about them', async () => {
  const headers = { 'x-sandbox-reading': 'transfer.unconverted=null' }
  const reported = await statusOf(await openSandbox(), transferId(8), headers)
  expect(reported).toContain('transfer.unconverted=null')
  expect(reported).not.toMatch(/transfer\.(rate|fees_currency)=/)
})

test('transfers without fees do not rest on what is said of fees', async () => {
  const fixtures = copyFixtures()
  for (const rail of [0, 1, 2, 3, 4, 5])
    editRecord(fixtures, 'rails.json', rail, { transfer_fee: '0' })
  const api = await openOwnSandbox({ fixtures })
  const { id } = await startTransfer(api)
  expect(await statusOf(api, id)).not.toContain('transfer.fees_currency=')
  expect(assumedBy(await api.get(`${AUDIT}/${users.ada}?size=1`))).not.toMatch(
    /transfer\.fees_currency=|transfer_audit\.target_amount=/,
  )
})

test('an audit of a user for whom nothing was initiated does not rest on offramp.listed', async () => {
  const api = await openSandbox()
  const auditOf = (user: string) => api.get(`/payment/api/v1/offramp-audit/${user}`)
  const { account_id } = await api.make<{ account_id: string }>(
    `/_sandbox/users/${users.hanna}/accounts`,
    { currency: 'GBP', account_number: '31926819' },
  )
  expect(assumedBy(await auditOf(users.hanna))).not.toContain('offramp.listed=')
  await api.make('/payment/api/v1/offramp', { user_id: users.hanna, account_id })
  expect(assumedBy(await auditOf(users.hanna))).toContain('offramp.listed=on_deposit')
  // An arrived deposit has its id and its time from the deposit or from the initiation.
  expect(assumedBy(await auditOf(users.ada))).toContain('offramp.listed=on_deposit')
})

test('an account that asks for USDC on solana does not rest on offramp.asset', async () => {
  const initiate = async (headers: Record<string, string> = {}) => {
    const body = { user_id: users.ada, account_id: accountId(3) }
    return api.post<{ address: string }>('/payment/api/v1/offramp', body, { headers })
  }
  const api = await openSandbox()
  const answer = await initiate()
  expect(assumedBy(answer)).not.toContain('offramp.asset=')
  const other = await initiate({ 'x-sandbox-reading': 'offramp.asset=solana' })
  expect(other.body).toEqual(answer.body)
})

test('a user who is created is under review, whatever becomes of it at once', async () => {
  const rejected = '  - { when: user.created, then: [{ move: rejected }] }'
  const api = await openOwnSandbox({ scenarios: [scenarioFile('test', rejected)] })
  const answer = await api.post<{ id: string }>('/onboarding/api/v1/users', userRequest())
  expect(answer.body).toMatchObject({ status: 'under_review', rejection_reasons: null })
  expect(api.sandbox.tables.users.get(answer.body.id)?.status).toBe('rejected')
  const open: readonly AssumptionId[] = [
    'user.transitions',
    'user.rejection_reasons',
    'user.requirements',
  ]
  for (const id of open) expect(assumptions[id].operations).not.toContain('createUser')
})

const OFFRAMPS = '/payment/api/v1/offramp-audit'
const auditsOf = async (api: Client, user: string, query = '', headers = {}) => {
  const paths = [`${OFFRAMPS}/${user}${query}`, `${AUDIT}/${user}${query}`]
  return Promise.all(paths.map(async (path) => assumedBy(await api.get(path, { headers }))))
}
const deposit = (api: Client, more: object) =>
  api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '100', ...more })

describe('crypto that was kept aside, which another reading would list', () => {
  const usdt = { crypto: 'USDT', chain: 'ethereum' }

  test('another token is an assumption of every audit page of its user only', async () => {
    const api = await openSandbox()
    for (const reported of await auditsOf(api, users.ada))
      expect(reported).not.toContain('other_token')
    await deposit(api, usdt)
    for (const query of ['', '?page=9']) {
      for (const reported of await auditsOf(api, users.ada, query)) {
        expect(reported).toContain('offramp.other_token=unmatched')
      }
    }
    for (const reported of await auditsOf(api, users.ben))
      expect(reported).not.toContain('other_token')
  })

  test('so that strict refuses them', async () => {
    const readings = Object.entries(DEFAULT_READINGS)
      .filter(([id]) => id !== 'offramp.other_token')
      .map(([id, reading]) => `${id}=${reading}`)
    const api = await openSandbox({ strict: true, readings })
    const read = () => api.get<{ message?: string }>(`${OFFRAMPS}/${users.ada}`)
    expect((await read()).status).toBe(200)
    await deposit(api, usdt)
    const { status, body } = await read()
    expect(status).toBe(501)
    expect(body.message).toContain('offramp.other_token')
  })

  test('a token that no reading converts is no assumption', async () => {
    const api = await openSandbox()
    await deposit(api, { crypto: 'DOGE' })
    await deposit(api, { chain: 'nowhere' })
    for (const reported of await auditsOf(api, users.ada))
      expect(reported).not.toContain('other_token')
  })

  test('a token without a rate is no assumption', async () => {
    const fixtures = copyFixtures()
    editRecord(fixtures, 'tokens.json', 'new', { symbol: 'ODD', chain: 'polygon' })
    const api = await openOwnSandbox({ fixtures })
    await deposit(api, { crypto: 'ODD' })
    for (const reported of await auditsOf(api, users.ada))
      expect(reported).not.toContain('other_token')
  })

  test('the transfer audit does not assume it where it lists no offramps', async () => {
    const api = await openSandbox()
    await deposit(api, usdt)
    const headers = { 'x-sandbox-reading': 'transfer_audit.offramps=left_out' }
    const [offramps, transfers] = await auditsOf(api, users.ada, '', headers)
    expect(offramps).toContain('offramp.other_token=unmatched')
    expect(transfers).not.toContain('offramp.other_token')
  })

  test('a balance assumes it where it counts pending deposits', async () => {
    const api = await openSandbox()
    await deposit(api, usdt)
    const balance = async (asset: string, reading: string) => {
      const headers = { 'x-sandbox-reading': `balance.scope=${reading}` }
      return assumedBy(
        await api.get(`${OFFRAMPS}/crypto-balance/${asset}/${users.ada}`, { headers }),
      )
    }
    expect(await balance('USDT/ethereum', 'wallets')).not.toContain('other_token')
    expect(await balance('USDT/ethereum', 'with_offramps')).toContain('other_token=unmatched')
    expect(await balance('USDC/ethereum', 'with_offramps')).not.toContain('other_token')
    await choose(api, 'offramp.other_token', 'converted')
    await deposit(api, { ...usdt, chain: 'polygon' })
    expect(await balance('USDT/polygon', 'wallets')).not.toContain('other_token')
    expect(await balance('USDT/polygon', 'with_offramps')).toContain('other_token=converted')
  })

  test('a deposit below the fee is an assumption of every page, listed or not', async () => {
    for (const reading of ['failed', 'unmatched']) {
      const api = await openSandbox()
      for (const reported of await auditsOf(api, users.ada))
        expect(reported).not.toContain('below_fee')
      await choose(api, 'offramp.below_fee', reading)
      await deposit(api, { amount: '0.5' })
      for (const query of ['', '?page=9']) {
        for (const reported of await auditsOf(api, users.ada, query)) {
          expect(reported).toContain(`offramp.below_fee=${reading}`)
        }
      }
    }
  })

  test('a transfer from a bank that is smaller than the fee is no deposit', async () => {
    const api = await openSandbox()
    const request = { ...startRequest(), source_amount: '0.5' }
    const { id } = await api.make<{ id: string }>('/_sandbox/transfers', request)
    expect(api.sandbox.tables.transfers.get(id)?.reason).toBe('below_fee')
    expect(await statusOf(api, id)).not.toContain('below_fee')
    for (const reported of await auditsOf(api, users.ada))
      expect(reported).not.toContain('below_fee')
  })
})

test('transfer.transitions is listed for a payment that came back, and for no other transfer', async () => {
  const api = await openSandbox()
  const { id } = await startTransfer(api)
  const listed = async () => [
    ...(await auditsOf(api, users.ada, '?size=1')),
    await statusOf(api, id),
  ]
  api.sandbox.advance({ until: 'idle' })
  for (const assumed of await listed()) expect(assumed).not.toContain('transfer.transitions')
  await api.make(`/_sandbox/transfers/${id}/advance`, { to: 'FAILED' })
  const [offramps, ...transfers] = await listed()
  expect(offramps).not.toContain('transfer.transitions')
  for (const assumed of transfers) expect(assumed).toContain('transfer.transitions=sandbox')
})

test('user.transitions is never listed: each reading shows the statuses of users alike', async () => {
  const api = await openSandbox()
  expect(assumedBy(await api.get('/onboarding/api/v1/users/all'))).not.toContain('user.transitions')
})

test('a payout refused for its balance lists payout.failed_fee only after a failed payout in its currency', async () => {
  const api = await openSandbox()
  await choose(api, 'payout.failed_fee', 'kept')
  const failing = { ...recipient_details, recipient_account_number: '00000001' }
  await api.make('/payment/api/v1/payout', { ...payoutRequest(), recipient_details: failing })
  const refusedIn = async (currency: string) => {
    const ids = { user_id: users.ada, customer_payout_id: ownId(8) }
    const body = { ...payoutRequest(), ...ids, currency, amount: '99999999.00' }
    const answer = await api.post('/payment/api/v1/payout', body)
    expect(answer.status).toBe(400)
    return assumedBy(answer)
  }
  expect(await refusedIn('NGN')).toContain('payout.failed_fee=kept')
  expect(await refusedIn('EUR')).not.toContain('payout.failed_fee')
})
