/** A point on which the contract is silent and the sandbox has one behaviour only. */
interface Decision {
  readonly about: string
  readonly behaviour: string
  /** Assumptions of earlier versions that asked about it. */
  readonly ids: readonly string[]
}

/** No client sees another behaviour, or a client that works here works under it too. */
export const DECISIONS: readonly Decision[] = [
  {
    about: 'a payout without a key, or with a malformed one',
    behaviour: '403; the payout page also names 401',
    ids: ['payout.key'],
  },
  {
    about: 'currencies and amounts of payouts',
    behaviour: 'upper case; no more decimals than the currency has; at most 15 digits; no minimum',
    ids: ['payout.currency', 'payout.amount_form', 'payout.amount_scale', 'payout.amount_limits'],
  },
  {
    about: 'the rail of a payout',
    behaviour: 'that of the wallet provider in bank_name, else the bank rail',
    ids: ['payout.rail'],
  },
  {
    about: 'money of a failed payout',
    behaviour: 'amount and rail_fee return to the balance',
    ids: ['payout.failed_fee'],
  },
  {
    about: 'money of a failed transfer',
    behaviour: 'returns to the sender',
    ids: ['transfer.failed_funds'],
  },
  {
    about: 'an id that another user has used',
    behaviour: 'a repeat: ids are unique in the account',
    ids: ['repeat.scope'],
  },
  {
    about: 'several errors in one request',
    behaviour:
      'malformed fields, unknown records, no balance, inactive user, amount and account, then a balance that is too small',
    ids: ['error.order'],
  },
  {
    about: 'required fields',
    behaviour:
      'all that the contract lists, except documents, metadata, line2, region and document_back; these may be null or absent',
    ids: ['user.required', 'user.absent', 'required.fields'],
  },
  {
    about: 'formats of a user',
    behaviour:
      'phone in E.164, country in ISO 3166-1, born from 1900 on, at least 18 years old, at most 20 documents',
    ids: ['user.formats', 'user.age'],
  },
  {
    about: 'consents',
    behaviour:
      'accept the terms, and serve one user; 400 for an unknown or used one; accepted_at may be in the future; sharing_consent is true',
    ids: ['consent.validity', 'consent.reuse', 'consent.time'],
  },
  {
    about: 'status changes of users and transfers',
    behaviour: 'as the control API allows; a transfer may fail after PAYMENT_PROCESSED',
    ids: ['user.transitions', 'transfer.transitions'],
  },
  {
    about: 'chains',
    behaviour: '400 for others than the six known ones; lower case, in responses too',
    ids: ['wallet.chain'],
  },
  { about: 'EVM addresses', behaviour: 'with the checksum of ERC-55', ids: ['address.case'] },
  {
    about: 'deposit addresses',
    behaviour: 'one for each account and token, which never changes',
    ids: ['offramp.address'],
  },
  {
    about: 'offramps',
    behaviour: 'listed from their deposit on, with an id of their own and the time of the deposit',
    ids: ['offramp.listed', 'offramp.id', 'offramp.created_at'],
  },
  {
    about: 'an offramp to the account of another user',
    behaviour: '404',
    ids: ['offramp.foreign_account'],
  },
  { about: 'a deposit below the fee', behaviour: 'listed as FAILED', ids: ['offramp.below_fee'] },
  { about: 'a deposit of another token', behaviour: 'unmatched', ids: ['offramp.other_token'] },
  {
    about: 'a deposit for a user who is no longer active',
    behaviour: 'converted',
    ids: ['deposit.inactive_user'],
  },
  {
    about: 'account_type of a destination account',
    behaviour: 'bank_account, for wallet providers too',
    ids: ['audit.account_type'],
  },
  {
    about: 'rounding of conversions',
    behaviour: 'once, after the fee, half to even',
    ids: ['conversion.rounding'],
  },
  {
    about: 'crypto balances',
    behaviour: 'with the decimals of the token',
    ids: ['balance.scale'],
  },
  { about: 'UUIDs', behaviour: 'of any version, in either case', ids: ['uuid.form'] },
  { about: 'plain HTTP on a port for HTTPS', behaviour: '403', ids: ['http.plain'] },
  {
    about: 'unknown paths, wrong methods, a trailing slash',
    behaviour: '404, after the key is checked',
    ids: ['path.unknown', 'path.method'],
  },
  {
    about: 'another content type, a body that is too large',
    behaviour: '400',
    ids: ['body.type', 'body.size'],
  },
  { about: 'a read-only key', behaviour: 'may call every GET', ids: ['key.permissions'] },
]

const DUPLICATE = 'is part of user.duplicate, whose readings are refused and second'

/** Ids and readings of earlier versions that others have replaced. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ['user.email', DUPLICATE],
  ['user.duplicate_person', DUPLICATE],
  ['chain.spelling=lower', 'is chain.spelling=any_case now'],
  ['chain.spelling=upper', 'is no reading any more: responses have chains in lower case'],
])

/**
 * Explains an assumption, or `<assumption>=<reading>`, that only earlier versions have. Undefined for any other name.
 */
export const describeDecision = (name: string): string | undefined => {
  const replaced = REPLACED.get(name)
  if (replaced !== undefined) return `${name} ${replaced}`
  const decision = DECISIONS.find(({ ids }) => ids.includes(name))
  return (
    decision &&
    `${name} is decided, see "Decided so" in FIDELITY.md: ${decision.about}: ${decision.behaviour}`
  )
}
