import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { assumptionIds } from '../../src/assumptions/ids.js'
import { assumptions } from '../../src/assumptions/register/index.js'

/**
 * The contract document is the documentation of generated clients. Its descriptions have no word
 * that neither the contract's own note nor the name of the field has: a guess needs such a word.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Node = { readonly [key: string]: Json }

const isNode = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The notes of the contract, with our synonyms in brackets. Other fields have only the words of their name. */
const NOTES: Readonly<Record<string, string>> = {
  apiKey: 'exactly 32 characters, A-Z, a-z, 0-9, and is case-sensitive',
  Payouts: 'pay local currency to a bank account or wallet',
  Wallets: 'Custody wallets, balances',
  Offramps: 'Crypto arrives, it is converted to fiat and sent: crypto in, fiat out',
  Transfers: 'transfer (currency conversion) transactions, status',
  Users: 'User onboarding, consent',
  createPayout:
    'Pays out local currency from the user’s available balance to a bank account or wallet; pay an amount',
  createCustodyWallet: 'Creates a custody wallet for a user on a chain',
  'createCustodyWallet 2xx': 'Custody wallet resource (crypto null, balances null on create)',
  initiateOfframp:
    'Returns a deposit address. After crypto is deposited there (when crypto arrives there), it is converted to fiat and sent to the registered destination account',
  'initiateOfframp 2xx': 'Offramp instruction: deposit address, token symbol to send',
  createUser:
    'create a user with identity, address and supporting documents; identity verification (verify); a newly created user has status under_review',
  'createUser 2xx': 'a newly (new) created user has status under_review',
  createConsent:
    'Records acceptance of terms and conditions (accepted) and returns a consent ID; create a user: consent_id from this endpoint',
  'createConsent 2xx': 'a JSON string holding the consent ID; a bare string',
  listUsers: 'List users',
  'listUsers 2xx': 'List users',
  getOfframpAudit: 'list a user’s offramp transactions; page number',
  'getOfframpAudit page': 'page number',
  'getOfframpAudit size': 'items per page',
  'getOfframpAudit 2xx': '(one) page',
  getTransferAudit: 'list a user’s transfer (currency conversion) transactions; page number',
  'getTransferAudit page': 'page number',
  'getTransferAudit size': 'items per page',
  'getTransferAudit 2xx': '(one) page',
  getTotalCustodyBalances:
    'Returns aggregated balances across all custody wallets together; one entry per supported token',
  'getTotalCustodyBalances 2xx': 'one entry per supported token',
  getTransferStatus:
    'read one transfer transaction’s status; returns the time of the named stages (times)',
  'getTransferStatus transaction_id': 'transfer transaction',
  'getTransferStatus 2xx': 'Transfer transaction',
  getCryptoBalance:
    'Returns a bare decimal number, the user’s balance of that crypto (token) in USD; blockchain (chain)',
  'getCryptoBalance crypto': 'token symbol, for example USDC or USDT',
  'getCryptoBalance blockchain': 'network, for example solana, ethereum or polygon',
  'getCryptoBalance 2xx': 'a bare decimal number, the user’s balance of that crypto (token) in USD',
  'Payout.id': 'Payout identifier',
  'Payout.currency': 'Payout currency; observed lowercase (lower case) in responses',
  'Payout.rail': 'Payment rail used',
  'Payout.reference': 'Reference from the underlying rail, if available',
  'Payout.amount': 'Amount in the payout currency',
  'Payout.status': 'Current payout status; one observed value is PAYOUT_PROCESSED',
  'Payout.user_id': 'The user',
  'Payout.customer_payout_id': 'The client’s own idempotent identifier',
  'Payout.rail_fee': 'Fee charged by the rail',
  'Payout.created_at': 'Creation time, UTC',
  'Payout.updated_at': 'Last update time, UTC',
  PayoutAccountDetails: 'recipient',
  'PayoutAccountDetails.bank_name': 'name of receiving bank or wallet provider',
  'PayoutAccountDetails.account_holder_name': 'receiving bank',
  'PayoutAccountDetails.recipient_account_number': 'account number or wallet identifier',
  'ApiError.code': 'Internal error code, used together with the HTTP status to distinguish cases',
  'ApiError.httpMethod': 'Method of the request',
  'ApiError.message': 'Human-readable description',
  'ApiError.path': 'Path that was called; request',
  'ApiError.requestId': 'Unique identifier of the request',
  'ApiError.resourcePath':
    'Gateway resource path pattern, for example a prefix followed by a proxy placeholder',
  'PayoutRequest.user_id': 'User the payout is for',
  'PayoutRequest.currency': 'ISO 4217 code',
  'PayoutRequest.customer_payout_id': 'Idempotent identifier for the payout in the client’s system',
  'PayoutRequest.amount': 'string: Amount to pay out in the given currency',
  'PayoutRecipient.bank_name': 'name of receiving bank or wallet provider',
  'PayoutRecipient.account_holder_name': 'receiving bank',
  'PayoutRecipient.recipient_account_number': 'account number or wallet identifier',
  'CustodyWallet.id': 'Wallet identifier',
  'CustodyWallet.crypto': 'Primary crypto (token); null when not set',
  'CustodyWallet.balances': 'Null on create (create response); populated when the wallet is read',
  'CustodyWallet.blockchain': 'Blockchain network',
  'CustodyWallet.status': 'One observed value is ACTIVE',
  'CustodyWallet.user_id': 'Owner',
  'CustodyWallet.wallet_address': 'On-chain address',
  'CustodyWallet.customer_wallet_ref': 'Client-provided reference',
  'BalanceEntry.balance': 'Token balance',
  'BalanceEntry.crypto': 'Lowercase (lower case) token symbol',
  'BalanceEntry.contract_address': 'Token contract address on the chain',
  'CustodyWalletRequest.user_id': 'Owner',
  'CustodyWalletRequest.chain': 'blockchain network',
  'CustodyWalletRequest.customer_wallet_ref': 'client-provided reference',
  'OfframpInstruction.address': 'Crypto deposit address',
  'OfframpInstruction.crypto': 'Token symbol to send (uppercase observed: upper case)',
  'OfframpInstruction.chain': 'Blockchain network',
  'OfframpRequest.account_id': 'converted to fiat and sent to the registered destination account',
  'User.status':
    'The description of the status field also names a paused state, but the enumerated values do not include it (contract): under_review, active, rejected, offboarded, incomplete',
  'User.phone_number': 'International format',
  'User.date_of_birth': 'Date, YYYY-MM-DD',
  'User.documents': 'Lists both identity and supporting documents',
  'User.rejection_reasons': 'Populated only for rejected users, otherwise null',
  'User.requirements': 'Missing requirements for incomplete users; null when none are missing',
  Address: 'Resources, User: address',
  'Address.line1': '(first line)',
  'Address.line2': '(second line)',
  'UserDocument.type': 'observed identity_front, identity_back, tax_document',
  'UserRequest.phone_number': 'International format',
  'UserRequest.date_of_birth': 'YYYY-MM-DD',
  'UserRequest.user_type': 'string enum: individual (the one value)',
  'UserRequest.consent_id': 'From endpoint 5: POST /onboarding/api/v1/tnc',
  'UserRequest.metadata': 'Text holding a JSON object',
  'UserRequest.documents':
    'Additional supporting documents (for example proof of address, source of funds, tax document)',
  IdentityDocument: 'identity',
  'IdentityDocument.identity_country_code': 'three-letter country code',
  'IdentityDocument.identity_document_name': 'document kind name',
  'IdentityDocument.identity_document_front': 'base64 image as data URI',
  'IdentityDocument.identity_document_back': 'base64 image as data URI',
  AddressRequest: 'Create user: address',
  'AddressRequest.line1': '(first line)',
  'AddressRequest.country': 'three-letter code',
  'SupportingDocument.document_front': 'data URI',
  'SupportingDocument.document_back': 'data URI',
  TncData: 'acceptance of terms and conditions',
  'TncData.tnc_accepted': 'acceptance of terms and conditions',
  'TncData.accepted_at': 'acceptance (time); ISO 8601 UTC with milliseconds',
  'OfframpAudit.transactions': 'items per page',
  'OfframpTransaction.blockchain': 'Blockchain network',
  'OfframpTransaction.status': '(One) observed value: pending. item in offramp audit list',
  'OfframpTransaction.created_at': 'Creation time',
  'DestinationAccountSummary.account_id': 'identifier',
  'DestinationAccountSummary.account_type': '(One) observed value: bank_account',
  'DestinationAccountSummary.masked_details': 'Masked account or IBAN-style details',
  'DestinationAccountSummary.nickname': 'Account label',
  Pagination: 'page, total',
  'Pagination.page': 'zero-based page number',
  'Pagination.size': 'items per page',
  'Pagination.total_pages': 'page number',
  'Pagination.total_elements': 'items, number',
  'TransferAudit.transactions': 'items per page',
  'TransferAuditItem.source_amount': 'source_currency',
  'TransferAuditItem.target_amount': 'target_currency',
  'TransferAuditItem.status': '(One) observed value: pending. item in transfer audit list',
  'TransferAuditItem.created_at': 'Creation time',
  'OfframpTransaction.crypto_amount': 'crypto_currency',
  'OfframpTransaction.fiat_amount': 'fiat_currency',
  'TransferTransaction.source_currency': 'Lowercase (lower case)',
  'TransferTransaction.target_currency': 'Lowercase (lower case); destination currency',
  'TransferTransaction.status':
    'current; string enum (enumerated): PENDING, FUNDS_RECEIVED, CONVERSION_PROCESSED, PAYMENT_SUBMITTED, PAYMENT_PROCESSED, FAILED, CANCELLED',
  'TransferTransaction.sender_user_id': 'User who initiated the transfer',
  'TransferTransaction.source_amount': 'In source currency',
  'TransferTransaction.destination_amount': 'In destination currency, after conversion and fees',
  'TransferTransaction.bank_txn_reference': 'Bank transaction reference',
  'TransferTransaction.funds_received_at': 'When source funds were received',
  'TransferTransaction.conversion_processed_at': 'When conversion was processed',
  'TransferTransaction.payment_processed_at': 'When the destination payment was processed',
  SourceInfo: 'sender_name, source_account_details',
  DestinationInfo: 'recipient_name, bank_details, account_id; destination account',
  'DestinationInfo.account_id': 'identifier',
  'BankDetails.account_number': 'masked',
}

/** Words of any sentence. */
const GLUE = words(
  'a an and are as but does for from id identifier in is it its items name not number of on or own that the their this to too was were when where whether which with who your',
)

/** In lower case and without the ending of a plural. */
function words(text: string): string[] {
  const parts = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return (parts.match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/(?<=..[^s])s$/, ''))
}

/** The words of a description that are not the contract's. */
const foreignWords = (place: string, description: string): string[] => {
  const known = new Set([...GLUE, ...words(place), ...words(NOTES[place] ?? '')])
  return words(description).filter((word) => !known.has(word))
}

const read = (file: string): Node =>
  JSON.parse(readFileSync(new URL(`../../openapi/${file}`, import.meta.url), 'utf8')) as Node

const contract = read('contract.json')

/** Each description with its place: `Payout.rail`, `createPayout`, `getOfframpAudit page`. */
const describedPlaces = (document: Node): [place: string, description: string][] => {
  const found: [string, string][] = []
  const add = (place: string, node: Json | undefined): void => {
    if (isNode(node) && typeof node.description === 'string') found.push([place, node.description])
  }
  const { tags, paths, components } = document as { [key: string]: Json }
  for (const tag of tags as Node[]) add(String(tag.name), tag)
  const { schemas, securitySchemes } = components as Record<string, { [key: string]: Json }>
  add('apiKey', securitySchemes?.apiKey)
  for (const [name, schema] of Object.entries(schemas ?? {})) {
    const { properties = {}, ...whole } = schema as { [key: string]: Json }
    add(name, whole)
    for (const [field, node] of Object.entries(properties as { [key: string]: Json })) {
      add(`${name}.${field}`, node)
      if (isNode(node)) add(`${name}.${field}`, node.items)
    }
  }
  const operations = Object.values(paths as { [key: string]: { [key: string]: Node } })
  for (const operation of operations.flatMap((it) => Object.values(it))) {
    const id = String(operation.operationId)
    add(id, operation as Json)
    for (const parameter of (operation.parameters ?? []) as { [key: string]: Json }[]) {
      add(`${id} ${parameter.name}`, parameter)
      add(`${id} ${parameter.name}`, parameter.schema)
    }
    for (const [status, response] of Object.entries(operation.responses as Record<string, Node>)) {
      if (!status.startsWith('2')) continue
      add(`${id} 2xx`, response as Json)
      const { schema } = (response.content as Record<string, Node>)['application/json'] as Node
      add(`${id} 2xx`, schema)
    }
  }
  return found
}

test.each(['contract.json', 'contract-3.0.json'])(
  'descriptions in openapi/%s have only words of the contract',
  (file) => {
    const places = describedPlaces(read(file))
    expect(places.length).toBeGreaterThan(150)
    const foreign = places.map(([place, text]) => [place, foreignWords(place, text)] as const)
    expect(foreign.filter(([, found]) => found.length > 0)).toEqual([])
  },
)

/** Guesses that the document showed as documented. */
test.each([
  ['PayoutRequest.customer_payout_id', 'Your own id. A retry with the same id pays only once'],
  ['PayoutRequest.amount', 'Amount as a string, of at most 15 digits'],
  ['CustodyWalletRequest.chain', 'Blockchain network: ethereum, polygon or solana'],
  ['TransferAuditItem.fees', 'Fees, in target currency'],
  ['TransferAuditItem.target_amount', 'Amount received, after fees'],
  ['OfframpTransaction.fiat_amount', 'Amount paid out, after fees'],
  ['OfframpTransaction.exchange_rate', 'Fiat units for one unit of the token'],
  ['TransferTransaction.exchange_rate', 'Target units for one source unit'],
  ['UserRequest.consent_id', 'From POST /onboarding/api/v1/tnc; one consent serves one user'],
  ['Payout.reference', 'Reference of the payment at the rail, once it is processed'],
  ['Payout.status', 'Only PAYOUT_PROCESSED is observed; the other values are assumed'],
  ['User.documents', 'Identity and supporting documents, one item per uploaded side'],
  ['getTotalCustodyBalances 2xx', 'One entry per token and chain, zero included'],
  ['TransferTransaction.funds_received_at', 'When source funds were received, UTC'],
])('the words of a guess about %s are foreign: %s', (place, guess) => {
  expect(foreignWords(place, guess)).not.toEqual([])
})

test('no reading of an assumption is in the contract document', () => {
  const text = JSON.stringify({ ...contract, info: {} }, (name, value) =>
    name === 'x-assumptions' ? undefined : value,
  )
  for (const id of assumptionIds) {
    const { question, readings } = assumptions[id]
    for (const words of [id, question, ...readings.map(({ means }) => `: ${means}.`)]) {
      expect(text, id).not.toContain(words)
    }
  }
})

/** Where the contract document has a keyword, with its value. */
const placesOf = (keyword: string): string[] => {
  const found: string[] = []
  const walk = (value: Json | undefined, path: string): void => {
    if (Array.isArray(value)) for (const it of value) walk(it, path)
    if (!isNode(value)) return
    for (const [name, inner] of Object.entries(value)) {
      if (name === keyword && !path.endsWith('/properties')) found.push(`${path} ${String(inner)}`)
      if (name !== 'examples') walk(inner, `${path}/${name}`)
    }
  }
  walk({ ...contract, servers: [] }, '')
  return [...new Set(found.map((it) => it.replace(/^.*\/(schemas|v1)\/|properties\//g, '')))].sort()
}

test('the contract document has no example, default, pattern or limit that the contract does not show', () => {
  expect(placesOf('example')).toEqual([
    'ApiError/resourcePath /payment/{proxy+}',
    'CustodyWallet/status ACTIVE',
    'DestinationAccountSummary/account_type bank_account',
    'OfframpInstruction/crypto USDC',
    'OfframpTransaction/status pending',
    'Payout/currency ngn',
    'Payout/status PAYOUT_PROCESSED',
    'TransferAuditItem/status pending',
    'UserDocument/type identity_front',
  ])
  expect(placesOf('examples').filter((place) => place.includes('/responses/2'))).toEqual([])
  expect(placesOf('default').map((it) => it.split(' ').at(-1))).toEqual(['0', '5', '0', '5'])
  expect(placesOf('pattern')).toEqual([expect.stringContaining('TncData/accepted_at ')])
  for (const name of ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']) {
    expect(placesOf(name), name).toEqual([])
  }
})
