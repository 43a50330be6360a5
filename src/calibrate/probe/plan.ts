import type { AssumptionId } from '../../assumptions/ids.js'

/** Texts in braces are facts, ids of the probe, and values of earlier answers. */
export interface ProbeRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  /** White space after the body. */
  readonly padding?: number
  readonly isReadOnly?: boolean
}

export const STEP_KINDS = ['read', 'write', 'payout'] as const
export type StepKind = (typeof STEP_KINDS)[number]

export interface Step {
  /** Its place in the plan. */
  readonly number: number
  readonly kind: StepKind
  readonly settles: readonly AssumptionId[]
  readonly request: ProbeRequest
  /** Sent if the request is refused with 400. */
  readonly plain?: ProbeRequest
  /** The reads that follow from the answer. */
  readonly follow?: 'pages' | 'transfers'
  /** Two equal requests overlap. */
  readonly isTwice?: boolean
  /** Sent so many hours after the first request with this id. */
  readonly hours?: number
  /** Sent again each time that the probe is resumed. */
  readonly isRepeated?: boolean
}

export const PAYMENT = '/payment/api/v1'
export const ONBOARDING = '/onboarding/api/v1'

/** No service has an id that begins so. */
export const NOBODY = '5a4d5052-0000-4000-8000-000000000001'

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** `n`: digits that no other user has. */
export const newUser = (n: string, consent_id: unknown = '{consent}') => ({
  first_name: 'Zoe',
  last_name: 'Probe',
  email_address: `probe-${n}@example.com`,
  phone_number: `+23480${n}`,
  user_type: 'individual',
  date_of_birth: '1990-04-12',
  consent_id,
  sharing_consent: true,
  identity: {
    identity_country_code: 'NGA',
    identity_number: `A${n}`,
    identity_document_name: 'Passport',
    identity_document_front: PIXEL,
    identity_document_back: PIXEL,
  },
  address: {
    line1: '14 Marina Road',
    city: 'Lagos',
    sub_division: 'Lagos State',
    country: 'NGA',
    postal_code: '101241',
  },
})

export const newConsent = (accepted_at = '{a_minute_ago}', tnc_accepted = true) => ({
  tnc_data: { tnc_accepted, accepted_at },
})

const get = (path: string, more: Partial<ProbeRequest> = {}): ProbeRequest => ({
  method: 'GET',
  path,
  ...more,
})
const post = (path: string, body: object, more: Partial<ProbeRequest> = {}): ProbeRequest => ({
  method: 'POST',
  path,
  body,
  ...more,
})

type Row = Omit<Step, 'number' | 'kind'>

const row = (
  settles: readonly AssumptionId[],
  request: ProbeRequest,
  more: Partial<Row> = {},
): Row => ({ settles, request, ...more })

const GATED: readonly AssumptionId[] = ['user.gate', 'payout.balance', 'crypto.unknown']

/** All users: their statuses before and after other requests. */
const listUsers = (settles = GATED) =>
  row(settles, get(`${ONBOARDING}/users/all`), { follow: 'pages' })

const audit = (kind: 'fx' | 'offramp', user: string, query = '') =>
  get(`${PAYMENT}/${kind}-audit/${user}${query}`)

const balance = (asset: string, user = '{users.main}') =>
  get(`${PAYMENT}/offramp-audit/crypto-balance/${asset}/${user}`)

const TRANSFERS: readonly AssumptionId[] = [
  'audit.amounts',
  'audit.spelling',
  'transfer.fees_currency',
  'transfer.rate',
  'transfer.unconverted',
  'transfer.unreached',
]
const listTransfers = (settles = TRANSFERS) =>
  row(
    [...settles, 'transfer_audit.offramps', 'list.order'],
    audit('fx', '{users.main}', '?size=100'),
    {
      follow: 'transfers',
    },
  )
const listOfframps = (user: string) =>
  row(
    ['transfer_audit.offramps', 'list.order', 'audit.spelling'],
    audit('offramp', user, '?size=100'),
  )

const READS: readonly Row[] = [
  listUsers([
    ...GATED,
    ...(['users.list', 'user.paused', 'user.rejection_reasons', 'user.requirements'] as const),
  ]),
  listOfframps('{users.main}'),
  listTransfers(),
  listOfframps('{users.other}'),
  row(['list.order'], audit('fx', '{users.other}', '?size=100')),
  row(['audit.size', 'audit.pages', 'wire.strictness'], audit('fx', '{users.main}')),
  row(['audit.size'], audit('fx', '{users.main}', '?size=101')),
  row(['audit.size'], audit('fx', '{users.main}', '?size=0')),
  row(['audit.pages'], audit('fx', '{users.main}', '?page=99')),
  row(['wire.strictness'], audit('fx', '{users.main}', '?colour=red')),
  row(['resource.unknown', 'error.codes'], audit('fx', NOBODY)),
  row(['resource.unknown'], audit('offramp', NOBODY)),
  row(['error.codes'], get(`${PAYMENT}/nothing`)),
  row(['crypto.unknown'], balance('NOCOIN/polygon')),
  row(['chain.spelling', 'crypto.unknown', 'balance.total'], balance('USDC/polygon')),
  row(['chain.spelling'], balance('usdc/Polygon')),
  row(['balance.total'], balance('USDC/ethereum')),
  row(['resource.unknown'], balance('USDC/polygon', NOBODY)),
  row(['crypto.unknown'], balance('USDC/polygon', '{users.poor}')),
  row(['crypto.unknown'], balance('USDC/ethereum', '{users.other}')),
  row([], get(`${ONBOARDING}/users/all`, { isReadOnly: true })),
]

const consent = (settles: readonly AssumptionId[], more: Partial<Row> = {}) =>
  row(settles, post(`${ONBOARDING}/tnc`, newConsent()), more)

/** A consent is for one user. */
const createUser = (n: number, change: Partial<ReturnType<typeof newUser>> = {}): Row[] => {
  const plain = newUser(`{digits}${n}`)
  const request = (body: object) => post(`${ONBOARDING}/users`, body)
  return [
    consent(['user.duplicate', 'created.status']),
    row(['user.duplicate', 'created.status'], request({ ...plain, ...change }), {
      plain: request(plain),
    }),
  ]
}

const WALLETS: readonly AssumptionId[] = ['wallet.repeat', 'wallet.same_chain', 'wallet.status']
const wallet = (chain: string, ref: string, user_id = '{users.main}') =>
  row(
    [...WALLETS, 'user.gate'],
    post(`${PAYMENT}/custody-wallet`, { user_id, chain, customer_wallet_ref: `{id.${ref}}` }),
  )

const offramp = (account: string, user_id = '{users.main}') =>
  row(
    ['offramp.asset', 'created.status', 'user.gate', 'deposit.limits', 'balance.scope'],
    post(`${PAYMENT}/offramp`, { user_id, account_id: account }),
  )

const MIB = 1024 * 1024

const WRITES: readonly Row[] = [
  row(['wire.strictness'], post(`${ONBOARDING}/tnc`, { ...newConsent(), colour: 'red' }), {
    plain: post(`${ONBOARDING}/tnc`, newConsent()),
  }),
  consent(['created.status', 'size.limits']),
  row(['size.limits'], post(`${ONBOARDING}/tnc`, newConsent(), { padding: 11 * MIB })),
  ...createUser(1),
  ...createUser(2, { email_address: newUser('{digits}1').email_address }),
  ...createUser(3, { identity: newUser('{digits}1').identity }),
  listUsers(),
  wallet('base', 'w1'),
  wallet('base', 'w1'),
  wallet('base', 'w2'),
  wallet('arbitrum', 'w3'),
  wallet('polygon', 'w4'),
  wallet('polygon', 'w5', '{users.paused}'),
  wallet('arbitrum', 'w6', '{users.paused}'),
  offramp('{accounts.1}'),
  offramp('{accounts.2}'),
  offramp('{accounts.paused}', '{users.paused}'),
  listUsers(),
  { ...wallet('arbitrum', 'w7', '{users.other}'), settles: ['repeat.in_flight'], isTwice: true },
]

const payout = (id: string, more: object = {}) =>
  post(`${PAYMENT}/payout`, {
    user_id: '{users.main}',
    currency: '{payouts.currency}',
    customer_payout_id: `{id.${id}}`,
    amount: '{payouts.amount}',
    recipient_details: '{payouts.recipients.1}',
    ...more,
  })
const totals = row(
  ['payout.source', 'balance.total'],
  get(`${PAYMENT}/custody-wallet/total-balances`),
)

const REPEATED: readonly AssumptionId[] = ['payout.repeat', 'payout.changed_repeat']
const FIRST = ['p1', 'p2', 'p3', 'p4'].map((id, n) =>
  row(
    [...REPEATED, 'payout.status', 'payout.source', 'payout.fee', 'payout.balance', 'time.form'],
    payout(id, { recipient_details: `{payouts.recipients.${n + 1}}` }),
  ),
)
/** The service must refuse it, so that it costs nothing. */
export const ABOVE_BALANCE = '{payouts.above_balance}'

const failing = payout('fails', { recipient_details: '{payouts.fails}' })
const returned = payout('returned', { recipient_details: '{payouts.returns}' })
const FAILING = row([...REPEATED, 'payout.statuses'], failing)
const RETURNED = row([...REPEATED, 'payout.transitions'], returned)

const PAYOUTS: readonly Row[] = [
  listUsers(),
  totals,
  ...FIRST,
  totals,
  ...FIRST.map((it) => ({ ...it, settles: ['payout.repeat' as const] })),
  row(REPEATED, payout('p1', { amount: '{payouts.less}' })),
  row(REPEATED, payout('changed', { amount: '{payouts.less}' })),
  row(['payout.balance'], payout('poor', { user_id: '{users.poor}' })),
  row(['payout.balance'], payout('huge', { amount: ABOVE_BALANCE })),
  row(['payout.balance'], payout('huge')),
  row(['payout.fee'], payout('small', { amount: '{fee}' }), { plain: payout('small') }),
  row(['payout.account_number'], payout('odd', { recipient_details: '{payouts.odd}' }), {
    plain: payout('odd'),
  }),
  FAILING,
  FAILING,
  RETURNED,
  RETURNED,
  row(['repeat.in_flight'], payout('twice'), { isTwice: true }),
  listUsers(),
  { ...RETURNED, hours: 2 },
  row(['payout.repeat'], payout('p1'), { hours: 25 }),
]

/** Before, just after and long after a deposit of the operator. */
const DEPOSITS: readonly AssumptionId[] = [
  'conversion.rate_fixed',
  'balance.scope',
  'deposit.limits',
]
const LOOKS: readonly Row[] = [
  row(['balance.scope'], balance('{asset}')),
  listTransfers([...TRANSFERS, ...DEPOSITS]),
  row(DEPOSITS, get(`${PAYMENT}/fx-audit/status/{deposits.transfer}`)),
  row(['deposit.limits'], audit('offramp', '{users.main}', '?size=100')),
].map((it) => ({ ...it, isRepeated: true }))

/** The requests that show the readings of a service. */
export const PLAN: readonly Step[] = Object.entries({
  read: READS,
  write: WRITES,
  payout: PAYOUTS,
  look: LOOKS,
})
  .flatMap(([kind, rows]) =>
    rows.map((it) => ({ ...it, kind: kind === 'look' ? 'read' : (kind as StepKind) })),
  )
  .map((step, n) => ({ ...step, number: n + 1 }))
