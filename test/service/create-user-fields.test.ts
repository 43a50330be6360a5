import { describe, expect, test } from 'vitest'
import {
  type FieldCase,
  field,
  fieldCases,
  optional,
  type Wrong,
} from '../support/cases/field-cases.js'
import type { Subject } from '../support/cases/subject.js'
import { expectRefusal } from '../support/client.js'
import { invalid, inWords } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { PDF, PNG_BASE64, userRequest } from '../support/requests.js'
import { MISSING } from '../support/with-field.js'

const path = '/onboarding/api/v1/users'
const subject: Subject = { method: 'POST', path, body: userRequest, success: 201 }

const NOT_TEXT: readonly Wrong[] = [
  [MISSING, 'nothing'],
  [null, 'null'],
  [5, '5'],
  [false, 'false'],
  [[], 'an empty array'],
  [{}, 'an object'],
]
const shown = (text: string): Wrong => [
  text,
  text.length > 64 ? `${JSON.stringify(text.slice(0, 64)).slice(0, -1)}…"` : JSON.stringify(text),
]

const email: FieldCase = {
  field: 'email_address',
  accepted: 'an email address such as ada@example.com',
  wrong: [
    ...NOT_TEXT,
    ...[
      '',
      ' ',
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'ada@@example.com',
      'ada example@example.com',
      'ada@example.com ',
      'ada@exam ple.com',
      'ada@example.com\nbcc: b@example.com',
      `${'a'.repeat(250)}@example.com`,
      `a@${'a.'.repeat(2_000_000)}`,
      `${'a'.repeat(2_000_000)}@`,
    ].map(shown),
  ],
}

const phone: FieldCase = {
  field: 'phone_number',
  accepted: 'a phone number in international format such as +2348012345678',
  wrong: [
    ...NOT_TEXT,
    ...[
      '',
      '2348012345678',
      '+0348012345678',
      '+23480',
      '+2348012345678901',
      '+234 801 234 5678',
      '+234-801-234',
      '002348012345678',
      '+٢٣٤٨٠١٢٣٤٥٦٧',
      '+2348012345678\n',
    ].map(shown),
  ],
}

const date: FieldCase = {
  field: 'date_of_birth',
  accepted: 'a real date as YYYY-MM-DD such as 1990-04-12',
  wrong: [
    ...NOT_TEXT,
    ...[
      '',
      '1990-02-30',
      '1991-02-29',
      '1900-02-29',
      '1990-04-31',
      '1990-13-01',
      '1990-00-01',
      '1990-01-00',
      '90-04-12',
      '1990-4-12',
      '12/04/1990',
      '1990-04-12T00:00:00Z',
      '+001990-04-12',
      '1990-04-12 ',
    ].map(shown),
  ],
}

const IMAGE = 'a base64 image as data URI such as data:image/png;base64,iVBORw0KGgo='
const MEDIA = 'base64 media as data URI such as data:application/pdf;base64,JVBERi0xLjQ='

const NO_URIS = [
  '',
  ' ',
  PNG_BASE64,
  'https://example.com/passport.png',
  'data:image/png,raw',
  'data:image/png;base64',
  'data:image/png;base64,',
  'data:image/png;base64,=',
  'data:;base64,AAAA',
  'data:image;base64,AAAA',
  ` data:image/png;base64,${PNG_BASE64}`,
  `data:image/png;charset=utf-8;base64,${PNG_BASE64}`,
  `data:image/${'x'.repeat(200)};base64,AAAA`,
]

const image = (name: string): FieldCase => ({
  field: name,
  accepted: IMAGE,
  wrong: [...NOT_TEXT, ...[...NO_URIS, PDF].map(shown)],
})

const media = (name: string): FieldCase => ({
  field: name,
  accepted: MEDIA,
  wrong: [...NOT_TEXT, ...NO_URIS.map(shown)],
})

const JSON_OBJECT = 'text that holds a JSON object, such as {"tier":"gold"}'
const metadata: FieldCase = {
  field: 'metadata',
  accepted: JSON_OBJECT,
  wrong: ['', 'gold', '[]', '"gold"', '1', 'null', '{"tier"}', '['.repeat(10_000)].map(shown),
}

const cases: readonly FieldCase[] = [
  field('first_name', 'text'),
  field('last_name', 'text'),
  email,
  phone,
  date,
  {
    field: 'user_type',
    accepted: '"individual"',
    wrong: [...NOT_TEXT, ...['', 'business', 'Individual', 'individual '].map(shown)],
  },
  field('consent_id', 'uuid'),
  field('sharing_consent', 'boolean'),
  field('identity', 'object'),
  field('identity.identity_country_code', 'country'),
  field('identity.identity_number', 'text'),
  field('identity.identity_document_name', 'text'),
  image('identity.identity_document_front'),
  image('identity.identity_document_back'),
  field('address', 'object'),
  field('address.line1', 'text'),
  optional('address.line2', 'text'),
  field('address.city', 'text'),
  field('address.sub_division', 'text'),
  optional('address.region', 'text'),
  field('address.country', 'country'),
  field('address.postal_code', 'text'),
  metadata,
  {
    field: 'metadata',
    accepted: `${JSON_OBJECT}, of at most 16384 characters`,
    wrong: [JSON.stringify({ a: 'x'.repeat(16_384 - 7) })].map(shown),
  },
  {
    field: 'metadata',
    accepted: JSON_OBJECT,
    wrong: NOT_TEXT.filter(([value]) => value !== MISSING && value !== null),
  },
  {
    field: 'documents',
    accepted: 'an array',
    wrong: [
      [{}, 'an object'],
      ['none', '"none"'],
      [0, '0'],
      [false, 'false'],
    ],
  },
  {
    field: 'documents',
    accepted: 'at most 20 documents',
    wrong: [[Array.from({ length: 21 }, () => userRequest().documents[0]), 'an array of 21']],
  },
  {
    field: 'documents.0',
    accepted: 'an object',
    wrong: [
      [null, 'null'],
      ['passport', '"passport"'],
      [[], 'an empty array'],
    ],
  },
  field('documents.0.name', 'text'),
  field('documents.0.type', 'text'),
  field('documents.0.issuing_country', 'country'),
  field('documents.0.document_number', 'text'),
  media('documents.0.document_front'),
  {
    ...media('documents.0.document_back'),
    wrong: media('').wrong.filter(([value]) => value !== MISSING && value !== null),
  },
]

describe('createUser', () => {
  fieldCases({ over: 'fetch', subject }, cases)

  test('counts documents before it reads them', async () => {
    const api = await openSandbox()
    const body = { ...userRequest(), documents: new Array(21).fill(7) }
    const answer = await api.post('/onboarding/api/v1/users', body)
    const problem = invalid('documents', inWords('an array of 21'), 'at most 20 documents')
    expectRefusal(answer, 400, '4000')
    expect(answer.body).toMatchObject({ message: `${problem}.` })
  })
})
