import { type AssumptionId, isAssumption } from './ids.js'

/**
 * Assumptions that left the register, with their replacement or the behaviour that is fixed now.
 */
const RETIRED: Readonly<Record<string, { now: AssumptionId } | { fixed: string }>> = {
  'path.trailing_slash': { now: 'wire.strictness' },
  'query.repeated': { now: 'wire.strictness' },
  'query.unknown': { now: 'wire.strictness' },
  'body.unknown_fields': { now: 'wire.strictness' },
  'user.created_status': { now: 'created.status' },
  'consent.created_status': { now: 'created.status' },
  'wallet.created_status': { now: 'created.status' },
  'offramp.created_status': { now: 'created.status' },
  'payout.missing_key': { now: 'payout.key' },
  'payout.malformed_key': { now: 'payout.key' },
  'payout.repeat_for': { now: 'payout.repeat' },
  'payout.repeat_failed': { now: 'payout.repeat' },
  'user.duplicate_email': { now: 'user.email' },
  'user.email_case': { now: 'user.email' },
  'user.email_reuse': { now: 'user.email' },
  'payout.order': { now: 'error.order' },
  'offramp.order': { now: 'error.order' },
  'users.order': { now: 'list.order' },
  'audit.order': { now: 'list.order' },
  'audit.past_end': { now: 'audit.pages' },
  'audit.no_pages': { now: 'audit.pages' },
  'offramp.fiat_amount': { now: 'audit.amounts' },
  'transfer_audit.target_amount': { now: 'audit.amounts' },
  'uuid.version': { now: 'uuid.form' },
  'uuid.case': { now: 'uuid.form' },
  'body.limit': { now: 'size.limits' },
  'user.image_size': { now: 'size.limits' },
  'user.document_count': { now: 'size.limits' },
  'payout.texts': { now: 'size.limits' },
  'chain.case': { now: 'chain.spelling' },
  'path.case': { now: 'chain.spelling' },
  'payout.insufficient_balance': { now: 'payout.balance' },
  'payout.no_balance': { now: 'payout.balance' },
  'payout.no_rail': { now: 'payout.currency' },
  'currency.case': { now: 'payout.currency' },
  'currency.known': { now: 'payout.currency' },
  'balance.none': { now: 'crypto.unknown' },
  'audit.status_case': { now: 'audit.spelling' },
  'audit.currency_case': { now: 'audit.spelling' },
  'query.malformed': { now: 'audit.size' },
  'payout.reference': { fixed: 'reference is null until the rail has one' },
  'audit.masked_details': {
    fixed: 'masked details show the last four characters, and the first four of an IBAN',
  },
  'transfer.crypto_source': {
    fixed:
      'the source of a crypto deposit is a crypto_wallet with its masked address and its chain',
  },
  'transfer.bank_reference': { fixed: 'bank_txn_reference is null until PAYMENT_SUBMITTED' },
  'consent.required': { now: 'required.fields' },
  'wallet.required': { now: 'required.fields' },
  'offramp.required': { now: 'required.fields' },
  'user.unknown': { now: 'resource.unknown' },
  'transfer.unknown': { now: 'resource.unknown' },
  'audit.unknown_user': { now: 'resource.unknown' },
  'user.images': { now: 'user.formats' },
  'user.metadata': { now: 'user.formats' },
  'user.consent': { now: 'consent.reuse' },
  'user.sharing_consent': { now: 'consent.validity' },
  'consent.declined': { now: 'consent.validity' },
  'consent.accepted_at': { now: 'consent.time' },
  'consent.format': { now: 'consent.time' },
  'user.documents': { fixed: 'documents has one item for each uploaded side' },
  'user.document_fields': { fixed: 'only document_back of a supporting document is optional' },
  'user.birth_day': { fixed: 'a date of birth is before today in UTC' },
  'wallet.other_chain': { fixed: 'a token on another chain than its wallet stays unmatched' },
  'wallet.repeat_balances': {
    fixed: 'balances are null in the create response, also for a repeat',
  },
  'users.offboarded': { fixed: 'the list shows offboarded users' },
  'path.blanks': { fixed: 'blanks around a value in a path are part of it' },
  'path.head': { fixed: 'HEAD is answered like GET, without a body' },
  'http.accept': { fixed: 'the accept header is ignored' },
  'body.on_get': { fixed: 'a body that comes with GET is ignored' },
  'body.characters': { fixed: 'control characters in a text are refused with 400' },
  'body.blanks': { fixed: 'blanks around a text are part of it' },
  'body.repeated_fields': { fixed: 'the last of two fields of one name counts' },
  'key.repeated': { fixed: 'two x-api-key headers are a malformed key: 403 with code 4100' },
  'key.empty': { fixed: 'an empty x-api-key is a malformed key: 403 with code 4100' },
  'request.id': { fixed: 'each answer has a request id of its own' },
  'error.faults': { fixed: 'a 400 names all malformed fields, up to eight' },
  'rate.retry_after': { fixed: 'a 429 has retry-after' },
}

export const retiredIds = Object.keys(RETIRED)

const isRetired = (id: string): boolean => Object.hasOwn(RETIRED, id)

/** Undefined for ids that are not retired. */
export const findReplacement = (id: string): string | undefined => {
  const retired = isAssumption(id) || !isRetired(id) ? undefined : RETIRED[id]
  if (!retired) return undefined
  return 'now' in retired
    ? `${id} was replaced by ${retired.now}`
    : `${id} was removed. Fixed behaviour: ${retired.fixed}`
}
