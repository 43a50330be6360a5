/** The ids of the contract's eleven operations, in the contract's order. */
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
