/**
 * Each open question of the contract, by id, with its readings; the default comes first.
 * `register/` has the texts.
 */
export const READINGS = {
  'payout.repeat': ['current', 'replay', 'conflict', 'second', 'a_day', 'failed_again'],
  'payout.changed_repeat': ['invalid', 'conflict', 'first'],
  'payout.balance': ['by_case', 'invalid', 'not_found'],
  'payout.status': ['processed', 'pending'],
  'payout.statuses': ['three', 'initiated'],
  'payout.transitions': ['failed', 'returned'],
  'payout.fee': ['on_top', 'deducted'],
  'payout.source': ['fiat', 'custody'],
  'payout.account_number': ['any', 'by_rail'],
  'repeat.in_flight': ['waits', 'conflict'],
  'user.gate': ['refused', 'forbidden', 'accepted'],
  'user.duplicate': ['refused', 'second'],
  'user.paused': ['shown', 'as_active'],
  'user.rejection_reasons': ['reason', 'customer_reason'],
  'user.requirements': ['names', 'objects'],
  'users.list': ['array', 'paged'],
  'wallet.repeat': ['same', 'conflict', 'second'],
  'wallet.same_chain': ['allowed', 'conflict'],
  'wallet.status': ['active', 'pending'],
  'chain.spelling': ['any_case', 'exact'],
  'offramp.asset': ['account', 'solana'],
  'deposit.limits': ['any', 'unmatched'],
  'audit.pages': ['empty', 'not_found'],
  'audit.amounts': ['net', 'gross'],
  'audit.size': ['refused', 'clamped'],
  'audit.spelling': ['lower', 'upper', 'summary'],
  'transfer_audit.offramps': ['listed', 'left_out'],
  'conversion.rate_fixed': ['deposit', 'conversion'],
  'transfer.fees_currency': ['target', 'source'],
  'transfer.rate': ['target_per_source', 'source_per_target'],
  'transfer.unconverted': ['known', 'null'],
  'transfer.unreached': ['null', 'absent'],
  'balance.total': ['per_chain', 'per_token'],
  'balance.scope': ['wallets', 'with_offramps'],
  'crypto.unknown': ['invalid', 'not_found'],
  'wire.strictness': ['strict', 'closed'],
  'error.codes': ['sandbox', 'status'],
  'resource.unknown': ['not_found', 'empty'],
  'created.status': ['mixed', 'created', 'ok'],
  'list.order': ['newest_first', 'oldest_first'],
  'size.limits': ['usual', 'small'],
  'time.form': ['milliseconds', 'seconds', 'offset'],
} as const

export type AssumptionId = keyof typeof READINGS

type ReadingsById = { readonly [Id in AssumptionId]: (typeof READINGS)[Id][number] }

export type ReadingOf<Id extends AssumptionId> = ReadingsById[Id]

export const assumptionIds = Object.keys(READINGS) as AssumptionId[]

export const isAssumption = (id: string): id is AssumptionId => Object.hasOwn(READINGS, id)

export const readingNames = (id: AssumptionId): readonly string[] => READINGS[id]

export const DEFAULT_READINGS = Object.fromEntries(
  assumptionIds.map((id) => [id, READINGS[id][0]]),
) as {
  readonly [Id in AssumptionId]: ReadingOf<Id>
}
