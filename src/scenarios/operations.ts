import type { Conditions } from './conditions.js'
import { strangeWords } from './named.js'

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
export const strangeInRequest = ({ operation, method }: Conditions) => [
  ...strangeWords(operation, (it) => operationIds.some((id) => id === it)).map(({ place }) => ({
    field: 'operation',
    place,
    accepted: OPERATIONS,
  })),
  ...strangeWords(method, (it) => it === it.toUpperCase()).map(({ place }) => ({
    field: 'method',
    place,
    accepted: METHOD,
  })),
]
