import { type AssumptionId, isAssumption } from './reading-names.js'

/** Assumptions that left the register: the one that replaced each, or the behaviour that is fixed now. */
const RETIRED: Readonly<Record<string, { now: AssumptionId } | { fixed: string }>> = {
  'path.trailing_slash': { now: 'wire.strictness' },
  'query.repeated': { now: 'wire.strictness' },
  'query.unknown': { now: 'wire.strictness' },
  'body.unknown_fields': { now: 'wire.strictness' },
  'user.birth_day': { fixed: 'a date of birth lies before today in UTC' },
  'wallet.other_chain': { fixed: 'a token on another chain than its wallet is kept unmatched' },
  'wallet.repeat_balances': { fixed: 'balances are null where a wallet is created, also again' },
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

export const isRetired = (id: string): boolean => Object.hasOwn(RETIRED, id)

/** What to use in place of a retired id, as a sentence; undefined for any other id. */
export const replacementOf = (id: string): string | undefined => {
  const retired = isAssumption(id) || !isRetired(id) ? undefined : RETIRED[id]
  if (!retired) return undefined
  return 'now' in retired
    ? `${id} was replaced by ${retired.now}`
    : `${id} was removed. Fixed behaviour: ${retired.fixed}`
}
