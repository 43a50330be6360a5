/**
 * Each open question of the contract, by id, with its readings; the default comes first.
 * `register/` has the texts.
 */
export const READINGS = {
  'payout.key': ['forbidden', 'unauthorized'],
  'payout.repeat': ['current', 'replay', 'conflict', 'second', 'a_day', 'failed_again'],
  'payout.changed_repeat': ['invalid', 'conflict', 'unprocessable', 'first'],
  'payout.balance': ['by_case', 'invalid', 'not_found'],
  'payout.status': ['processed', 'pending'],
  'payout.statuses': ['three', 'initiated'],
  'payout.transitions': ['failed', 'returned', 'unchanged'],
  'payout.fee': ['on_top', 'deducted'],
  'payout.failed_fee': ['returned', 'kept'],
  'payout.source': ['fiat', 'custody'],
  'payout.rail': ['provider', 'currency'],
  'payout.currency': ['strict', 'any_case', 'looked_up'],
  'payout.amount_form': ['digits', 'canonical', 'any'],
  'payout.amount_scale': ['refused', 'rounded'],
  'payout.amount_limits': ['fifteen_digits', 'one_unit'],
  'payout.account_number': ['any', 'by_rail'],
  'repeat.scope': ['account', 'user'],
  'repeat.in_flight': ['waits', 'conflict', 'second'],
  'user.gate': ['refused', 'forbidden', 'wallets', 'payouts_only', 'accepted'],
  'user.required': ['nearly_all', 'passport_front', 'minimal'],
  'user.absent': ['null', 'left_out', 'empty'],
  'user.formats': ['strict', 'lenient'],
  'user.age': ['eighteen', 'any'],
  'user.email': ['taken', 'exact', 'freed', 'second'],
  'user.duplicate_person': ['same_document', 'same_document_or_phone', 'second'],
  'user.paused': ['shown', 'as_active'],
  'user.transitions': ['sandbox', 'free'],
  'user.rejection_reasons': ['reason', 'customer_reason'],
  'user.requirements': ['names', 'objects'],
  'users.list': ['array', 'paged'],
  'consent.validity': ['refused', 'recorded'],
  'consent.reuse': ['refused', 'accepted'],
  'consent.time': ['exact', 'any_iso', 'past'],
  'wallet.chain': ['refused', 'accepted'],
  'wallet.repeat': ['same', 'conflict', 'second'],
  'wallet.same_chain': ['allowed', 'conflict'],
  'wallet.status': ['active', 'pending'],
  'chain.spelling': ['lower', 'any_case', 'exact', 'upper'],
  'address.case': ['checksummed', 'lower'],
  'offramp.asset': ['account', 'solana'],
  'offramp.address': ['same', 'fresh'],
  'offramp.listed': ['on_deposit', 'on_initiate'],
  'offramp.id': ['own', 'transfer'],
  'offramp.foreign_account': ['not_found', 'invalid', 'forbidden'],
  'offramp.below_fee': ['failed', 'unmatched'],
  'offramp.other_token': ['unmatched', 'converted'],
  'offramp.created_at': ['deposit', 'initiation'],
  'deposit.inactive_user': ['converted', 'failed'],
  'deposit.limits': ['any', 'unmatched'],
  'audit.pages': ['empty', 'one_page', 'not_found'],
  'audit.amounts': ['net', 'gross'],
  'audit.size': ['refused', 'clamped'],
  'audit.spelling': ['lower', 'upper', 'summary'],
  'audit.account_type': ['bank_account', 'mobile_money'],
  'transfer_audit.offramps': ['listed', 'left_out'],
  'transfer.transitions': ['sandbox', 'no_return'],
  'transfer.failed_funds': ['sender', 'balance', 'held'],
  'conversion.rounding': ['half_even', 'gross_first', 'down'],
  'conversion.rate_fixed': ['deposit', 'conversion'],
  'transfer.fees_currency': ['target', 'source'],
  'transfer.rate': ['target_per_source', 'source_per_target'],
  'transfer.unconverted': ['known', 'null'],
  'transfer.unreached': ['null', 'absent'],
  'balance.total': ['per_chain', 'per_token', 'above_zero'],
  'balance.scope': ['wallets', 'with_offramps'],
  'balance.scale': ['token', 'cents'],
  'crypto.unknown': ['invalid', 'not_found', 'zero'],
  'wire.strictness': ['strict', 'lenient', 'closed'],
  'error.codes': ['sandbox', 'status'],
  'error.order': ['shape_first', 'user_first', 'status_last'],
  'required.fields': ['all', 'minimal'],
  'resource.unknown': ['not_found', 'invalid', 'empty'],
  'created.status': ['mixed', 'created', 'ok'],
  'list.order': ['newest_first', 'oldest_first'],
  'size.limits': ['usual', 'small', 'none'],
  'uuid.form': ['any', 'version_4', 'lower_case'],
  'http.plain': ['forbidden', 'redirect', 'closed'],
  'path.unknown': ['not_found', 'gateway'],
  'path.method': ['not_found', 'not_allowed', 'forbidden'],
  'body.type': ['invalid', 'unsupported'],
  'body.size': ['invalid', 'too_large'],
  'time.form': ['milliseconds', 'seconds', 'offset'],
  'key.permissions': ['every_get', 'no_users'],
} as const

export type AssumptionId = keyof typeof READINGS

export type ReadingsById = { readonly [Id in AssumptionId]: (typeof READINGS)[Id][number] }

export type ReadingOf<Id extends AssumptionId> = ReadingsById[Id]

export const assumptionIds = Object.keys(READINGS) as AssumptionId[]

export const isAssumption = (id: string): id is AssumptionId => Object.hasOwn(READINGS, id)

export const readingNames = (id: AssumptionId): readonly string[] => READINGS[id]

export const DEFAULT_READINGS = Object.fromEntries(
  assumptionIds.map((id) => [id, READINGS[id][0]]),
) as {
  readonly [Id in AssumptionId]: ReadingOf<Id>
}

export type ReadingLookup = <Id extends AssumptionId>(id: Id) => ReadingOf<Id>

/** The control API and the console show records with the default readings. */
export const defaultReading: ReadingLookup = (id) => DEFAULT_READINGS[id]
