import * as z from 'zod'
import { amount, chain, currency, text, token, uuid } from '../../contract/fields.js'
import { offrampRequest } from '../../contract/offramp.js'
import { payoutRequest } from '../../contract/payout.js'
import { walletRequest } from '../../contract/wallet.js'
import type { AccountInput } from '../../domain/accounts.js'
import type { KeyChange } from '../../domain/api-keys.js'
import type { ReadingChoice } from '../../domain/assumptions.js'
import type { Credit, FiatBalance } from '../../domain/balances.js'
import type { DepositInput } from '../../domain/deposits.js'
import type { OfframpInput } from '../../domain/offramps.js'
import type { PayoutInput } from '../../domain/payout-idempotency.js'
import type { PayoutTransition } from '../../domain/payouts.js'
import type { RateChange } from '../../domain/rates.js'
import {
  type Account,
  type ActiveScenarios,
  type ApiKey,
  type Deposit,
  type DepositAddress,
  KEY_STATUSES,
  PAYOUT_STATUSES,
  type Payout,
  type Rate,
  TRANSFER_STATUSES,
  type Transfer,
  USER_STATUSES,
  type User,
  type Wallet,
} from '../../domain/schema.js'
import type { BankTransferInput, TransferTransition } from '../../domain/transfers.js'
import { MAX_REASONS, MAX_REQUIREMENTS, type UserTransition } from '../../domain/users.js'
import type { WalletInput } from '../../domain/wallets.js'
import type { Commands } from '../../domain/world.js'
import type { InputOf } from '../../kernel/kernel.js'
import { Refusal } from '../../kernel/refusal.js'
import { instantText } from '../../kernel/time.js'
import { TEXT } from '../../lib/yaml/strict.js'
import { formatIssues } from '../../lib/zod-errors.js'
import { anyAmount, EXAMPLES, fields } from './fields.js'

/** The commands of a program, each with its input and its result. */
export interface ProgramCommands {
  'account.register': { input: AccountInput; result: Account }
  'api_key.set': { input: KeyChange; result: ApiKey }
  'balance.credit': { input: Credit; result: FiatBalance }
  'deposit.receive': { input: DepositInput; result: Deposit }
  'offramp.initiate': { input: OfframpInput; result: DepositAddress }
  'payout.create': { input: PayoutInput; result: Payout }
  'payout.move': { input: PayoutTransition; result: Payout }
  'rate.set': { input: RateChange; result: Rate }
  'reading.choose': { input: ReadingChoice; result: ReadingChoice }
  'scenarios.activate': { input: { readonly names: readonly string[] }; result: ActiveScenarios }
  'transfer.start': { input: BankTransferInput; result: Transfer }
  'transfer.move': { input: TransferTransition; result: Transfer }
  'user.move': { input: UserTransition; result: User }
  'wallet.create': { input: WalletInput; result: { wallet: Wallet; created: boolean } }
}

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

export const rateChange = { base: z.string(), quote: z.string(), rate: anyAmount() }

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

type Input<K extends keyof ProgramCommands> = ProgramCommands[K]['input'] & InputOf<Commands[K]>

const id = uuid()

/** The bodies of the control API and of the service, with the ids that are in their paths. */
const commandInputs: { readonly [K in keyof ProgramCommands]: z.ZodType<Input<K>> } = {
  'account.register': fields({ user_id: id, ...registration }),
  'api_key.set': fields({ id, ...keyChange }),
  'balance.credit': fields({ user_id: id, ...credit, amount: amount() }),
  'deposit.receive': fields({ ...incoming, amount: amount() }),
  'offramp.initiate': fields(offrampRequest.shape),
  'payout.create': fields({
    ...payoutRequest.shape,
    recipient_details: fields(payoutRequest.shape.recipient_details.shape),
  }),
  'payout.move': fields({ id, ...payoutMove }),
  'rate.set': fields({ ...rateChange, rate: amount() }),
  'reading.choose': fields({ id: z.string('the id of an assumption'), ...readingChoice }),
  'scenarios.activate': fields(scenarioChoice),
  'transfer.start': fields({ ...transferStart, source_amount: amount() }),
  'transfer.move': fields({ id, ...transferMove }),
  'user.move': fields({ id, to: z.enum(USER_STATUSES), ...review }),
  'wallet.create': fields(walletRequest.shape),
}

export const programCommands: readonly string[] = Object.keys(commandInputs)

/** Copies a valid input, because its caller may change it later; refuses any other. */
export const parseCommandInput = <K extends keyof ProgramCommands>(
  command: K,
  input: unknown,
): Input<K> => {
  const schema: z.ZodType<Input<K>> = commandInputs[command]
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new Refusal('rule', formatIssues(result.error.issues, input, writePath))
}

const writePath = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'input'
