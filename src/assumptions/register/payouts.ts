import { type Assumption, reading, STRICTER } from './assumption.js'

const operations = ['createPayout']

export const payoutAssumptions = {
  'payout.repeat': {
    question: 'What happens when a customer_payout_id is used again?',
    operations,
    readings: [
      reading('current', 'that payout as it is now'),
      reading('replay', 'the payout as the first answer showed it'),
      reading('conflict', '409', '4090'),
      reading('second', 'a second payout'),
      reading('a_day', 'that payout as it is now, for 24 hours; after that a new payout'),
      reading('failed_again', 'that payout as it is now; a new payout where it has failed'),
    ],
    basis: 'Endpoints, 1: "Idempotent identifier"; its behaviour on repeats is not shown.',
    risk: 'high',
    consequence:
      'a retry after a timeout pays a second time, or is refused although the first one has paid',
  },
  'payout.changed_repeat': {
    question: 'What happens when a customer_payout_id is used again with other fields?',
    operations,
    readings: [
      reading('invalid', '400'),
      reading('conflict', '409', '4090'),
      reading('first', 'the first payout is returned, and the other fields are ignored'),
    ],
    basis: STRICTER,
    risk: 'high',
    consequence:
      'a client that reuses an id takes its second payout for paid, or a retry for refused',
  },
  'payout.balance': {
    question: 'Which status does a payout return when the balance is missing or too small?',
    operations,
    readings: [
      reading(
        'by_case',
        '404 without a balance in the currency, 400 when the balance is too small',
      ),
      reading('invalid', '400 in both cases'),
      reading('not_found', '404 in both cases'),
    ],
    basis: 'Endpoints, 1: 404 user or balance not found; a balance that is too small does exist.',
    risk: 'medium',
    consequence:
      'a client takes a balance that is missing or too small for an unknown user or a malformed request',
  },
  'payout.status': {
    question: 'Which status does the create response show?',
    operations,
    readings: [
      reading('processed', 'PAYOUT_PROCESSED: it is processed within the request'),
      reading('pending', 'PAYOUT_PENDING first'),
    ],
    basis: 'Resources, Payout: PAYOUT_PROCESSED is the observed value.',
    risk: 'high',
    consequence:
      'a client books a payout as paid that is still pending and may fail, or pays it again',
  },
  'payout.statuses': {
    question: 'Which payout statuses exist besides PAYOUT_PROCESSED?',
    operations,
    readings: [
      reading('three', 'PAYOUT_PENDING and PAYOUT_FAILED'),
      reading('initiated', 'PAYOUT_INITIATED and PAYOUT_REJECTED'),
    ],
    basis:
      'Resources, Payout: the full set of values is not shown; the names follow the observed one.',
    risk: 'medium',
    consequence: 'a client does not recognise a payout that is pending or has failed',
  },
  'payout.transitions': {
    question: 'How does a payout show that the bank returned the money after PAYOUT_PROCESSED?',
    operations,
    readings: [
      reading('failed', 'it becomes PAYOUT_FAILED, with a new updated_at'),
      reading('returned', 'it becomes PAYOUT_RETURNED, with a new updated_at'),
    ],
    basis:
      'Resources, Payout: transitions are not shown; a transfer has a status FAILED, and updated_at is the time of the last change.',
    risk: 'high',
    consequence: 'a client never notices that a payout came back, and the recipient stays unpaid',
  },
  'payout.fee': {
    question: 'Who bears rail_fee?',
    operations,
    readings: [
      reading('on_top', 'the user: amount and fee leave the balance'),
      reading('deducted', 'the recipient: the fee is taken from amount'),
    ],
    basis: STRICTER,
    risk: 'high',
    consequence:
      'the recipient gets less than the amount, or the balance lasts for fewer payouts than planned',
  },
  'payout.source': {
    question: 'Which available balance pays for a payout?',
    operations,
    readings: [
      reading('fiat', 'the user’s fiat balance in the currency of the payout'),
      reading(
        'custody',
        'the crypto in the user’s custody wallets, at the current rate, oldest wallet first',
      ),
    ],
    basis:
      'Endpoints, 1: "available balance"; the balances that the contract shows are those of custody wallets, and the payout has a currency of its own.',
    risk: 'high',
    consequence:
      'payouts are refused although the client sees a balance, or spend crypto that it counts on',
  },
  'payout.account_number': {
    question: 'Which form may recipient_account_number have?',
    operations,
    readings: [
      reading('any', 'any: it is not validated'),
      reading(
        'by_rail',
        'the form of its rail, else 400: an IBAN with SEPA, ten digits with NIP, the digits of a phone number for mobile money, else 1 to 34 letters and digits',
      ),
    ],
    basis: 'Endpoints, 1: it is an account number or wallet identifier; no form is shown.',
    risk: 'medium',
    consequence: 'payouts to a number that its rail cannot pay to are refused that pass here',
  },
  'repeat.in_flight': {
    question:
      'What happens when a customer_payout_id or customer_wallet_ref is used again while the first request is still running?',
    operations: ['createPayout', 'createCustodyWallet'],
    readings: [
      reading(
        'waits',
        'the repeat waits for the first request, and then counts as a normal repeat',
      ),
      reading('conflict', '409 at once', '4090'),
    ],
    basis: 'Endpoints, 1: "Idempotent identifier"; requests that overlap are not shown.',
    risk: 'high',
    consequence:
      'a client that times out and retries while its first payout is still running pays twice',
  },
  'user.gate': {
    question: 'Are payouts, wallets and offramps possible for a user who is not active?',
    operations: ['createPayout', 'createCustodyWallet', 'initiateOfframp'],
    readings: [
      reading('refused', 'no: 400 for each of them'),
      reading('forbidden', 'no: 403 for each of them', '4033'),
      reading('accepted', 'yes, in every status'),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence:
      'money moves for users who are not approved, unless the client checks the status itself',
  },
} as const satisfies Record<string, Assumption>

export const balanceAssumptions = {
  'balance.total': {
    question: 'What does "one entry per supported token" of total balances mean?',
    operations: ['getTotalCustodyBalances'],
    readings: [
      reading('per_chain', 'one entry per token and chain, zero included'),
      reading('per_token', 'one entry per token, with the first chain’s contract address'),
    ],
    basis:
      'Endpoints, 9: "one entry per supported token"; Resources, Balance entry: its contract_address is the token’s on the chain, so a token has one per chain.',
    risk: 'high',
    consequence: 'a client that adds up or looks up entries finds other sums',
  },
  'balance.scope': {
    question: 'What counts as a user’s crypto balance of a token on a chain?',
    operations: ['getCryptoBalance'],
    readings: [
      reading('wallets', 'the balance of the user’s custody wallets'),
      reading('with_offramps', 'the same, plus deposits that are not converted yet'),
    ],
    basis:
      'Section “What the service does”, 2: balances are those of custody wallets; what Endpoints, 11 counts is not shown.',
    risk: 'high',
    consequence:
      'a client that adds offramps under way to the balance counts the same crypto twice',
  },
  'crypto.unknown': {
    question:
      'What does the crypto balance return for an unknown token or chain, and for a user without a wallet?',
    operations: ['getCryptoBalance'],
    readings: [
      reading('invalid', '400 for an unknown token or chain; 0 for a user without a wallet'),
      reading('not_found', '404 in both cases'),
    ],
    basis:
      'The contract is silent: 400 is the stricter reading, and a user without a wallet has a balance of 0.',
    risk: 'medium',
    consequence:
      'a client takes a mistyped token for a balance of zero, or an error where it expects zero',
  },
} as const satisfies Record<string, Assumption>
