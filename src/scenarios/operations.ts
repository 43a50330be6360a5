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
