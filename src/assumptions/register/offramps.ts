import { type Assumption, OTHER_STATUS, reading, SILENT, STRICTER } from './assumption.js'

const initiate = ['initiateOfframp']
const audited = ['getOfframpAudit', 'getTransferAudit', 'getTransferStatus']
/** balance.scope can include deposits. */
const balance = ['getCryptoBalance']
const counted = { operations: [...audited, ...balance], otherwise: balance }

export const walletAssumptions = {
  'wallet.chain': {
    question: 'What happens with an unknown chain?',
    operations: ['createCustodyWallet'],
    readings: [
      reading(
        'refused',
        '400 for every chain but ethereum, polygon, base, arbitrum, solana and tron',
      ),
      reading('accepted', 'the wallet is created'),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence: 'a misspelt chain creates a wallet, and crypto that is sent to it may be lost',
  },
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
    question: 'How are chains and tokens spelled in requests, and chains in responses?',
    operations: [
      'createCustodyWallet',
      'initiateOfframp',
      'getOfframpAudit',
      'getTransferStatus',
      'getCryptoBalance',
    ],
    readings: [
      reading(
        'lower',
        'chains in lower case, such as polygon; in the path of the crypto balance any case is accepted',
      ),
      reading('any_case', 'any case is accepted everywhere; responses show chains in lower case'),
      reading('exact', 'chains in lower case and tokens in upper case; anything else is 400'),
      reading('upper', 'any case is accepted everywhere; responses show chains in upper case'),
    ],
    basis: 'Endpoints, 11: solana, ethereum and polygon, USDC and USDT are spelled this way.',
    risk: 'medium',
    consequence: 'a client that compares chains letter by letter finds none',
  },
  'address.case': {
    question: 'In which case are addresses on EVM chains?',
    operations: [
      'createCustodyWallet',
      'initiateOfframp',
      'getTotalCustodyBalances',
      'getTransferStatus',
    ],
    readings: [
      reading('checksummed', 'in mixed case, which carries a checksum (ERC-55)'),
      reading('lower', 'in lower case'),
    ],
    basis: SILENT,
    risk: 'medium',
    consequence: 'a client that compares addresses letter by letter finds none',
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
  'offramp.address': {
    question: 'Which address does a second call for the same account return?',
    operations: initiate,
    readings: [reading('same', 'the same address'), reading('fresh', 'a fresh address')],
    basis: SILENT,
    risk: 'high',
    consequence: 'a client that keeps one address for an account sends to an old one',
  },
  'offramp.listed': {
    question: 'When does an offramp enter the audit?',
    operations: ['getOfframpAudit'],
    readings: [
      reading('on_deposit', 'when crypto arrives'),
      reading(
        'on_initiate',
        'at once, with zero amounts; the first deposit to its address is the same transaction',
      ),
    ],
    basis: 'Resources, Offramp transaction: it has amounts, which are unknown before.',
    risk: 'medium',
    consequence: 'the audit shows offramps without money, which a client counts as deposits',
  },
  'offramp.id': {
    question: 'Which id does an offramp transaction have?',
    operations: ['getOfframpAudit'],
    readings: [
      reading('own', 'its own'),
      reading('transfer', 'that of its transfer, and null without a transfer'),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence: 'a client reads a transfer by an id that is not a transfer’s',
  },
  'offramp.foreign_account': {
    question: 'Which status does an account that the user does not have return?',
    operations: initiate,
    readings: [
      reading('not_found', '404'),
      reading('invalid', '400'),
      reading('forbidden', '403 when another user has it, else 404'),
    ],
    basis: 'An account of another user is not among the accounts of the user.',
    risk: 'medium',
    consequence: OTHER_STATUS,
  },
  'offramp.below_fee': {
    question: 'What happens to a deposit that is no larger than the fee?',
    operations: audited,
    readings: [
      reading('failed', 'it is listed, then FAILED'),
      reading('unmatched', 'it is refused and stays unmatched'),
    ],
    basis: 'A deposit on a chain cannot be undone, so it is shown.',
    risk: 'high',
    consequence:
      'a small deposit stays unmatched and never appears in an audit, while a client waits for it',
  },
  'offramp.other_token': {
    question:
      'What happens to another token, or one on another chain, that arrives at a deposit address?',
    ...counted,
    readings: [
      reading('unmatched', 'it stays unmatched, and no audit shows it'),
      reading('converted', 'it is converted like the expected one, if there is a rate'),
    ],
    basis: STRICTER,
    risk: 'high',
    consequence:
      'crypto that was sent by mistake is converted and paid out, and a client that refunded it pays twice',
  },
  'offramp.created_at': {
    question: 'When is an offramp transaction created?',
    operations: ['getOfframpAudit'],
    readings: [
      reading('deposit', 'when the crypto arrives'),
      reading('initiation', 'when its deposit address was first requested'),
    ],
    basis: 'Resources, Offramp transaction: it has amounts, which are known from the deposit on.',
    risk: 'medium',
    consequence:
      'a client that matches offramps by their time, or reads the newest first, finds the wrong one',
  },
  'deposit.inactive_user': {
    question:
      'What happens to crypto that arrives at the deposit address of a user who is no longer active?',
    ...counted,
    readings: [
      reading('converted', 'it is converted and sent on, as for an active user'),
      reading('failed', 'its transfer is listed, then FAILED'),
    ],
    basis: 'User status: it limits the requests of a user; a receiver cannot refuse crypto.',
    risk: 'high',
    consequence: 'crypto of a paused user is sent back, while a client waits for its conversion',
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
