/**
 * Everything that the contract leaves open, by id, and how it can be read: the default first. The
 * register in contract/ tells each in words; its types keep to these names.
 */
export const READINGS = {
  'payout.missing_key': ['forbidden', 'unauthorized'],
  'payout.repeat': ['current', 'replay', 'conflict', 'second'],
  'payout.insufficient_balance': ['invalid', 'not_found'],
  'payout.no_balance': ['not_found', 'invalid'],
  'payout.status': ['processed', 'pending'],
  'payout.statuses': ['three', 'initiated'],
  'payout.fee': ['on_top', 'deducted'],
  'payout.rail': ['provider', 'currency'],
  'payout.no_rail': ['invalid', 'not_found'],
  'payout.amount_scale': ['refused', 'rounded'],
  'payout.amount_limits': ['fifteen_digits', 'one_unit'],
  'payout.reference': ['null', 'empty'],
  'payout.order': ['record_first', 'user_first', 'balance_first'],
  'payout.texts': ['to_255', 'to_70', 'any'],
  'currency.case': ['refused', 'accepted'],
  'user.gate': ['refused', 'accepted'],
  'user.created_status': ['created', 'ok'],
  'user.required': ['nearly_all', 'minimal'],
  'user.absent': ['null', 'left_out', 'empty'],
  'user.formats': ['strict', 'lenient'],
  'user.birth_day': ['utc', 'utc_minus_12', 'utc_plus_14'],
  'user.age': ['any', 'eighteen'],
  'user.images': ['strict', 'media'],
  'user.metadata': ['refused', 'accepted'],
  'user.consent': ['refused', 'accepted'],
  'user.sharing_consent': ['refused', 'accepted'],
  'user.duplicate_email': ['refused', 'second'],
  'user.email_case': ['ignored', 'distinct'],
  'user.documents': ['per_side', 'per_document'],
  'user.document_fields': ['all_but_back', 'all'],
  'user.document_count': ['twenty', 'any'],
  'user.paused': ['shown', 'as_active'],
  'user.transitions': ['sandbox', 'free'],
  'user.rejection_reasons': ['reason', 'customer_reason'],
  'user.requirements': ['names', 'objects'],
  'users.list': ['array', 'paged'],
  'users.offboarded': ['listed', 'left_out'],
  'consent.created_status': ['ok', 'created'],
  'consent.required': ['all', 'accepted'],
  'consent.declined': ['refused', 'recorded'],
  'consent.accepted_at': ['accepted', 'refused'],
  'consent.format': ['exact', 'any_iso'],
  'wallet.created_status': ['created', 'ok'],
  'wallet.required': ['all', 'without_ref'],
  'wallet.chain': ['refused', 'accepted'],
  'wallet.repeat': ['same', 'conflict', 'second'],
  'wallet.same_chain': ['allowed', 'conflict'],
  'offramp.created_status': ['ok', 'created'],
  'offramp.required': ['all', 'user'],
  'offramp.asset': ['account', 'solana'],
  'offramp.address': ['same', 'fresh'],
  'offramp.listed': ['on_deposit', 'on_initiate'],
  'offramp.id': ['own', 'transfer'],
  'offramp.fiat_amount': ['net', 'gross'],
  'offramp.foreign_account': ['not_found', 'invalid', 'forbidden'],
  'offramp.below_fee': ['failed', 'unmatched'],
  'audit.unknown_user': ['not_found', 'empty'],
  'audit.order': ['newest_first', 'oldest_first'],
  'audit.size': ['refused', 'clamped'],
  'audit.past_end': ['empty', 'not_found'],
  'audit.no_items': ['empty_list', 'null'],
  'audit.no_pages': ['zero', 'one'],
  'audit.status_case': ['lower', 'upper'],
  'audit.currency_case': ['lower', 'upper'],
  'audit.masked_details': ['last_four', 'same_length'],
  'transfer_audit.offramps': ['listed', 'left_out'],
  'transfer_audit.target_amount': ['net', 'gross'],
  'transfer.transitions': ['sandbox', 'no_return'],
  'transfer.fees_currency': ['target', 'source'],
  'transfer.crypto_source': ['wallet', 'null'],
  'transfer.unreached': ['null', 'absent'],
  'transfer.bank_reference': ['submitted', 'processed'],
  'transfer.unknown': ['not_found', 'invalid'],
  'balance.total': ['per_chain', 'per_token', 'above_zero'],
  'balance.none': ['zero', 'not_found'],
  'balance.scale': ['cents', 'token'],
  'path.case': ['accepted', 'refused'],
  'crypto.unknown': ['invalid', 'not_found', 'zero'],
  'error.codes': ['sandbox', 'status'],
  'error.order': ['shape_first', 'user_first'],
  'error.faults': ['all', 'first'],
  'request.id': ['own', 'taken_over'],
  'http.plain': ['forbidden', 'redirect', 'closed'],
  'path.unknown': ['gate_first', 'gateway'],
  'path.method': ['not_allowed', 'forbidden', 'not_found'],
  'path.trailing_slash': ['unknown', 'same'],
  'path.blanks': ['kept', 'trimmed'],
  'path.head': ['as_get', 'not_allowed'],
  'body.type': ['unsupported', 'invalid'],
  'body.size': ['too_large', 'invalid'],
  'body.unknown_fields': ['ignored', 'refused'],
  'body.blanks': ['kept', 'trimmed'],
  'query.unknown': ['ignored', 'refused'],
  'query.repeated': ['refused', 'first'],
  'query.malformed': ['refused', 'default'],
  'time.form': ['milliseconds', 'seconds', 'offset'],
  'uuid.version': ['accepted', 'refused'],
  'key.repeated': ['malformed', 'first'],
} as const

export type AssumptionId = keyof typeof READINGS

/** The names of an assumption's readings. */
export type ReadingOf<Id extends AssumptionId> = (typeof READINGS)[Id][number]

export const assumptionIds = Object.keys(READINGS) as AssumptionId[]

export const isAssumption = (id: string): id is AssumptionId => Object.hasOwn(READINGS, id)

export const readingNames = (id: AssumptionId): readonly string[] => READINGS[id]

/** The default of each. */
export const DEFAULTS = Object.fromEntries(assumptionIds.map((id) => [id, READINGS[id][0]])) as {
  readonly [Id in AssumptionId]: ReadingOf<Id>
}

/** The number of each, in the order of the register. */
export const NUMBERS = Object.fromEntries(assumptionIds.map((id, n) => [id, n])) as Readonly<
  Record<AssumptionId, number>
>
