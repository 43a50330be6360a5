// The tour of docs/tour.md as a program. Plain Node, no packages. Run it so:
//   npx sandramp run -- node examples/tour.mjs
import { randomUUID } from 'node:crypto'

const url = process.env.SANDRAMP_URL ?? 'http://127.0.0.1:4020'
// A random key of this form opens a world of its own: the tour changes nothing else.
const key = `SandboxWorld${randomUUID().replaceAll('-', '').slice(0, 20)}`

const send = async (method, path, body) => {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const data = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${data.message}`)
  return data
}
const get = (path) => send('GET', path)
const post = (path, body) => send('POST', path, body)
const advance = (step) => post('/_sandbox/clock/advance', step)
const show = (step, result) => console.log(`${step.padEnd(24)}${result}`)

const { now } = await send('PUT', '/_sandbox/clock', { mode: 'manual' })
show('Stop the clock', now)

const consent_id = await post('/onboarding/api/v1/tnc', {
  tnc_data: { tnc_accepted: true, accepted_at: '2026-01-31T09:30:00.000Z' },
})
show('Record a consent', consent_id)

// A real PNG of one pixel.
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const user = await post('/onboarding/api/v1/users', {
  first_name: 'Tola',
  last_name: 'Adeyemi',
  email_address: 'tola@example.com',
  phone_number: '+2348012345678',
  user_type: 'individual',
  date_of_birth: '1990-04-12',
  consent_id,
  sharing_consent: true,
  identity: {
    identity_country_code: 'NGA',
    identity_number: 'A07654321',
    identity_document_name: 'Passport',
    identity_document_front: image,
    identity_document_back: image,
  },
  address: {
    line1: '14 Marina Road',
    city: 'Lagos',
    sub_division: 'Lagos',
    country: 'NGA',
    postal_code: '101241',
  },
})
const user_id = user.id
show('Onboard a user', user.status)

await advance({ by: '2s' })
const users = await get('/onboarding/api/v1/users/all')
show('Finish the review', users.find(({ id }) => id === user_id).status)

const wallet = await post('/payment/api/v1/custody-wallet', {
  user_id,
  chain: 'base',
  customer_wallet_ref: randomUUID(),
})
await post('/_sandbox/deposits', { address: wallet.wallet_address, amount: '25.50' })
const usdc = await get(`/payment/api/v1/offramp-audit/crypto-balance/USDC/base/${user_id}`)
show('Receive crypto', `${usdc} USDC`)

const { account_id } = await post(`/_sandbox/users/${user_id}/accounts`, {
  currency: 'EUR',
  account_number: 'DE89370400440532013000',
})
const offramp = await post('/payment/api/v1/offramp', { user_id, account_id })
const { transfer_id } = await post('/_sandbox/deposits', {
  address: offramp.address,
  amount: '100',
})
await advance({ until: 'idle' })
const transfer = await get(`/payment/api/v1/fx-audit/status/${transfer_id}`)
show('Offramp 100 USDC', `${transfer.status}, ${transfer.destination_amount} EUR`)

await post(`/_sandbox/users/${user_id}/balances`, { currency: 'NGN', amount: '5000.00' })
const payout = {
  user_id,
  currency: 'NGN',
  amount: '1500.00',
  customer_payout_id: randomUUID(),
  recipient_details: {
    bank_name: 'Access Bank',
    account_holder_name: 'Tola Adeyemi',
    recipient_account_number: '0690000031',
  },
}
const first = await post('/payment/api/v1/payout', payout)
show('Pay out', `${first.status}, ${first.amount} NGN`)

const again = await post('/payment/api/v1/payout', payout)
const { items } = await get(`/_sandbox/users/${user_id}/balances`)
const left = items.find(({ currency }) => currency === 'NGN').amount
show('Send it again', `${again.id === first.id ? 'the same' : 'another'} payout, ${left} NGN left`)

const { ok } = await get('/_sandbox/audit')
show('Audit the ledger', ok ? 'ok' : 'broken')
if (!ok) process.exitCode = 1
