import { createHash } from 'node:crypto'
import type {
  ConsentRequest,
  CustodyWalletRequest,
  Fixtures,
  OfframpRequest,
  PayoutRequest,
  UserRequest,
} from '../../generated/api-types.js'
import { assertKnown, invalid, refuseSurplus } from './sandbox-error.js'

/** The smallest PNG. */
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Fields to change in a body, nested ones too. */
export type Overrides<Body> = Body extends readonly unknown[]
  ? Body
  : Body extends object
    ? { readonly [Field in keyof Body]?: Overrides<NonNullable<Body[Field]>> }
    : Body

/** The same body as generated clients type it: lists can change, and no field is null. */
export type Built<Value> = Value extends readonly (infer Item)[]
  ? Built<Item>[]
  : Value extends object
    ? { -readonly [Field in keyof Value]: Built<NonNullable<Value[Field]>> }
    : Value

type Build<Body> = (overrides?: Overrides<Body>) => Built<Body>

/** Valid bodies of the service. Each call draws new ids from the seed of the world. */
export interface BodyBuilder {
  /** Without a `consent_id`, each call takes the next unused consent of the fixtures, which have two. */
  readonly user: Build<UserRequest>
  readonly payout: Build<PayoutRequest>
  readonly consent: Build<ConsentRequest>
  readonly wallet: Build<CustodyWalletRequest>
  readonly offramp: Build<OfframpRequest>
}

export const createBodyBuilder = (seed: string, fixtures: Fixtures): BodyBuilder => {
  let count = 0
  const digits = () => createHash('sha256').update(`${seed}/bodies/${count++}`).digest('hex')
  const uuid = () =>
    digits().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, (_, a, b, c, d, e) =>
      [a, b, `4${c}`, `8${d}`, e].join('-'),
    )
  const consents = Object.values(fixtures.consents)
  const takeConsent = (): string => {
    const consent = consents.shift()
    if (consent) return consent.id
    throw invalid(
      'consent_id',
      undefined,
      'the id of a new consent: those of the fixtures are used',
    )
  }
  const active = Object.values(fixtures.users).filter(({ status }) => status === 'active')
  const account = Object.values(fixtures.accounts).find((it) =>
    active.some(({ id }) => id === it.user_id),
  )
  const user_id = account?.user_id ?? active[0]?.id ?? uuid()
  return refuseSurplus<BodyBuilder>({
    user: (overrides) => {
      const id = uuid().slice(0, 8)
      const body: UserRequest = {
        first_name: 'Test',
        last_name: 'User',
        email_address: `test-${id}@example.com`,
        phone_number: `+1555${Number.parseInt(id, 16).toString().padStart(10, '0').slice(0, 10)}`,
        date_of_birth: '1990-04-12',
        user_type: 'individual',
        consent_id: overrides?.consent_id ?? takeConsent(),
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
      return change(body, overrides, USER_OPTIONS)
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
      return change(body, overrides)
    },
    consent: (overrides) => {
      const body: ConsentRequest = {
        tnc_data: { tnc_accepted: true, accepted_at: '2026-06-15T08:59:00.000Z' },
      }
      return change(body, overrides)
    },
    wallet: (overrides) =>
      change<CustodyWalletRequest>(
        { user_id, chain: 'polygon', customer_wallet_ref: uuid() },
        overrides,
      ),
    offramp: (overrides) =>
      change<OfframpRequest>({ user_id, account_id: account?.id ?? uuid() }, overrides),
  })
}

/** Optional fields, by the path of their object. */
const USER_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  '': ['metadata', 'documents'] satisfies (keyof UserRequest)[],
  'address.': ['line2', 'region'] satisfies (keyof UserRequest['address'])[],
}

/** Merges objects; a list or a plain value replaces the one before. Refuses a misspelt field, which the service would ignore. */
const change = <T extends object>(
  body: T,
  overrides: object = {},
  optional = {} as typeof USER_OPTIONS,
  path = '',
): Built<T> => {
  const changed: Record<string, unknown> = Object.fromEntries(Object.entries(body))
  const known = [...Object.keys(body), ...(optional[path] ?? [])]
  for (const [name, value] of Object.entries(overrides as Record<string, unknown>)) {
    assertKnown('field', name, known, path)
    const old = changed[name]
    changed[name] =
      isObject(old) && isObject(value) ? change(old, value, optional, `${path}${name}.`) : value
  }
  return changed as Built<T>
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
