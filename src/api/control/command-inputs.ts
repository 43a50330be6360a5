import * as z from 'zod'
import { chain, currency, text, token, uuid } from '../../contract/fields.js'
import { KEY_STATUSES, PAYOUT_STATUSES, TRANSFER_STATUSES } from '../../domain/schema.js'
import { MAX_REASONS, MAX_REQUIREMENTS } from '../../domain/users.js'
import { instantText } from '../../kernel/time.js'
import { TEXT } from '../../lib/yaml/strict.js'
import { anyAmount, EXAMPLES, fields } from './fields.js'

export const registration = {
  currency: currency(),
  account_number: text(),
  account_holder_name: text().optional(),
  bank_name: text().optional(),
  bic: text().optional(),
  nickname: text().optional(),
  crypto: token().optional(),
  chain: chain().optional(),
}

export const keyChange = {
  status: z.enum(KEY_STATUSES).optional(),
  expires_at: instantText()
    .nullable()
    .optional()
    .meta({ description: 'When it expires; never when null' }),
}

export const credit = { currency: currency(), amount: anyAmount() }

export const incoming = {
  address: text().meta({
    description:
      'Where it arrives; a wallet of the fixtures also by its name, such as `adaPolygon`',
    example: EXAMPLES.address,
  }),
  amount: anyAmount().meta({ description: 'How much', example: '100.00' }),
  crypto: token().optional().meta({ description: 'Token symbol', example: 'USDC' }),
  chain: chain().optional().meta({ description: 'Network', example: 'polygon' }),
}

export const payoutMove = { to: z.enum(PAYOUT_STATUSES), reason: text().optional() }

export const rateChange = {
  base: z.string().meta({ description: 'The currency that is sold' }),
  quote: z.string().meta({ description: 'The currency that is bought' }),
  rate: anyAmount().meta({ description: 'How much of the quote one of the base buys' }),
}

export const readingChoice = { reading: z.string('the name of a reading') }

const MAX_NAMES = 200

export const scenarioChoice = {
  names: z
    .array(z.string('the name of a scenario'), 'a list of names of scenarios')
    .max(MAX_NAMES, `at most ${MAX_NAMES} names`),
}

export const transferStart = {
  user_id: uuid(),
  account_id: uuid(),
  source_currency: currency(),
  source_amount: anyAmount(),
}

export const transferMove = { to: z.enum(TRANSFER_STATUSES), reason: text().optional() }

const REASON = `${TEXT}, or an object of reason and developer_reason`
const reason = z.union(
  [
    text().transform((words) => ({ reason: words })),
    fields({ reason: text(), developer_reason: text().optional() }),
  ],
  { error: REASON },
)
const REASONS = `a list of at most ${MAX_REASONS}, each ${REASON}`
const REQUIREMENTS = `a list of at most ${MAX_REQUIREMENTS} names of fields`

export const review = {
  reasons: z.array(reason, REASONS).max(MAX_REASONS, REASONS).optional(),
  requirements: z.array(text(), REQUIREMENTS).max(MAX_REQUIREMENTS, REQUIREMENTS).optional(),
}
