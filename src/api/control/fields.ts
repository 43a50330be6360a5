import * as z from 'zod'
import { amount, uuid } from '../../contract/fields.js'
import { plainDecimal } from '../../domain/money.js'
import { strict } from '../../lib/yaml/strict.js'
import { userId } from './names.js'

export { strict as fields } from '../../lib/yaml/strict.js'

/** An amount as a string or, for convenience by hand, as a plain JSON number. */
export const anyAmount = () =>
  z.union([amount(AMOUNT), z.number().positive().transform(plainDecimal)], { error: AMOUNT })

const AMOUNT = 'an amount above zero, as "12.50" or 12.5'

/** Records of the fixtures, so that every example is a valid call. */
export const EXAMPLES = {
  users: '11111111-1111-4111-8111-000000000001',
  /** Under review. */
  applicants: '11111111-1111-4111-8111-000000000003',
  accounts: '22222222-2222-4222-8222-000000000001',
  wallets: '33333333-3333-4333-8333-000000000001',
  instructions: '44444444-4444-4444-8444-000000000001',
  /** The deposit address of that instruction, for USDC on polygon. */
  address: '0xC437a1958aA96aD06ca556767B4196d7D61A4eb7',
  offramps: '55555555-5555-4555-8555-000000000001',
  /** Pending, like the payout, so that every move is legal. */
  transfers: '66666666-6666-4666-8666-000000000009',
  payouts: '77777777-7777-4777-8777-000000000003',
  deposits: '88888888-8888-4888-8888-000000000001',
  consents: '99999999-9999-4999-8999-000000000001',
  /** Not the demo key: a reader who tries the example would suspend it. */
  api_keys: 'aaaaaaaa-aaaa-4aaa-8aaa-000000000002',
} as const

export const userPath = (example: string = EXAMPLES.users) =>
  z.object({ id: userId().meta({ example }) })

export const idPath = (example?: string) =>
  z.object({ id: uuid().meta({ description: 'Identifier', ...(example && { example }) }) })

/** A call without fields: its body may be absent or `{}`. */
export const NO_FIELDS = {
  body: strict({}),
  bodyOptional: true,
} as const
