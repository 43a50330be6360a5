import { bodies, unknownBodyFields } from './bodies.js'
import type { Conditions } from './conditions.js'
import { acceptedLiterals, type UnknownValue, unknownValuesIn } from './literal-values.js'
import { unknownUserValues } from './vocabulary.js'

/** What request rules may call an operation: the OpenAPI ids, in the contract's order. */
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

/** The operations, methods, paths and statuses of users that conditions on a request name, and that no request ever has. */
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

/** Methods of an operation: what is read can be asked for by HEAD as well. */
const listMethods = (id: string): readonly string[] =>
  Object.hasOwn(bodies, id) ? ['POST'] : ['GET', 'HEAD']

/** Whether conditions name the operations of a rule, all of them read by GET. */
export const onlyReads = (conditions: Conditions = {}): boolean => {
  const named = acceptedLiterals(conditions.operation).map(({ value }) => value)
  return (
    named.length > 0 && named.every((id) => typeof id === 'string' && !Object.hasOwn(bodies, id))
  )
}

/** Methods that none of the operations has that are asked for. */
const unknownMethods = (conditions: Conditions): UnknownValue[] => {
  const named = acceptedLiterals(conditions.operation).map(({ value }) => String(value))
  const known = named.filter((id) => operationIds.some((it) => it === id))
  if (known.length === 0 || known.length < named.length) return []
  const methods = [...new Set(known.flatMap(listMethods))]
  const accepted = `${methods.join(', ')}, as ${known.join(', ')} has it`
  return unknownValuesIn(conditions, 'method', accepted, (it) => methods.includes(it))
}
