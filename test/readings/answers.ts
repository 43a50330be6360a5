import { startRequest } from '../support/control.js'
import {
  accountId,
  accounts,
  addresses,
  consents,
  keys,
  NOBODY,
  ownId,
  transferId,
  users,
} from '../support/fixture-ids.js'
import type { InnerSandbox } from '../support/inner-sandbox.js'
import { consentRequest, payoutRequest, userRequest, walletRequest } from '../support/requests.js'

/** A request to the service. */
export interface Asked {
  readonly method: string
  readonly path: string
  /** Sent as JSON, or as it is when it is text. */
  readonly body?: unknown
  /** null sends none. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests and commands that prepare the world. */
export type Before = (sandbox: InnerSandbox, send: (asked: Asked) => Promise<unknown>) => unknown

/** An answer, by the request that it answers. */
export interface AnswerCase {
  readonly name: string
  /** A function when the path depends on what `before` made. */
  readonly asked: Asked | ((sandbox: InnerSandbox) => Asked)
  readonly before?: Before
}

const get = (path: string, more: Partial<Asked> = {}): Asked => ({ method: 'GET', path, ...more })
const post = (path: string, body: unknown, more: Partial<Asked> = {}): Asked => ({
  method: 'POST',
  path,
  body,
  ...more,
})

const PAYOUT = '/payment/api/v1/payout'
const WALLET = '/payment/api/v1/custody-wallet'
const OFFRAMP = '/payment/api/v1/offramp'
const USERS = '/onboarding/api/v1/users'
const TNC = '/onboarding/api/v1/tnc'
const OFFRAMPS = '/payment/api/v1/offramp-audit'
const TRANSFERS = '/payment/api/v1/fx-audit'
const BALANCE = `${OFFRAMPS}/crypto-balance`

const pay = (more: object = {}, options: Partial<Asked> = {}): Asked =>
  post(PAYOUT, { ...payoutRequest(), ...more }, options)
const payTo = (recipient: object, more: object = {}): Asked => {
  const { recipient_details } = payoutRequest()
  return pay({ recipient_details: { ...recipient_details, ...recipient }, ...more })
}
const onNumber = (recipient_account_number: string): Asked => payTo({ recipient_account_number })
const wallet = (more: object = {}): Asked => post(WALLET, { ...walletRequest(), ...more })
const offramp = (more: object = {}): Asked =>
  post(OFFRAMP, { user_id: users.ada, account_id: accounts.adaEur, ...more })
const user = (more: object = {}): Asked => post(USERS, { ...userRequest(), ...more })
const consent = (more: object = {}): Asked =>
  post(TNC, { tnc_data: { ...consentRequest().tnc_data, ...more } })

const after =
  (...asked: Asked[]): Before =>
  async (_, send) => {
    for (const it of asked) await send(it)
  }
const deposit =
  (
    more: Partial<{ address: string; amount: string; crypto: string; chain: string }> = {},
  ): Before =>
  (sandbox) =>
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '100', ...more })
const moved =
  (id: string, to: 'paused' | 'active'): Before =>
  (sandbox) =>
    sandbox.run('user.move', { id, to })
const all =
  (...steps: Before[]): Before =>
  async (sandbox, send) => {
    for (const step of steps) await step(sandbox, send)
  }
const idle: Before = (sandbox) => sandbox.advance({ until: 'idle' })
const hours =
  (count: number): Before =>
  (sandbox) =>
    sandbox.advance(`${count}h`)
const USDT = { crypto: 'USDT', chain: 'ethereum' }
/** A user without wallets, so that every chain is new to her. */
const NEW_CHAIN = { user_id: users.hanna }
/** Ada's wallet on ethereum. */
const ADA_WALLET = '0x04DCE5d5E94EbEEC281eAFBBd903991303620eab'
const { address, identity } = userRequest()

const newestTransfer = (sandbox: InnerSandbox): string =>
  sandbox.tables.transfers.list('all', '').at(-1)?.id ?? ''

/** Refused where a payment that was processed is read as final. */
const returnPayment: Before = (sandbox, send) =>
  send(post(`/_sandbox/transfers/${newestTransfer(sandbox)}/advance`, { to: 'FAILED' }))

/** Answers of all operations, granted and refused. */
export const answerCases: readonly AnswerCase[] = [
  { name: 'a payout', asked: pay() },
  {
    name: 'a payout in the currency of a wallet',
    asked: payTo({ bank_name: 'M-PESA' }, { currency: 'KES' }),
  },
  { name: 'a payout that fails at once', asked: onNumber('0000000001') },
  { name: 'a payout that waits', asked: onNumber('0000000002') },
  { name: 'a payout that comes again', asked: pay(), before: after(pay()) },
  {
    name: 'a payout that comes again after two days',
    asked: pay(),
    before: all(after(pay()), hours(48)),
  },
  {
    name: 'a payout that comes again with another amount',
    asked: pay({ amount: '7.00' }),
    before: after(pay()),
  },
  {
    name: 'a failed payout that comes again',
    asked: onNumber('0000000001'),
    before: after(onNumber('0000000001')),
  },
  {
    name: 'the id of the payout of another user',
    asked: pay({ user_id: users.ben }),
    before: after(pay()),
  },
  { name: 'a payout beyond the balance', asked: pay({ amount: '99999999.00' }) },
  {
    name: 'a payout beyond the balance after a failed payout',
    asked: pay({ amount: '99999999.00', customer_payout_id: ownId(8) }),
    before: after(onNumber('0000000001')),
  },
  {
    name: 'a payout beyond the balance after a failed payout in another currency',
    asked: pay({ amount: '99999999.00', currency: 'EUR', customer_payout_id: ownId(8) }),
    before: after(onNumber('0000000001')),
  },
  {
    name: 'a payout in a currency without balance',
    asked: pay({ currency: 'JPY', amount: '100' }),
  },
  { name: 'a payout in a currency in lower case', asked: pay({ currency: 'ngn' }) },
  { name: 'a payout in a code that no country uses', asked: pay({ currency: 'XAU' }) },
  {
    name: 'a payout in a currency without a rail',
    asked: pay({ currency: 'CHF', amount: '10' }),
    before: (sandbox) =>
      sandbox.run('balance.credit', { user_id: users.ada, currency: 'CHF', amount: '100' }),
  },
  { name: 'a payout of an unknown user', asked: pay({ user_id: NOBODY }) },
  { name: 'a payout of a user under review', asked: pay({ user_id: users.underReview }) },
  { name: 'a payout with three decimals', asked: pay({ amount: '1.005' }) },
  { name: 'a payout of nothing', asked: pay({ amount: '0.00' }) },
  { name: 'a payout of sixteen digits', asked: pay({ amount: '1000000000000000' }) },
  { name: 'a payout of a tenth', asked: pay({ amount: '0.10' }) },
  {
    name: 'a payout to a name of 300 letters',
    asked: payTo({ account_holder_name: 'A'.repeat(300) }),
  },
  { name: 'a payout with an unknown field', asked: pay({ purpose: 'rent' }) },
  { name: 'a payout without key', asked: pay({}, { key: null }) },
  { name: 'a payout with a malformed key', asked: pay({}, { key: 'short' }) },
  { name: 'a payout with a read-only key', asked: pay({}, { key: keys.readOnly }) },
  {
    name: 'a payout labelled as text',
    asked: pay({}, { headers: { 'content-type': 'text/plain' } }),
  },
  { name: 'a wallet', asked: wallet() },
  { name: 'a second wallet on its chain', asked: wallet({ chain: 'ethereum' }) },
  { name: 'a wallet that comes again', asked: wallet(NEW_CHAIN), before: after(wallet(NEW_CHAIN)) },
  {
    name: 'a wallet that comes again for another chain',
    asked: wallet({ ...NEW_CHAIN, chain: 'ethereum' }),
    before: after(wallet(NEW_CHAIN)),
  },
  {
    name: 'a wallet without reference',
    asked: wallet({ ...NEW_CHAIN, customer_wallet_ref: undefined }),
  },
  { name: 'a wallet without chain', asked: wallet({ chain: undefined }) },
  { name: 'a wallet on an unknown chain', asked: wallet({ chain: 'bitcoin' }) },
  { name: 'a wallet on a chain in upper case', asked: wallet({ chain: 'POLYGON' }) },
  { name: 'a wallet of an unknown user', asked: wallet({ user_id: NOBODY }) },
  { name: 'an offramp', asked: offramp() },
  { name: 'an offramp to another account', asked: offramp({ account_id: accounts.adaNgn }) },
  { name: 'an offramp to a new account', asked: offramp({ account_id: accounts.adaKes }) },
  {
    name: 'an offramp that comes again',
    asked: offramp({ account_id: accounts.adaKes }),
    before: after(offramp({ account_id: accounts.adaKes })),
  },
  { name: 'an offramp to an account on solana', asked: offramp({ account_id: accountId(3) }) },
  { name: 'an offramp to the account of another', asked: offramp({ account_id: accounts.benEur }) },
  { name: 'an offramp of an unknown user', asked: offramp({ user_id: NOBODY }) },
  { name: 'an offramp without account', asked: offramp({ account_id: undefined }) },
  { name: 'a user', asked: user() },
  { name: 'a user whose line2 is empty', asked: user({ address: { ...address, line2: '' } }) },
  { name: 'a user with a mistyped email', asked: user({ email_address: 'zoe at example.com' }) },
  {
    name: 'a user with an email in use, in upper case',
    asked: user({ email_address: 'ADA.OKAFOR@EXAMPLE.COM' }),
  },
  {
    name: 'a user whose passport has no back',
    asked: user({ identity: { ...identity, identity_document_back: undefined } }),
  },
  { name: 'a user with a consent that was used', asked: user({ consent_id: consents.adas }) },
  { name: 'a user who does not share', asked: user({ sharing_consent: false }) },
  ...(['documents', 'address', 'identity'] as const).map((field) => ({
    name: `a user with a text in the place of ${field}`,
    asked: user({ [field]: '' }),
  })),
  { name: 'a user with a text for a document', asked: user({ documents: [''] }) },
  { name: 'a user born on no real day', asked: user({ date_of_birth: '1990-02-30' }) },
  { name: 'a user with metadata that is no JSON', asked: user({ metadata: 'gold' }) },
  { name: 'a consent', asked: consent() },
  { name: 'a consent that is declined', asked: consent({ tnc_accepted: false }) },
  { name: 'a consent without a time', asked: consent({ accepted_at: undefined }) },
  { name: 'a consent of tomorrow', asked: consent({ accepted_at: '2026-06-16T09:00:00.000Z' }) },
  {
    name: 'a consent without milliseconds',
    asked: consent({ accepted_at: '2026-06-15T08:59:00Z' }),
  },
  {
    name: 'a consent at a time that is none',
    asked: consent({ accepted_at: '2026-02-30T10:00:00.000Z' }),
  },
  { name: 'the users', asked: get(`${USERS}/all`) },
  { name: 'the users by page', asked: get(`${USERS}/all?page=1&size=3`) },
  { name: 'the offramps', asked: get(`${OFFRAMPS}/${users.ada}`) },
  { name: 'the offramps of an unknown user', asked: get(`${OFFRAMPS}/${NOBODY}`) },
  { name: 'the offramps on a page after the last', asked: get(`${OFFRAMPS}/${users.ada}?page=9`) },
  {
    name: 'the offramps with a new deposit',
    asked: get(`${OFFRAMPS}/${users.ada}`),
    before: deposit(),
  },
  {
    name: 'the offramps after an initiation',
    asked: get(`${OFFRAMPS}/${users.ada}`),
    before: after(offramp({ account_id: accounts.adaKes })),
  },
  {
    name: 'the offramps with a deposit below the fee',
    asked: get(`${OFFRAMPS}/${users.ada}`),
    before: deposit({ amount: '0.01' }),
  },
  {
    name: 'the offramps with a deposit of another token',
    asked: get(`${OFFRAMPS}/${users.ada}`),
    before: deposit({ crypto: 'USDT' }),
  },
  {
    name: 'the offramps with a deposit of a paused user',
    asked: get(`${OFFRAMPS}/${users.ada}`),
    before: all(moved(users.ada, 'paused'), deposit()),
  },
  ...[`${OFFRAMPS}/${users.ada}?page=9`, `${TRANSFERS}/${users.ada}`].map((path) => ({
    name: `${path} with a deposit of another token`,
    asked: get(path),
    before: deposit(USDT),
  })),
  {
    name: 'the offramps with a deposit of a token that no reading converts',
    asked: get(`${OFFRAMPS}/${users.ada}`),
    before: all(deposit({ crypto: 'DOGE' }), deposit({ chain: 'nowhere' })),
  },
  {
    name: 'the offramps of a user for whom nothing was initiated',
    asked: get(`${OFFRAMPS}/${users.hanna}`),
  },
  { name: 'the transfers', asked: get(`${TRANSFERS}/${users.ada}`) },
  { name: 'the transfers, 101 on a page', asked: get(`${TRANSFERS}/${users.ada}?size=101`) },
  ...['', '?page=9'].map((query) => ({
    name: `the transfers${query} with a deposit below the fee`,
    asked: get(`${TRANSFERS}/${users.ada}${query}`),
    before: deposit({ amount: '0.01' }),
  })),
  {
    name: 'the transfers with one from a bank that is below the fee',
    asked: get(`${TRANSFERS}/${users.ada}`),
    before: (sandbox) => sandbox.run('transfer.start', { ...startRequest(), source_amount: '0.5' }),
  },
  {
    name: 'the transfers with a size that is no number',
    asked: get(`${TRANSFERS}/${users.ada}?size=x`),
  },
  {
    name: 'the transfers with an unknown parameter',
    asked: get(`${TRANSFERS}/${users.ada}?sort=new`),
  },
  { name: 'the total balances', asked: get('/payment/api/v1/custody-wallet/total-balances') },
  {
    name: 'the total balances with crypto on another chain',
    asked: get('/payment/api/v1/custody-wallet/total-balances'),
    before: deposit({ address: ADA_WALLET, chain: 'polygon' }),
  },
  ...[1, 2, 3, 5, 6, 9].map((n) => ({
    name: `transfer ${n}`,
    asked: get(`${TRANSFERS}/status/${transferId(n)}`),
  })),
  { name: 'an unknown transfer', asked: get(`${TRANSFERS}/status/${NOBODY}`) },
  {
    name: 'the transfer of a deposit that was paid',
    asked: (sandbox) => get(`${TRANSFERS}/status/${newestTransfer(sandbox)}`),
    before: all(deposit(), idle),
  },
  {
    name: 'a payment that came back',
    asked: (sandbox) => get(`${TRANSFERS}/status/${newestTransfer(sandbox)}`),
    before: all(deposit(), idle, returnPayment),
  },
  { name: 'a balance', asked: get(`${BALANCE}/USDC/ethereum/${users.ada}`) },
  {
    name: 'a balance with a token in lower case',
    asked: get(`${BALANCE}/usdc/ethereum/${users.ada}`),
  },
  {
    name: 'a balance with crypto under way',
    asked: get(`${BALANCE}/USDC/polygon/${users.ada}`),
    before: deposit(),
  },
  {
    name: 'a balance with a deposit of another token',
    asked: get(`${BALANCE}/USDT/ethereum/${users.ada}`),
    before: deposit(USDT),
  },
  { name: 'a balance without wallet', asked: get(`${BALANCE}/USDC/solana/${users.hanna}`) },
  { name: 'a balance of an unknown token', asked: get(`${BALANCE}/DOGE/ethereum/${users.ada}`) },
  { name: 'a balance on an unknown chain', asked: get(`${BALANCE}/USDC/bitcoin/${users.ada}`) },
  { name: 'a balance of an unknown user', asked: get(`${BALANCE}/USDC/ethereum/${NOBODY}`) },
  { name: 'an unknown path', asked: get('/payment/api/v1/nothing') },
  { name: 'an unknown path with a slash at the end', asked: get('/payment/api/v1/nothing/') },
  { name: 'another method', asked: get(PAYOUT) },
  { name: 'a slash at the end', asked: get(`${USERS}/all/`) },
]
