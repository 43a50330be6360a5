import * as z from 'zod'
import { amount, uuid } from '../../contract/fields.js'
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
  type Payout,
  type Rate,
  type Transfer,
  USER_STATUSES,
  type User,
  type Wallet,
} from '../../domain/schema.js'
import type { BankTransferInput, TransferTransition } from '../../domain/transfers.js'
import type { UserTransition } from '../../domain/users.js'
import type { WalletInput } from '../../domain/wallets.js'
import type { Commands } from '../../domain/world.js'
import type { InputOf } from '../../kernel/kernel.js'
import { Refusal } from '../../kernel/refusal.js'
import { formatIssues } from '../../lib/zod-errors.js'
import { registration } from './accounts.js'
import { keyChange } from './api-keys.js'
import { readingChoice } from './assumptions.js'
import { credit } from './balances.js'
import { incoming } from './deposits.js'
import { fields } from './fields.js'
import { payoutMove } from './payouts.js'
import { rateChange } from './rates.js'
import { scenarioChoice } from './scenarios.js'
import { transferMove, transferStart } from './transfers.js'
import { review } from './users.js'

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

type Input<K extends keyof ProgramCommands> = ProgramCommands[K]['input'] & InputOf<Commands[K]>

const id = uuid()

/** The bodies of the control API and of the service, with the ids that are in their paths. */
const commandInputs: { readonly [K in keyof ProgramCommands]: z.ZodType<Input<K>> } = {
  'account.register': fields({ user_id: id, ...registration }),
  'api_key.set': fields({ id, ...keyChange }),
  'balance.credit': fields({ user_id: id, ...credit, amount: amount() }),
  'deposit.receive': fields({ ...incoming, amount: amount() }),
  'offramp.initiate': fields({ ...offrampRequest.shape, account_id: id.optional() }),
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
  'wallet.create': fields({ ...walletRequest.shape, customer_wallet_ref: id.optional() }),
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
