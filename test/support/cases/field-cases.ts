import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../client.js'
import { invalid, shown } from '../invalid.js'
import { openSandbox } from '../open-sandbox.js'
import { MISSING, withField } from '../with-field.js'
import { footprint, type Place } from './subject.js'

/** A value for a field, how the message describes it, and what it says besides of what is accepted. */
export type Wrong = readonly [value: unknown, came: string, besides?: string]

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
  ['', '""'],
  ['   ', '"   "'],
  ['\u3000', '"\u3000"'],
  ['\t\r\n', '"\\t\\r\\n"'],
  ['\u200b\u200c\u200d', '"\\u200b\\u200c\\u200d"'],
  [' \u2060\ufeff', '" \\u2060\\ufeff"'],
  ['\0\x1f\x7f\x85', '"\\u0000\\u001f\\u007f\\u0085"'],
]

const long = (letter: string, length: number): readonly [value: string, came: string] => [
  letter.repeat(length),
  `"${letter.repeat(64)}…"`,
]

const TOO_MANY_DIGITS = ', of at most 100 digits on either side of the point'

/** A name, with any accepted value. */
const naming = (accepted: string) => ({
  accepted,
  wrong: [...NOT_TEXT, ...NO_WORDS],
})

const shapes = {
  chain: naming('the name of a chain such as ethereum, polygon, base, arbitrum, solana or tron'),
  token: naming('the symbol of a token such as USDC or USDT'),
  text: {
    accepted: 'text of 1 to 255 characters',
    wrong: [
      ...NOT_TEXT,
      ...NO_WORDS.map(([text, came]): Wrong => [text, came, ' that is not blank']),
      long('x', 256),
      long('x', 100_000),
    ],
  },
  uuid: {
    accepted: 'a UUID such as 3f0c8f6e-9b1d-4c53-8a38-0a6a1c6a5d3e',
    wrong: [
      ...NOT_TEXT,
      ...NO_WORDS,
      ['nonsense', '"nonsense"'],
      ['11111111111141118111000000000001', '"11111111111141118111000000000001"'],
      ['{11111111-1111-4111-8111-000000000001}', '"{11111111-1111-4111-8111-000000000001}"'],
      ['11111111-1111-4111-8111-00000000000g', '"11111111-1111-4111-8111-00000000000g"'],
      ['11111111-1111-4111-8111-0000000000011', '"11111111-1111-4111-8111-0000000000011"'],
      ['11111111-1111-4111-8111-000000000001\n', '"11111111-1111-4111-8111-000000000001\\n"'],
      [' 11111111-1111-4111-8111-000000000001', '" 11111111-1111-4111-8111-000000000001"'],
      long('1', 100_000),
    ],
  },
  amount: {
    accepted: 'an amount above zero as a string such as "1500.00"',
    wrong: [
      ...NOT_TEXT,
      ...NO_WORDS,
      ...[
        '0',
        '0.00',
        '-1',
        '+1',
        '1.',
        '.5',
        '1,5',
        '1_000',
        '1e3',
        '0x10',
        'NaN',
        'Infinity',
        ' 1',
        '1 ',
        '१२',
        '1.2.3',
      ].map((text): Wrong => [text, JSON.stringify(text)]),
      [...long('9', 101), TOO_MANY_DIGITS],
      [...long('9', 100_000), TOO_MANY_DIGITS],
    ],
  },
  currency: {
    accepted: 'the ISO 4217 code of a currency in use such as NGN',
    wrong: [
      ...NOT_TEXT,
      ...NO_WORDS,
      ...['ngn', 'Ngn', 'NG', 'NGNN', 'ZZZ', 'NGN ', 'XAU', 'USDC', 'hasOwnProperty'].map(
        (text): Wrong => [text, JSON.stringify(text)],
      ),
    ],
  },
  country: {
    accepted: 'an ISO 3166-1 country code of three letters such as NGA',
    wrong: [
      ...NOT_TEXT,
      ...NO_WORDS,
      ...['nga', 'NG', 'Nigeria', 'ZZZ', 'NGAA', 'NGA '].map(
        (text): Wrong => [text, JSON.stringify(text)],
      ),
    ],
  },
  object: {
    accepted: 'an object',
    wrong: [
      [MISSING, 'nothing'],
      [null, 'null'],
      ['text', '"text"'],
      [7, '7'],
      [false, 'false'],
      [[], 'an empty array'],
    ],
  },
  boolean: {
    accepted: 'true or false',
    wrong: [
      [MISSING, 'nothing'],
      [null, 'null'],
      ['true', '"true"'],
      ['', '""'],
      [1, '1'],
      [[], 'an empty array'],
      [{}, 'an object'],
    ],
  },
} as const satisfies Record<string, { accepted: string; wrong: readonly Wrong[] }>

export interface FieldCase {
  /** Dotted, as messages write it. */
  readonly field: string
  readonly accepted: string
  readonly wrong: readonly Wrong[]
}

/** A required field of a common shape: what it refuses and what it says. */
export const field = (name: string, shape: keyof typeof shapes): FieldCase => ({
  field: name,
  ...shapes[shape],
})

/** Whether the field may also be left out, or null. */
export const optional = (name: string, shape: keyof typeof shapes): FieldCase => ({
  field: name,
  accepted: shapes[shape].accepted,
  wrong: shapes[shape].wrong.filter(([value]) => value !== MISSING && value !== null),
})

/** Every message names the field, what came and what is accepted, and nothing is done. */
export const fieldCases = ({ over, subject }: Place, cases: readonly FieldCase[]): void => {
  const { method, path, body } = subject

  describe('fields', () => {
    const named = cases.map((it): [string, FieldCase] => [it.field, it])
    test.each(named)('%s', async (name, { accepted, wrong }) => {
      const api = await openSandbox({ over })
      const before = footprint(api)
      for (const [value, came, besides = ''] of wrong) {
        const answer = await api.call(method, path, { body: withField(body?.(), name, value) })
        expectRefusal(answer, 400, '4000')
        const message = invalid(name, shown(came), `${accepted}${besides}`)
        expect(answer.body).toHaveProperty('message', `${message}.`)
      }
      expect(footprint(api)).toEqual(before)
    })
  })
}
