import { describe, expect, test } from 'vitest'
import { PAYOUT_STATUSES, TRANSFER_STATUSES, USER_STATUSES } from '../../src/domain/schema.js'
import { type Client, expectRefusal } from '../support/client.js'
import { startRequest } from '../support/control.js'
import { addresses, payoutId, transferId, users } from '../support/fixture-ids.js'
import { invalid, shown } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { MISSING, withField } from '../support/with-field.js'

/** A value for a field, how the message describes it, and what it says besides of what is accepted. */
type Wrong = readonly [value: unknown, came: string, besides?: string]

interface FieldCase {
  /** Dotted, as messages write it. */
  readonly field: string
  readonly accepted: string
  readonly wrong: readonly Wrong[]
}

const quoted = (text: string): Wrong => [text, JSON.stringify(text)]

const NOT_TEXT: readonly Wrong[] = [
  [MISSING, 'nothing'],
  [null, 'null'],
  [12, '12'],
  [-1.5, '-1.5'],
  [true, 'true'],
  [[], 'an empty array'],
  [['text'], 'an array'],
  [{}, 'an object'],
]

const NO_WORDS: readonly Wrong[] = [
  ...['', '   ', '\u3000', '\t\r\n'].map(quoted),
  ['\u200b\u200c\u200d', '"\\u200b\\u200c\\u200d"'],
  [' \u2060\ufeff', '" \\u2060\\ufeff"'],
  ['\0\x1f\x7f\x85', '"\\u0000\\u001f\\u007f\\u0085"'],
]

const long = (letter: string, length: number): readonly [value: string, came: string] => [
  letter.repeat(length),
  `"${letter.repeat(64)}…"`,
]

const SHAPES = {
  chain: {
    accepted: 'the name of a chain such as ethereum, polygon, base, arbitrum, solana or tron',
    wrong: [...NOT_TEXT, ...NO_WORDS],
  },
  token: {
    accepted: 'the symbol of a token such as USDC or USDT',
    wrong: [...NOT_TEXT, ...NO_WORDS],
  },
  text: {
    accepted: 'text of 1 to 255 characters',
    wrong: [
      ...NOT_TEXT,
      ...NO_WORDS.map(([text, came]): Wrong => [text, came, ' that is not blank']),
      long('x', 256),
      long('x', 100_000),
    ],
  },
  currency: {
    accepted: 'the ISO 4217 code of a currency in use such as NGN',
    wrong: [
      ...NOT_TEXT,
      ...NO_WORDS,
      ...['ngn', 'NG', 'NGNN', 'ZZZ', 'NGN ', 'XAU', 'USDC', 'hasOwnProperty'].map(quoted),
    ],
  },
} as const satisfies Record<string, Omit<FieldCase, 'field'>>

const field = (name: string, shape: keyof typeof SHAPES): FieldCase => ({
  field: name,
  ...SHAPES[shape],
})

const optional = (name: string, shape: keyof typeof SHAPES): FieldCase => ({
  field: name,
  accepted: SHAPES[shape].accepted,
  wrong: SHAPES[shape].wrong.filter(([value]) => value !== MISSING),
})

const TOO_MANY_DIGITS = ', of at most 100 digits on either side of the point'

/** An amount may come as text and as a number. */
const amount = (name: string): FieldCase => ({
  field: name,
  accepted: 'an amount above zero, as "12.50" or 12.5',
  wrong: [
    ...['', ' ', '0', '0.00', '-1', '+1', '1.', '.5', '1,5', '1_000', '1e3', '0x10'].map(quoted),
    ...['NaN', 'Infinity', ' 1', '1 ', '१२', '1.2.3'].map(quoted),
    [...long('9', 101), TOO_MANY_DIGITS],
    [...long('9', 100_000), TOO_MANY_DIGITS],
    [MISSING, 'nothing'],
    [null, 'null'],
    [0, '0'],
    [-5, '-5'],
    [-1e-9, '-1e-9'],
    [true, 'true'],
    [[], 'an empty array'],
    [['5'], 'an array'],
    [{}, 'an object'],
  ],
})

const instant = (name: string): FieldCase => ({
  field: name,
  accepted: 'an ISO 8601 date-time with its zone such as 2026-06-15T09:30:00Z',
  wrong: [
    [1_781_514_000_000, '1781514000000'],
    [{}, 'an object'],
    ...['', 'tomorrow', '2026-07-01', '2026-07-01T00:00:00', '2026-02-30T00:00:00Z'].map(quoted),
    ...['2026-07-01T00:00:00+25:00', '2026-07-01 00:00:00Z', '+012026-07-01T00:00:00Z'].map(quoted),
  ],
})

const choice = (name: string, accepted: string, ...wrong: readonly Wrong[]): FieldCase => ({
  field: name,
  accepted,
  wrong,
})

const namesOf = (statuses: readonly string[]) => statuses.map((it) => JSON.stringify(it)).join(', ')

const REASON = 'text of 1 to 255 characters, or an object of reason and developer_reason'

interface Operation {
  readonly operation: string
  readonly method: 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly body: object
  readonly fields: readonly FieldCase[]
}

const OPERATIONS: readonly Operation[] = [
  {
    operation: 'registerAccount',
    method: 'POST',
    path: `/_sandbox/users/${users.ada}/accounts`,
    body: { currency: 'EUR', account_number: 'DE89370400440532013000' },
    fields: [
      field('currency', 'currency'),
      field('account_number', 'text'),
      ...['account_holder_name', 'bank_name', 'bic', 'nickname'].map((it) => optional(it, 'text')),
      optional('crypto', 'token'),
      optional('chain', 'chain'),
    ],
  },
  {
    operation: 'creditUser',
    method: 'POST',
    path: `/_sandbox/users/${users.ada}/balances`,
    body: { currency: 'NGN', amount: '250000.00' },
    fields: [amount('amount')],
  },
  {
    operation: 'setClock',
    method: 'PUT',
    path: '/_sandbox/clock',
    body: { mode: 'manual' },
    fields: [
      instant('now'),
      choice(
        'mode',
        'real, manual, or a speed such as 60x, at most 1000000x',
        [null, 'null'],
        [60, '60'],
        ...['', 'Manual', 'fast', '60', 'x', '0x', '-1x', '1e3x', '60 x'].map(quoted),
        ...['speed', '1.2345x'].map(quoted),
      ),
      choice('speed', 'a number from 0', [-60, '-60']),
      choice('speed', 'at most 1000000', [1_000_001, '1000001']),
      choice('speed', 'a number', quoted('60'), [null, 'null'], [[60], 'an array']),
    ],
  },
]

/** How many records each table has, and all the money there is. */
const footprint = ({ sandbox }: Client): unknown => [
  Object.values(sandbox.tables).map((table) => 'size' in table && table.size),
  sandbox.audit().assets,
]

describe.each(OPERATIONS)('$operation', ({ method, path, body, fields }) => {
  test.each(fields)('refuses a wrong $field, and does nothing', async (it) => {
    const api = await openSandbox()
    const before = footprint(api)
    for (const [value, came, besides = ''] of it.wrong) {
      const answer = await api.call(method, path, { body: withField(body, it.field, value) })
      expectRefusal(answer, 400, '4000')
      const message = invalid(it.field, shown(came), `${it.accepted}${besides}`)
      expect(answer.body).toHaveProperty('message', `${message}.`)
    }
    expect(footprint(api)).toEqual(before)
  })
})

const DURATION = 'a duration such as 500ms, 2s, 30m, 1h, 7d, or ISO 8601 such as PT30M or P1D'
const INSTANT = instant('').accepted
const SYMBOL = SHAPES.token.accepted
const CHAIN = SHAPES.chain.accepted
const TEXT = SHAPES.text.accepted
const CODE = SHAPES.currency.accepted
const AMOUNT = amount('').accepted
const TRANSFER = `/_sandbox/transfers/${transferId(9)}/advance`
const PAYOUT = `/_sandbox/payouts/${payoutId(3)}/advance`
const KEY = '/_sandbox/api-keys/aaaaaaaa-aaaa-4aaa-8aaa-000000000001'
const USER = `/_sandbox/users/${users.underReview}/status`
const DEPOSIT = { address: addresses.adaEur, amount: '100.00' }
const REJECTION = { status: 'rejected', reasons: ['Document expired'] }

/** One wrong value for each field whose shape is proved above, or which is a choice. */
test.each<[Operation['method'], path: string, body: object, field: string, Wrong, string]>([
  ['POST', '/_sandbox/clock/advance', {}, 'by', quoted('1h30m'), DURATION],
  ['POST', '/_sandbox/clock/advance', {}, 'until', [true, 'true'], '"idle"'],
  ['POST', '/_sandbox/clock/advance', {}, 'to', quoted('tomorrow'), INSTANT],
  ['POST', TRANSFER, { to: 'CANCELLED' }, 'reason', [12, '12'], TEXT],
  ['POST', TRANSFER, {}, 'to', quoted('failed'), namesOf(TRANSFER_STATUSES)],
  ['POST', PAYOUT, { to: 'PAYOUT_FAILED' }, 'reason', [12, '12'], TEXT],
  ['POST', PAYOUT, {}, 'to', quoted('PROCESSED'), namesOf(PAYOUT_STATUSES)],
  ['POST', '/_sandbox/api-keys', {}, 'name', long('x', 101), 'text of 1 to 100 characters'],
  ['POST', '/_sandbox/api-keys', { name: 'x' }, 'permissions', quoted(''), '"full", "read_only"'],
  ['POST', '/_sandbox/api-keys', { name: 'x' }, 'expires_at', quoted('2026-07-01'), INSTANT],
  ['PATCH', KEY, {}, 'status', quoted('expired'), '"active", "suspended", "deactivated"'],
  ['PATCH', KEY, {}, 'expires_at', quoted('2026-07-01'), INSTANT],
  ['POST', `/_sandbox/users/${users.ada}/balances`, { amount: '1' }, 'currency', quoted(''), CODE],
  ['POST', '/_sandbox/deposits', { amount: '1' }, 'address', [12, '12'], TEXT],
  ['POST', '/_sandbox/deposits', DEPOSIT, 'amount', [0, '0'], AMOUNT],
  ['POST', '/_sandbox/deposits', DEPOSIT, 'crypto', [12, '12'], SYMBOL],
  ['POST', '/_sandbox/deposits', DEPOSIT, 'chain', [12, '12'], CHAIN],
  ['POST', '/_sandbox/transfers', startRequest(), 'source_currency', quoted('ngn'), CODE],
  ['POST', '/_sandbox/transfers', startRequest(), 'source_amount', [0, '0'], AMOUNT],
  ['POST', USER, REJECTION, 'status', quoted('Active'), namesOf(USER_STATUSES)],
  ['POST', USER, REJECTION, 'reasons', quoted('late'), `a list of at most 20, each ${REASON}`],
  ['POST', USER, REJECTION, 'reasons', [Array(21).fill('late'), 'an array of 21'], 'a list of'],
  ['POST', USER, REJECTION, 'reasons.0', [5, '5'], REASON],
  ['POST', USER, REJECTION, 'requirements', [{}, 'an object'], 'a list of at most 50 names of'],
  ['POST', USER, REJECTION, 'requirements', [Array(51).fill('late'), 'an array of 51'], 'a list'],
])(
  '%s %s of %j refuses a wrong %s: %j',
  async (method, path, body, field, [value, came], accepted) => {
    const api = await openSandbox()
    const before = footprint(api)
    const answer = await api.call(method, path, { body: withField(body, field, value) })
    expectRefusal(answer, 400, '4000', invalid(field, shown(came), accepted))
    expect(footprint(api)).toEqual(before)
  },
)
