import type { Conditions } from './conditions.js'
import { type Strange, strangeIn } from './named.js'

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

/** The operations and methods that conditions on a request name, and that no request ever has. */
export const strangeInRequest = (conditions: Conditions): Strange[] => [
  ...strangeIn(conditions, 'operation', OPERATIONS, (it) => operationIds.some((id) => id === it)),
  ...strangeIn(conditions, 'method', METHOD, (it) => it === it.toUpperCase()),
]
