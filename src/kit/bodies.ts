import { createHash } from 'node:crypto'
import type * as z from 'zod'
import type {
  ConsentRequest,
  CustodyWalletRequest,
  Fixtures,
  OfframpRequest,
  PayoutRequest,
  UserRequest,
} from '../../generated/api-types.js'
import { offrampRequest } from '../contract/offramp.js'
import { payoutRequest } from '../contract/payout.js'
import { consentRequest, userRequest } from '../contract/user.js'
import { walletRequest } from '../contract/wallet.js'
import { createUnknownFieldSearch } from '../http/pipeline/checks.js'
import { formatUnknown } from '../lib/app-error.js'
import { didYouMean } from '../lib/suggest.js'
import { SandboxError } from './control-client.js'

/** Fields to change in a body, nested ones too. */
export type Overrides<Body> = {
  readonly [Field in keyof Body]?: Body[Field] extends object | undefined
    ? Body[Field] extends readonly unknown[] | undefined
      ? Body[Field]
      : Overrides<Body[Field]>
    : Body[Field]
}

/** Valid bodies of the service. Each call draws new ids from the seed of the world. */
export interface BodyBuilder {
  /** Each call takes the next unused consent of the fixtures, which have two. Later users need a `consent_id`. */
  user(overrides?: Overrides<UserRequest>): UserRequest
  payout(overrides?: Overrides<PayoutRequest>): PayoutRequest
  consent(overrides?: Overrides<ConsentRequest>): ConsentRequest
  wallet(overrides?: Overrides<CustodyWalletRequest>): CustodyWalletRequest
  offramp(overrides?: Overrides<OfframpRequest>): OfframpRequest
}

/** An image of one pixel. */
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

export const createBodyBuilder = (seed: string, fixtures: Fixtures): BodyBuilder => {
  let count = 0
  let users = 0
  const digits = () => createHash('sha256').update(`${seed}/bodies/${count++}`).digest('hex')
  const uuid = () =>
    digits().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, (_, a, b, c, d, e) =>
      [a, b, `4${c}`, `8${d}`, e].join('-'),
    )
  const consents = Object.values(fixtures.consents)
  const account = Object.values(fixtures.accounts)[0]
  const user_id = account?.user_id ?? Object.values(fixtures.users)[0]?.id ?? uuid()
  return {
    user: (overrides) => {
      const id = uuid().slice(0, 8)
      const body: UserRequest = {
        first_name: 'Test',
        last_name: 'User',
        email_address: `test-${id}@example.com`,
        phone_number: `+1555${Number.parseInt(id, 16).toString().padStart(10, '0').slice(0, 10)}`,
        date_of_birth: '1990-04-12',
        user_type: 'individual',
        consent_id: consents[users++]?.id ?? uuid(),
        sharing_consent: true,
        identity: {
          identity_country_code: 'NGA',
          identity_number: `A${id.toUpperCase()}`,
          identity_document_name: 'Passport',
          identity_document_front: IMAGE,
          identity_document_back: IMAGE,
        },
        address: {
          line1: '14 Marina Road',
          city: 'Lagos',
          sub_division: 'Lagos State',
          country: 'NGA',
          postal_code: '101241',
        },
      }
      return change(userRequest, body, overrides)
    },
    payout: (overrides) => {
      const body: PayoutRequest = {
        user_id,
        currency: 'NGN',
        customer_payout_id: uuid(),
        amount: '1500.00',
        recipient_details: {
          bank_name: 'Marina Test Bank',
          account_holder_name: 'Ada Okafor',
          recipient_account_number: '0690000031',
        },
      }
      return change(payoutRequest, body, overrides)
    },
    consent: (overrides) => {
      const body: ConsentRequest = {
        tnc_data: { tnc_accepted: true, accepted_at: '2026-06-15T08:59:00.000Z' },
      }
      return change(consentRequest, body, overrides)
    },
    wallet: (overrides) =>
      change(walletRequest, { user_id, chain: 'polygon', customer_wallet_ref: uuid() }, overrides),
    offramp: (overrides) =>
      change(offrampRequest, { user_id, account_id: account?.id ?? uuid() }, overrides),
  }
}

/** Refuses a misspelt field: the service would ignore it. */
const change = <T extends object>(schema: z.ZodType, body: T, overrides: object = {}): T => {
  const unknown = createUnknownFieldSearch(schema)(overrides)
  if (!unknown) return merge(body, overrides)
  const { path, name, allowed } = unknown
  const names = [...allowed.keys()]
  const hint = didYouMean(name, names)
  throw new SandboxError('invalid', formatUnknown('field', path + name, names.join(', '), hint))
}

/** Merges objects; a list or a plain value replaces the one before. */
const merge = <T extends object>(body: T, overrides: object): T => {
  const before = new Map<string, unknown>(Object.entries(body))
  const changed = Object.entries(overrides).map(([name, value]) => {
    const old = before.get(name)
    return [name, isObject(old) && isObject(value) ? merge(old, value) : value]
  })
  return { ...body, ...Object.fromEntries(changed) }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
