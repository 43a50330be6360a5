import { bodies, unknownBodyFields } from './bodies.js'
import type { Conditions } from './conditions.js'
import { acceptedLiterals, type UnknownValue, unknownValuesIn } from './literal-values.js'
import { unknownUserValues } from './vocabulary.js'

/** OpenAPI ids in the contract's order. */
export const operationIds = [
  'createPayout',
  'createCustodyWallet',
  'initiateOfframp',
  'createUser',
  'createConsent',
  'listUsers',
  'getOfframpAudit',
  'getTransferAudit',
  'getTotalCustodyBalances',
  'getTransferStatus',
  'getCryptoBalance',
] as const

const OPERATIONS = operationIds.join(', ')
const METHOD = 'a method in upper case such as GET'
const PATH = 'a path such as /payment/api/v1/payout, without its query'

/** Operations, methods, paths and user statuses that no request has. */
export const unknownOperations = (conditions: Conditions): UnknownValue[] => [
  ...unknownValuesIn(conditions, 'operation', OPERATIONS, (it) =>
    operationIds.some((id) => id === it),
  ),
  ...unknownValuesIn(conditions, 'method', METHOD, (it) => it === it.toUpperCase()),
  ...unknownValuesIn(conditions, 'path', PATH, (it) => it.startsWith('/') && !it.includes('?')),
  ...unknownMethods(conditions),
  ...unknownBodyFields(conditions),
  ...unknownUserValues(conditions),
]

/** GET operations also accept HEAD. */
const listMethods = (id: string): readonly string[] =>
  Object.hasOwn(bodies, id) ? ['POST'] : ['GET', 'HEAD']

/** Whether all named operations use GET. */
export const onlyReads = (conditions: Conditions = {}): boolean => {
  const named = acceptedLiterals(conditions.operation).map(({ value }) => value)
  return (
    named.length > 0 && named.every((id) => typeof id === 'string' && !Object.hasOwn(bodies, id))
  )
}

/** Methods that none of the named operations has. */
const unknownMethods = (conditions: Conditions): UnknownValue[] => {
  const named = acceptedLiterals(conditions.operation).map(({ value }) => String(value))
  const known = named.filter((id) => operationIds.some((it) => it === id))
  if (known.length === 0 || known.length < named.length) return []
  const methods = [...new Set(known.flatMap(listMethods))]
  const accepted = `${methods.join(', ')}, as ${known.join(', ')} has it`
  return unknownValuesIn(conditions, 'method', accepted, (it) => methods.includes(it))
}
