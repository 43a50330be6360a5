import { accounts, consents, ownId, users } from './fixture-ids.js'

/** One well-formed request for each operation that takes a body; tests change what they are about. */

/** A picture of one pixel. */
export const PNG_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const PNG = `data:image/png;base64,${PNG_BASE64}`
export const PDF_BASE64 = 'JVBERi0xLjQKJSVFT0YK'
export const PDF = `data:application/pdf;base64,${PDF_BASE64}`

export const payoutRequest = () => ({
  user_id: users.ada,
  currency: 'NGN',
  customer_payout_id: ownId(1),
  amount: '1500.00',
  recipient_details: {
    bank_name: 'Marina Test Bank',
    account_holder_name: 'Ada Okafor',
    recipient_account_number: '0690000031',
  },
})

export const walletRequest = () => ({
  user_id: users.ada,
  chain: 'polygon',
  customer_wallet_ref: ownId(2),
})

export const offrampRequest = () => ({ user_id: users.ada, account_id: accounts.adaEur })

export const consentRequest = () => ({
  tnc_data: { tnc_accepted: true, accepted_at: '2026-06-15T08:59:00.000Z' },
})

export const userRequest = () => ({
  first_name: 'Zoë',
  last_name: 'Nwosu',
  email_address: 'zoe.nwosu@example.com',
  phone_number: '+2348012345678',
  user_type: 'individual',
  date_of_birth: '1990-04-12',
  consent_id: consents.unused,
  sharing_consent: true,
  identity: {
    identity_country_code: 'NGA',
    identity_number: 'A07654321',
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
  metadata: '{"tier":"gold"}',
  documents: [
    {
      name: 'Tax certificate',
      type: 'tax_document',
      issuing_country: 'NGA',
      document_number: 'TIN-0042',
      document_front: PDF,
      document_back: PNG,
    },
  ],
})
