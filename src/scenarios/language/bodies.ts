import { type Conditions, isOperators } from './conditions.js'
import { acceptedLiterals, type UnknownValue } from './literal-values.js'

/** Null for a body without fields. */
interface BodyFields {
  readonly [name: string]: null | BodyFields
}

const fields = (...names: readonly string[]): BodyFields =>
  Object.fromEntries(names.map((name) => [name, null]))

/** Bodies of the contract's operations. */
export const bodies: Readonly<Record<string, BodyFields>> = {
  createPayout: {
    ...fields('user_id', 'currency', 'customer_payout_id', 'amount'),
    recipient_details: fields('bank_name', 'account_holder_name', 'recipient_account_number'),
  },
  createCustodyWallet: fields('user_id', 'chain', 'customer_wallet_ref'),
  initiateOfframp: fields('user_id', 'account_id'),
  createUser: {
    ...fields('first_name', 'last_name', 'email_address', 'phone_number', 'user_type'),
    ...fields('date_of_birth', 'consent_id', 'sharing_consent', 'metadata', 'documents'),
    identity: fields(
      'identity_country_code',
      'identity_number',
      'identity_document_name',
      'identity_document_front',
      'identity_document_back',
    ),
    address: fields('line1', 'line2', 'city', 'country', 'region', 'sub_division', 'postal_code'),
  },
  createConsent: { tnc_data: fields('tnc_accepted', 'accepted_at') },
}

const nestedFields = (asked: readonly BodyFields[], name: string): BodyFields[] =>
  asked.map((it) => it[name] ?? null).filter((it) => it !== null)

const isRead = (operation: string): boolean => /^(get|list)/.test(operation)

/** Field names that no body of the selected operations has. */
export const unknownBodyFields = ({ operation, body }: Conditions): UnknownValue[] => {
  if (body === undefined) return []
  const named = acceptedLiterals(operation).map(({ value }) => String(value))
  if (named.length > 0 && named.every(isRead)) {
    return [
      { path: ['body'], accepted: `no condition on a body, which ${named.join(', ')} has not` },
    ]
  }
  const isAny = named.some((id) => !isRead(id) && !Object.hasOwn(bodies, id))
  const asked = (named.length > 0 ? named : Object.keys(bodies)).map((id) => bodies[id] ?? {})
  return isAny ? [] : findUnknownNames(body, asked, ['body'])
}

/** Whether some body has a field at this path, such as `body.currency`. */
export const isInBody = (path: readonly string[]): boolean => {
  let asked: readonly BodyFields[] = Object.values(bodies)
  for (const name of path) {
    const found = asked.filter((it) => Object.hasOwn(it, name))
    if (found.length === 0) return asked.length === 0
    asked = nestedFields(found, name)
  }
  return true
}

const findUnknownNames = (
  conditions: unknown,
  asked: readonly BodyFields[],
  path: readonly PropertyKey[],
): UnknownValue[] => {
  const isPlain = typeof conditions !== 'object' || conditions === null || Array.isArray(conditions)
  if (isPlain || asked.length === 0 || isOperators(conditions)) return []
  const names = [...new Set(asked.flatMap((it) => Object.keys(it)))]
  return Object.entries(conditions).flatMap(([name, inner]) => {
    const here = [...path, name]
    const found = asked.filter((it) => Object.hasOwn(it, name))
    if (found.length === 0)
      return [{ path: here, accepted: names.join(', '), isKey: true as const }]
    return findUnknownNames(inner, nestedFields(found, name), here)
  })
}
