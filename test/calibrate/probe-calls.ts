import { PNG } from '../support/requests.js'
import { account, O, P, READ_KEY, type Service, user } from './recorded-service.js'

/** Requests that show the open questions, as a careful engineer would send them. */

export const NOBODY = '5a4d5052-0000-4000-8000-000000000001'
const GOOD = '2026-06-15T08:59:00.000Z'

type Body = Record<string, unknown>

export const payment = (user_id: string, customer_payout_id: string, more: Body = {}) => ({
  user_id,
  currency: 'NGN',
  customer_payout_id,
  amount: '100.00',
  recipient_details: {
    bank_name: 'Marina Test Bank',
    account_holder_name: 'Ada Okafor',
    recipient_account_number: '0690000031',
  },
  ...more,
})

export const to = (recipient_account_number: string, more: Body = {}) => ({
  recipient_details: {
    bank_name: 'Marina Test Bank',
    account_holder_name: 'Ada Okafor',
    recipient_account_number,
    ...more,
  },
})

export const newUser = (n: number, consent_id: unknown, more: Body = {}) => ({
  first_name: 'Zoe',
  last_name: 'Probe',
  email_address: `probe-${n}@example.com`,
  phone_number: `+23480${String(n).padStart(9, '0')}`,
  user_type: 'individual',
  date_of_birth: '1990-04-12',
  consent_id,
  sharing_consent: true,
  identity: {
    identity_country_code: 'NGA',
    identity_number: `A${n}`,
    identity_document_name: 'Passport',
    identity_document_front: PNG,
    identity_document_back: PNG,
  },
  address: {
    line1: '14 Marina Road',
    city: 'Lagos',
    sub_division: 'Lagos State',
    country: 'NGA',
    postal_code: '101241',
  },
  ...more,
})

export const tnc = (accepted_at?: string, tnc_accepted = true) => ({
  tnc_data: { tnc_accepted, ...(accepted_at !== undefined && { accepted_at }) },
})

const asker =
  ({ call }: Service) =>
  async (path: string, odd: unknown, plain: unknown) => {
    const answer = await call('POST', path, odd)
    if (answer.status === 400) await call('POST', path, plain)
    return answer
  }

/** All users, page by page. */
export const listAll = async ({ call }: Service): Promise<void> => {
  const first = (await call('GET', `${O}/users/all`)).body as {
    pagination?: { total_pages: number }
  }
  for (let page = 1; page < (first.pagination?.total_pages ?? 0); page++)
    await call('GET', `${O}/users/all?page=${page}`)
}

type Listed = { transactions?: { id?: string }[] } | undefined

const readDetails = async ({ call }: Service, most = 12): Promise<void> => {
  const list = (await call('GET', `${P}/fx-audit/${user(1)}?size=100`)).body as Listed
  for (const { id } of list?.transactions?.slice(0, most) ?? [])
    await call('GET', `${P}/fx-audit/status/${id}`)
}

export const probeReads = async (service: Service): Promise<void> => {
  const { call } = service
  const get = (path: string) => call('GET', path)
  await listAll(service)
  for (const id of [user(1), user(2)]) {
    await get(`${P}/offramp-audit/${id}?size=100`)
    await get(`${P}/fx-audit/${id}?size=100`)
  }
  await readDetails(service)
  const own = `${P}/fx-audit/${user(1)}`
  for (const more of ['', '?size=101', '?size=0', '?page=99', '?colour=red']) await get(own + more)
  for (const path of [`${P}/fx-audit/${NOBODY}`, `${P}/offramp-audit/${NOBODY}`, `${P}/nothing`])
    await get(path)
  const balance = `${P}/offramp-audit/crypto-balance`
  for (const path of [
    `NOCOIN/polygon/${user(1)}`,
    `USDC/polygon/${user(1)}`,
    `usdc/Polygon/${user(1)}`,
    `USDC/ethereum/${user(1)}`,
    `USDC/polygon/${NOBODY}`,
    `USDC/polygon/${user(8)}`,
    `USDC/ethereum/${user(2)}`,
  ])
    await get(`${balance}/${path}`)
  await call('GET', `${O}/users/all`, undefined, { key: READ_KEY })
}

export const probeWrites = async (service: Service): Promise<void> => {
  const { call, uuid } = service
  const ask = asker(service)
  await ask(`${O}/tnc`, { ...tnc(GOOD), colour: 'red' }, tnc(GOOD))
  await call('POST', `${O}/tnc`, tnc(GOOD))
  const large = JSON.stringify(tnc(GOOD)) + ' '.repeat(11 * 2 ** 20)
  await call('POST', `${O}/tnc`, undefined, { raw: large })
  let person = 4_711_000
  const make = async (change: Body = {}) => {
    const consent = (await call('POST', `${O}/tnc`, tnc(GOOD))).body
    const plain = newUser(++person, consent)
    await ask(`${O}/users`, { ...plain, ...change }, plain)
    return plain
  }
  const first = await make()
  await make({ email_address: first.email_address })
  await make({ identity: first.identity })
  await listAll(service)
  const wallets = `${P}/custody-wallet`
  const wallet = (chain: string, customer_wallet_ref = uuid(), user_id = user(1)) => ({
    user_id,
    chain,
    customer_wallet_ref,
  })
  const one = wallet('base')
  for (const body of [one, one, wallet('base'), wallet('arbitrum'), wallet('polygon')])
    await call('POST', wallets, body)
  await call('POST', wallets, wallet('polygon', uuid(), user(7)))
  await call('POST', wallets, wallet('arbitrum', uuid(), user(7)))
  const offramp = (n: number, user_id = user(1)) =>
    call('POST', `${P}/offramp`, { user_id, account_id: account(n) })
  for (const n of [1, 1, 2, 4]) await offramp(n)
  await offramp(7, user(7))
  await listAll(service)
}

/** Requests that are sent again after the bank returned the money, and after a day. */
export interface Later {
  readonly plain: Body
  readonly returned: Body
}

export const probePayouts = async (service: Service): Promise<Later> => {
  const { call, uuid } = service
  const path = `${P}/payout`
  const ask = (odd: Body, plain: Body) => asker(service)(path, odd, plain)
  const post = (body: Body) => call('POST', path, body)
  const totals = () => call('GET', `${P}/custody-wallet/total-balances`)
  await listAll(service)
  await totals()
  const [plain = {}, ...more] = [31, 32, 33, 34].map((n) =>
    payment(user(1), uuid(), to(`06900000${n}`)),
  )
  for (const body of [plain, ...more]) await post(body)
  await totals()
  for (const body of [plain, ...more]) await post(body)
  await post({ ...plain, amount: '99.00' })
  await post({ ...plain, amount: '99.00', customer_payout_id: uuid() })
  await post(payment(user(8), uuid()))
  const huge = payment(user(1), uuid(), { amount: '99999999.00' })
  await post(huge)
  await post({ ...huge, amount: '100.00' })
  const small = payment(user(1), uuid(), { amount: '50.00' })
  await ask(small, { ...small, amount: '100.00' })
  const odd = payment(user(1), uuid(), to('069000003'))
  await ask(odd, { ...odd, ...to('0690000031') })
  const bad = payment(user(1), uuid(), to('0000000001'))
  await post(bad)
  await post(bad)
  const returned = payment(user(1), uuid(), to('0000000004'))
  await post(returned)
  await post(returned)
  await listAll(service)
  return { plain, returned }
}

type Asset = { address: string; crypto: string; chain: string }

/** The operator sends deposits, moves a rate and waits for a day. */
export const probeDeposits = async (
  service: Service,
  { plain, returned }: Later,
): Promise<void> => {
  const { call, sandbox, facts } = service
  const asset = (await call('POST', `${P}/offramp`, { user_id: user(1), account_id: account(1) }))
    .body as Asset
  sandbox.advance('30m')
  const read = () =>
    call('GET', `${P}/offramp-audit/crypto-balance/${asset.crypto}/${asset.chain}/${user(1)}`)
  const send = async (amount: number) => {
    facts.deposits.push({ ...asset, amount, at: sandbox.now })
    const { transfer_id } = sandbox.run('deposit.receive', {
      address: asset.address,
      amount: String(amount),
    })
    return async () => {
      if (transfer_id) await call('GET', `${P}/fx-audit/status/${transfer_id}`)
    }
  }
  await read()
  sandbox.advance('2s')
  const first = await send(100.1)
  await call('GET', `${P}/offramp-audit/crypto-balance/${asset.crypto}/${asset.chain}/${user(1)}`)
  await first()
  await sandbox.fetch('/_sandbox/rates', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ base: 'USD', quote: 'EUR', rate: '0.86' }),
  })
  sandbox.advance('1s')
  const second = await send(100.02)
  await second()
  sandbox.advance('10s')
  await first()
  await second()
  await send(5)
  sandbox.advance('1m')
  await call('GET', `${P}/offramp-audit/${user(1)}?size=100`)
  await readDetails(service)
  await call('POST', `${P}/payout`, returned, { step: '2h' })
  await call('POST', `${P}/payout`, plain, { step: '25h' })
}

/** Two equal requests at once: the service holds the first one for 400 ms. */
export const probeOverlap = async ({ call, sandbox, held, uuid }: Service): Promise<void> => {
  const rules = ['createPayout', 'createCustodyWallet'].map((operation) => ({
    when: 'request',
    if: { operation },
    limit: 1,
    then: [{ hold: { before: 'commit', for: '400ms' } }],
  }))
  await sandbox.fetch('/_sandbox/scenarios?activate=true', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'overlap', title: 'Overlap', rules }),
  })
  const turns = async (isOver: () => boolean) => {
    for (let i = 0; i < 40 && !isOver(); i++) await new Promise((go) => setImmediate(go))
  }
  for (const [path, body] of [
    [`${P}/payout`, payment(user(1), uuid())],
    [`${P}/custody-wallet`, { user_id: user(2), chain: 'arbitrum', customer_wallet_ref: uuid() }],
  ] as const) {
    const first = call('POST', path, body, { step: '1s', time: 405 })
    await turns(() => held.length > 0)
    const second = call('POST', path, body, { step: '100ms' })
    let isEarly = false
    void second.then(() => {
      isEarly = true
    })
    await turns(() => isEarly)
    const wasEarly = isEarly
    for (const go of held.splice(0)) go()
    await first
    const { entry } = await second
    entry.time = wasEarly ? 12 : 330
  }
}

export const probeAll = async (service: Service): Promise<void> => {
  await probeReads(service)
  await probeWrites(service)
  const later = await probePayouts(service)
  await probeDeposits(service, later)
  await probeOverlap(service)
  await listAll(service)
}
