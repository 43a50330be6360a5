// A test of payments-client.mjs: one person from consent to payout. Run it so:
//   sandramp readings --all -- node examples/journey.mjs
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { PaymentsClient } from './payments-client.mjs'

const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key } = process.env

/** Banks and blockchains around the service, which a test plays through the control API. */
const around = async (path, body) => {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/_sandbox${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return answer.json()
}

// The test moves the world's clock instead of waiting.
const wait = (ms) => around('/clock/advance', { by: `${ms}ms` })
const client = new PaymentsClient({ url, key, wait })

const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

// Onboarding.
const consent_id = await client.acceptTerms()
const created = await client.createUser({
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
    identity_document_front: IMAGE,
    identity_document_back: IMAGE,
  },
  address: {
    line1: '14 Marina Road',
    city: 'Lagos',
    sub_division: 'Lagos',
    country: 'NGA',
    postal_code: '101241',
  },
})
assert.equal(created.status, 'under_review')
const { id: user_id } = await client.untilActive(created.id)

// A custody wallet and incoming crypto.
const wallet = await client.createWallet({
  user_id,
  chain: 'polygon',
  customer_wallet_ref: randomUUID(),
})
assert.equal(wallet.balances, null)
await around('/deposits', { address: wallet.wallet_address, amount: '25.50' })
const balance = await client.cryptoBalance('USDC', 'polygon', user_id)
assert.equal(balance, 25.5)
const total = await client.totalBalances()
assert.ok(total.some((it) => it.crypto === 'usdc' && it.balance >= 25.5))

// An offramp: crypto in, fiat out.
const account = await around(`/users/${user_id}/accounts`, {
  currency: 'EUR',
  account_number: 'DE89370400440532013000',
  nickname: 'Main',
})
const instruction = await client.initiateOfframp(user_id, account.account_id)
await around('/deposits', { address: instruction.address, amount: '100' })

const offramps = await client.offrampAudit(user_id)
assert.equal(offramps.pagination.total_elements, 1)
assert.equal(offramps.transactions[0].crypto_amount, 100)
const transfers = await client.transferAudit(user_id)
assert.equal(transfers.pagination.total_elements, 1)

const paid = await client.untilPaid(transfers.transactions[0].id)
assert.equal(paid.source_amount, 100)
assert.ok(paid.payment_processed_at)
const [listed] = (await client.transferAudit(user_id)).transactions
assert.equal(listed.target_amount, paid.destination_amount)
assert.equal(listed.status, 'payment_processed')

// A payout whose first response is lost: the client sends the same payout again.
await around(`/users/${user_id}/balances`, { currency: 'NGN', amount: '5000.00' })
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
const first = await client.createPayout(payout)
const again = await client.createPayout(payout)
assert.equal(again.id, first.id, 'the payout was made twice')
assert.equal(again.amount, 1500)
assert.equal(again.status, 'PAYOUT_PROCESSED')
console.log(`paid ${paid.destination_amount} EUR and ${again.amount} NGN`)
