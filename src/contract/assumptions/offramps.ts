import { type Assumption, reading, SILENT, STRICTER } from './assumption.js'

const initiate = ['initiateOfframp']
const audited = ['getOfframpAudit', 'getTransferAudit', 'getTransferStatus']
/** A balance counts what comes to a deposit address under another reading (balance.scope). */
const balance = ['getCryptoBalance']
const counted = { operations: [...audited, ...balance], otherwise: balance }

export const walletAssumptions = {
  'wallet.created_status': {
    question: 'Which status answers a created wallet?',
    operations: ['createCustodyWallet'],
    readings: [reading('created', '201'), reading('ok', '200')],
    basis: 'HTTP status codes used: 201 resource created.',
  },
  'wallet.required': {
    question: 'Which fields of create wallet are required?',
    operations: ['createCustodyWallet'],
    readings: [
      reading('all', 'all three'),
      reading('without_ref', 'user_id and chain; a wallet without reference has its id for one'),
    ],
    basis: STRICTER,
  },
  'wallet.chain': {
    question: 'What happens with a chain that is none of the known?',
    operations: ['createCustodyWallet'],
    readings: [reading('refused', '400'), reading('accepted', 'the wallet is created')],
    basis: STRICTER,
  },
  'wallet.repeat': {
    question: 'What happens when a customer_wallet_ref comes again?',
    operations: ['createCustodyWallet'],
    readings: [
      reading('same', '200 with that wallet; 400 when other fields differ'),
      reading('conflict', '409'),
      reading('second', 'a second wallet'),
    ],
    basis: SILENT,
  },
  'wallet.same_chain': {
    question: 'May a user have a second wallet on the same chain?',
    operations: ['createCustodyWallet'],
    readings: [reading('allowed', 'yes'), reading('conflict', 'no: 409')],
    basis: SILENT,
  },
  'wallet.status': {
    question: 'Which status has a wallet that has just been created?',
    operations: ['createCustodyWallet'],
    readings: [
      reading('active', 'ACTIVE'),
      reading('pending', 'PENDING; ACTIVE when the same request is answered again'),
    ],
    basis: 'Resources, Custody wallet: ACTIVE is the observed value; the full set is not shown.',
  },
  'chain.case': {
    question: 'Is Polygon accepted for polygon when a wallet is created?',
    operations: ['createCustodyWallet'],
    readings: [reading('refused', 'no'), reading('accepted', 'yes, in any case')],
    basis: 'Endpoints, 11: solana, ethereum and polygon are shown in lower case.',
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
  },
} as const satisfies Record<string, Assumption>

export const offrampAssumptions = {
  'offramp.created_status': {
    question: 'Which status answers an initiated offramp?',
    operations: initiate,
    readings: [reading('ok', '200'), reading('created', '201')],
    basis: 'Endpoints, 3: it returns an instruction, not a resource with an id.',
  },
  'offramp.required': {
    question: 'Which fields of initiate offramp are required?',
    operations: initiate,
    readings: [
      reading('all', 'both'),
      reading('user', 'only user_id; without account_id it is the user’s oldest account'),
    ],
    basis: STRICTER,
  },
  'offramp.asset': {
    question: 'Which token and chain does a deposit address expect?',
    operations: initiate,
    readings: [
      reading('account', 'those of the destination account, else USDC on polygon'),
      reading('solana', 'USDC on solana'),
    ],
    basis: SILENT,
  },
  'offramp.address': {
    question: 'Which address answers a second call for the same account?',
    operations: initiate,
    readings: [reading('same', 'the same address'), reading('fresh', 'a fresh address')],
    basis: SILENT,
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
  },
  'offramp.id': {
    question: 'Which id has an offramp transaction?',
    operations: ['getOfframpAudit'],
    readings: [
      reading('own', 'one of its own'),
      reading('transfer', 'its transfer’s, and null before there is one'),
    ],
    basis: STRICTER,
  },
  'offramp.fiat_amount': {
    question: 'Is fiat_amount before or after fees?',
    operations: ['getOfframpAudit'],
    readings: [
      reading('net', 'after: what the destination account receives'),
      reading('gross', 'before fees'),
    ],
    basis: 'Resources, Transfer transaction: destination_amount is after conversion and fees.',
  },
  'offramp.foreign_account': {
    question: 'Which status answers an account that the user does not have?',
    operations: initiate,
    readings: [
      reading('not_found', '404'),
      reading('invalid', '400'),
      reading('forbidden', '403 when another user has it, else 404'),
    ],
    basis: 'An account that is not the user’s is not found among the user’s.',
  },
  'offramp.order': {
    question:
      'What answers an offramp of a user who is not active, whose account is unknown as well?',
    operations: initiate,
    readings: [
      reading('account_first', 'that the account is not the user’s'),
      reading('user_first', 'that the user is not active: no account is looked at before'),
    ],
    basis:
      'Endpoints, 3: status codes are not shown. What a request names is looked up before rules are applied to it.',
  },
  'offramp.below_fee': {
    question: 'What happens to a deposit that is no larger than the fee?',
    operations: audited,
    readings: [
      reading('failed', 'it is listed, then FAILED'),
      reading('unmatched', 'it is refused and kept unmatched'),
    ],
    basis: 'A deposit on a chain cannot be undone, so it is shown.',
  },
  'offramp.other_token': {
    question:
      'What happens to another token, or one on another chain, that arrives at a deposit address?',
    ...counted,
    readings: [
      reading('unmatched', 'it is kept unmatched: no audit shows it'),
      reading('converted', 'it is converted as the expected one is, where there is a rate'),
    ],
    basis: STRICTER,
  },
  'deposit.inactive_user': {
    question:
      'What happens to crypto that arrives at the deposit address of a user who is not active any more?',
    ...counted,
    readings: [
      reading('converted', 'it is converted and sent on, as that of an active user'),
      reading('failed', 'its transfer is listed, then FAILED'),
    ],
    basis:
      'User status: it is about what a user may ask for; crypto that was sent cannot be refused by its receiver.',
  },
} as const satisfies Record<string, Assumption>
