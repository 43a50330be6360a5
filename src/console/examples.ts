import { IMAGE_EXAMPLE } from '../contract/user.js'
import { controlCurl, demoCurl } from './curl.js'
import type { PageContext } from './page-context.js'

/** Commands that work with the bundled fixtures: fixtures/README.md lists these ids. */

const USER = '11111111-1111-4111-8111-000000000001'
const ACCOUNT = '22222222-2222-4222-8222-000000000001'
const CONSENT = '99999999-9999-4999-8999-000000000009'
/** For USDC on polygon. */
const DEPOSIT_ADDRESS = '0xC437a1958aA96aD06ca556767B4196d7D61A4eb7'

export const payoutExample = (ctx: PageContext): string =>
  demoCurl(ctx, '/payment/api/v1/payout', {
    user_id: USER,
    currency: 'EUR',
    customer_payout_id: 'c0ffee00-0000-4000-8000-000000000001',
    amount: '10.00',
    recipient_details: {
      bank_name: 'Rhine Test Bank',
      account_holder_name: 'Ada Okafor',
      recipient_account_number: 'DE89370400440532013000',
    },
  })

export const walletExample = (ctx: PageContext): string =>
  demoCurl(ctx, '/payment/api/v1/custody-wallet', {
    user_id: USER,
    chain: 'base',
    customer_wallet_ref: 'b0b00000-0000-4000-8000-000000000001',
  })

export const offrampExample = (ctx: PageContext): string =>
  demoCurl(ctx, '/payment/api/v1/offramp', { user_id: USER, account_id: ACCOUNT })

export const userExample = (ctx: PageContext): string =>
  demoCurl(ctx, '/onboarding/api/v1/users', {
    first_name: 'Zoe',
    last_name: 'Nwosu',
    email_address: 'zoe.nwosu@example.com',
    phone_number: '+2348012345678',
    user_type: 'individual',
    date_of_birth: '1990-04-12',
    consent_id: CONSENT,
    sharing_consent: true,
    identity: {
      identity_country_code: 'NGA',
      identity_number: 'A07654321',
      identity_document_name: 'Passport',
      identity_document_front: IMAGE_EXAMPLE,
      identity_document_back: IMAGE_EXAMPLE,
    },
    address: {
      line1: '14 Marina Road',
      city: 'Lagos',
      sub_division: 'Lagos',
      country: 'NGA',
      postal_code: '101241',
    },
  })

/** A deposit that starts an offramp and its transfer. */
export const transferExample = (ctx: PageContext): string =>
  controlCurl(ctx, '/deposits', { address: DEPOSIT_ADDRESS, amount: '100' })
