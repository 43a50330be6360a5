import { bodies, strangeInBody } from './bodies.js'
import type { Conditions } from './conditions.js'
import { letThrough, type Strange, strangeIn } from './named.js'
import { strangeInUser } from './vocabulary.js'

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
export const strangeInRequest = (conditions: Conditions): Strange[] => [
  ...strangeIn(conditions, 'operation', OPERATIONS, (it) => operationIds.some((id) => id === it)),
  ...strangeIn(conditions, 'method', METHOD, (it) => it === it.toUpperCase()),
  ...strangeIn(conditions, 'path', PATH, (it) => it.startsWith('/') && !it.includes('?')),
  ...strangeMethods(conditions),
  ...strangeInBody(conditions),
  ...strangeInUser(conditions),
]

/** Methods of an operation: what is read can be asked for by HEAD as well. */
const methodsOf = (id: string): readonly string[] =>
  Object.hasOwn(bodies, id) ? ['POST'] : ['GET', 'HEAD']

/** Whether conditions name the operations of a rule, all of them read by GET. */
export const onlyReads = (conditions: Conditions = {}): boolean => {
  const named = letThrough(conditions.operation).map(({ value }) => value)
  return (
    named.length > 0 && named.every((id) => typeof id === 'string' && !Object.hasOwn(bodies, id))
  )
}

/** Methods that none of the operations has that are asked for. */
const strangeMethods = (conditions: Conditions): Strange[] => {
  const named = letThrough(conditions.operation).map(({ value }) => String(value))
  const known = named.filter((id) => operationIds.some((it) => it === id))
  if (known.length === 0 || known.length < named.length) return []
  const methods = [...new Set(known.flatMap(methodsOf))]
  const accepted = `${methods.join(', ')}, as ${known.join(', ')} has it`
  return strangeIn(conditions, 'method', accepted, (it) => methods.includes(it))
}
