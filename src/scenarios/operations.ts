import type { Conditions } from './conditions.js'
import { type Strange, strangeIn } from './named.js'
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
  ...strangeInUser(conditions),
]
