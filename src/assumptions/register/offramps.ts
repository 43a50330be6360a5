import { type Assumption, reading, SILENT } from './assumption.js'

const initiate = ['initiateOfframp']
const audited = ['getOfframpAudit', 'getTransferAudit', 'getTransferStatus']
/** balance.scope can include deposits. */
const balance = ['getCryptoBalance']
const counted = { operations: [...audited, ...balance], otherwise: balance }

export const walletAssumptions = {
  'wallet.repeat': {
    question: 'What happens when a customer_wallet_ref is used again?',
    operations: ['createCustodyWallet'],
    readings: [
      reading('same', '200 with that wallet; 400 when other fields differ'),
      reading('conflict', '409', '4090'),
      reading('second', 'a second wallet'),
    ],
    basis: SILENT,
    risk: 'medium',
    consequence:
      'a retry creates a second wallet or is refused, and deposits are spread over two addresses',
  },
  'wallet.same_chain': {
    question: 'May a user have a second wallet on the same chain?',
    operations: ['createCustodyWallet'],
    readings: [reading('allowed', 'yes'), reading('conflict', 'no: 409', '4090')],
    basis: SILENT,
    risk: 'medium',
    consequence: 'a second wallet on a chain is refused, where a client relies on it',
  },
  'wallet.status': {
    question: 'Which status does a new wallet have?',
    operations: ['createCustodyWallet'],
    readings: [
      reading('active', 'ACTIVE'),
      reading('pending', 'PENDING; ACTIVE when the same request is repeated'),
    ],
    basis: 'Resources, Custody wallet: ACTIVE is the observed value; the full set is not shown.',
    risk: 'medium',
    consequence:
      'a client takes a new wallet for unusable, or gives its address away before it is ready',
  },
  'chain.spelling': {
    question: 'How are token and chain spelled in the path of the crypto balance?',
    operations: ['getCryptoBalance'],
    readings: [
      reading('any_case', 'in any case'),
      reading('exact', 'chains in lower case and tokens in upper case; anything else is 400'),
    ],
    basis: 'Endpoints, 11: solana, ethereum and polygon, USDC and USDT are spelled this way.',
    risk: 'medium',
    consequence:
      'a client that takes the lower case token of a balance entry for the path is refused',
  },
} as const satisfies Record<string, Assumption>

export const offrampAssumptions = {
  'offramp.asset': {
    question: 'Which token and chain does a deposit address expect?',
    operations: initiate,
    readings: [
      reading('account', 'the asset of the destination account, else USDC on polygon'),
      reading('solana', 'USDC on solana'),
    ],
    basis: SILENT,
    risk: 'high',
    consequence:
      'a client that does not read token and chain from the response sends crypto that nobody expects',
  },
  'deposit.limits': {
    question: 'Which amounts may arrive at a deposit address?',
    ...counted,
    readings: [
      reading('any', 'any amount'),
      reading('unmatched', 'from 10 to 10,000 units of the token; others stay unmatched'),
    ],
    basis: 'Limits: minimum or maximum amounts are not shown.',
    risk: 'high',
    consequence:
      'a deposit that a client lets its user send is never converted, and appears in no audit',
  },
} as const satisfies Record<string, Assumption>
