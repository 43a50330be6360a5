import { type Assumption, reading, SILENT, STRICTER, TAKES_MORE } from './assumption.js'

const operations = ['createPayout']

export const payoutAssumptions = {
  'payout.key': {
    question: 'Which status does a payout without an API key, or with a malformed one, return?',
    operations,
    readings: [
      reading('forbidden', '403 with code 4030 or 4100, as the error reference says'),
      reading('unauthorized', '401 with the same codes, as the payout page says'),
    ],
    basis:
      'Errors: codes 4030 and 4100 are 403; Endpoints, 1: 401 API key missing or invalid. The code table is the more exact of the two.',
    risk: 'medium',
    consequence:
      'a client that waits for 403 and code 4030 takes a payout without key for something else',
  },
  'payout.repeat': {
    question: 'What happens when a customer_payout_id is used again?',
    operations,
    readings: [
      reading('current', 'that payout as it is now'),
      reading('replay', 'the first answer, byte for byte'),
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
      reading('unprocessable', '422', '4220'),
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
      reading('unchanged', 'not at all: the money is back, and the payout stays PAYOUT_PROCESSED'),
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
  'payout.failed_fee': {
    question: 'What does the balance get back when a payout fails or is returned?',
    operations,
    readings: [
      reading('returned', 'amount and rail_fee'),
      reading('kept', 'the amount: the rail keeps its fee'),
    ],
    basis: SILENT,
    risk: 'high',
    consequence:
      'the balance is smaller than the books of the client say after each payout that fails',
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
  'payout.rail': {
    question: 'How is the rail of a payout chosen?',
    operations,
    readings: [
      reading(
        'provider',
        'a wallet rail when bank_name names a provider, in any case and with or without blanks around it, ' +
          'else the bank rail of the currency',
      ),
      reading('currency', 'always the bank rail of the currency'),
    ],
    basis: 'Endpoints, 1: bank_name is the receiving bank or wallet provider.',
    risk: 'medium',
    consequence: 'payouts use another rail, with another fee and another time of arrival',
  },
  'payout.currency': {
    question: 'Which currencies does a payout accept, and which status do others return?',
    operations,
    readings: [
      reading(
        'strict',
        'upper case codes of currencies in use that a rail pays out; 400 for all others, such as ngn, XAU or ZZZ',
      ),
      reading('any_case', 'the same codes in any case; 400 for all others'),
      reading(
        'looked_up',
        'the same upper case codes; other codes in upper case return what a currency without a balance ' +
          'returns, a currency without a rail returns 404, and lower case 400',
      ),
    ],
    basis:
      'Endpoints, 1: currency is an ISO 4217 code, and those are upper case; which of them are accepted is not shown.',
    risk: 'medium',
    consequence:
      'a client takes a mistyped currency for one without balance, or the other way round',
  },
  'payout.amount_form': {
    question: 'How may an amount be written?',
    operations,
    readings: [
      reading(
        'digits',
        'as a string of digits, with at most one point between them; leading zeros are accepted',
      ),
      reading('canonical', 'the same, without leading zeros'),
      reading('any', 'a leading plus, a point at either end and a JSON number are accepted too'),
    ],
    basis: 'Endpoints, 1: amount is a string; its form is not shown.',
    risk: 'low',
    consequence: TAKES_MORE,
  },
  'payout.amount_scale': {
    question: 'What happens to an amount with more decimals than its currency has?',
    operations,
    readings: [reading('refused', '400'), reading('rounded', 'it is rounded half to even')],
    basis: STRICTER,
    risk: 'medium',
    consequence: 'another amount is paid than the one that was asked for',
  },
  'payout.amount_limits': {
    question: 'Which amounts are accepted?',
    operations,
    readings: [
      reading(
        'fifteen_digits',
        'above zero, with at most 15 digits including all decimals of the currency',
      ),
      reading('one_unit', 'from one unit of the currency, with the same number of digits'),
    ],
    basis:
      'Limits: minimum or maximum amounts are not shown; 15 digits stay exact as a JSON number.',
    risk: 'medium',
    consequence: 'payouts are refused that pass here, the smallest ones first',
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
  'repeat.scope': {
    question:
      'Are customer_payout_id and customer_wallet_ref unique in the account, or for each user?',
    operations: ['createPayout', 'createCustodyWallet'],
    readings: [
      reading('account', 'in the account: an id of another user is a repeat too'),
      reading('user', 'for each user: another user may have the same one'),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence:
      'an id that two users share is refused, or names the payout or wallet of the other',
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
      reading('second', 'it runs at once: a second payout is paid, or a second wallet is created'),
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
      reading('wallets', 'wallets are, in every status; payouts and offramps are 400'),
      reading('payouts_only', 'wallets and offramps are, in every status; payouts are 400'),
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
      reading('above_zero', 'one entry per token and chain that holds something'),
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
  'balance.scale': {
    question: 'How many decimals does the crypto balance in USD have?',
    operations: ['getCryptoBalance'],
    readings: [
      reading('token', 'as many as the token has on its chain, rounded down'),
      reading('cents', '2, rounded down'),
    ],
    basis:
      'Endpoints, 11: a bare decimal number; no scale is shown. Rounding up would exceed the balance.',
    risk: 'low',
    consequence: 'the figure has more decimals than a client shows',
  },
  'crypto.unknown': {
    question:
      'What does the crypto balance return for an unknown token or chain, and for a user without a wallet?',
    operations: ['getCryptoBalance'],
    readings: [
      reading('invalid', '400 for an unknown token or chain; 0 for a user without a wallet'),
      reading('not_found', '404 in both cases'),
      reading('zero', '0 in both cases'),
    ],
    basis:
      'The contract is silent: 400 is the stricter reading, and a user without a wallet has a balance of 0.',
    risk: 'medium',
    consequence:
      'a client takes a mistyped token for a balance of zero, or an error where it expects zero',
  },
} as const satisfies Record<string, Assumption>
