import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

const ADA = '11111111-1111-4111-8111-000000000001'
const ACCOUNT = '22222222-2222-4222-8222-000000000001'
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const USER = {
  first_name: 'Tola',
  last_name: 'Adeyemi',
  email_address: 'tola@example.com',
  phone_number: '+2348012345678',
  date_of_birth: '1990-04-12',
  user_type: 'individual' as const,
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
}

const PAYOUT = {
  user_id: ADA,
  currency: 'NGN',
  amount: '100',
  recipient_details: {
    bank_name: 'Example Bank',
    account_holder_name: 'Tola Adeyemi',
    recipient_account_number: '0123456789',
  },
}

/** The operations of the main flow, which each generated client provides. */
export interface Client {
  createConsent(body: { tnc_data: { tnc_accepted: boolean; accepted_at: string } }): Promise<string>
  createUser(body: typeof USER & { consent_id: string }): Promise<{ id: string; status: string }>
  createPayout(body: typeof PAYOUT & { customer_payout_id: string }): Promise<{ status: string }>
  createCustodyWallet(body: {
    user_id: string
    chain: string
    customer_wallet_ref: string
  }): Promise<{ wallet_address: string }>
  initiateOfframp(body: { user_id: string; account_id: string }): Promise<{ address: string }>
  getOfframpAudit(user_id: string): Promise<{ transactions: { crypto_amount: number }[] }>
  getTransferStatus(transaction_id: string): Promise<{ status: string; source_amount: number }>
}

export const url = process.env.SANDRAMP_URL ?? ''
export const headers = { 'x-api-key': process.env.SANDRAMP_API_KEY ?? '' }

async function control(path: string, body: object) {
  const answer = await fetch(`${url}/_sandbox${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return answer.json()
}

/** From consent to the status of a paid transfer. */
export async function drive(client: Client) {
  const tnc_data = { tnc_accepted: true, accepted_at: '2026-01-31T09:30:00.000Z' }
  const consent_id = await client.createConsent({ tnc_data })
  const user = await client.createUser({ ...USER, consent_id })
  assert.equal(user.status, 'under_review')
  await control('/clock/advance', { until: 'idle' })

  const payout = await client.createPayout({ ...PAYOUT, customer_payout_id: randomUUID() })
  assert.equal(payout.status, 'PAYOUT_PROCESSED')
  const wallet = await client.createCustodyWallet({
    user_id: user.id,
    chain: 'polygon',
    customer_wallet_ref: randomUUID(),
  })
  assert.match(wallet.wallet_address, /^0x/)

  const { address } = await client.initiateOfframp({ user_id: ADA, account_id: ACCOUNT })
  const { transfer_id } = await control('/deposits', { address, amount: '100' })
  await control('/clock/advance', { until: 'idle' })
  const { transactions } = await client.getOfframpAudit(ADA)
  assert.ok(transactions.some((it) => it.crypto_amount === 100))
  const transfer = await client.getTransferStatus(transfer_id)
  assert.equal(transfer.status, 'PAYMENT_PROCESSED')
  assert.equal(transfer.source_amount, 100)
}
