import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { consents } from '../support/fixture-ids.js'
import { missing } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { userRequest } from '../support/requests.js'
import type { User } from '../support/wire.js'
import { MISSING, withField } from '../support/with-field.js'

const path = '/onboarding/api/v1/users'

/** The contract's fields of a user, in the contract's order. */
const FIELDS = [
  'id',
  'status',
  'first_name',
  'last_name',
  'email_address',
  'phone_number',
  'date_of_birth',
  'documents',
  'address',
  'rejection_reasons',
  'requirements',
]
const ADDRESS_FIELDS = [
  'line1',
  'line2',
  'city',
  'country',
  'region',
  'sub_division',
  'postal_code',
]

describe('createUser', () => {
  test('starts under review, with all documents by side', async () => {
    const api = await openSandbox()
    const answer = await api.post<User>(path, userRequest())
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual(FIELDS)
    expect(Object.keys(answer.body.address)).toEqual(ADDRESS_FIELDS)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'under_review',
      first_name: 'Zoë',
      last_name: 'Nwosu',
      email_address: 'zoe.nwosu@example.com',
      phone_number: '+2348012345678',
      date_of_birth: '1990-04-12',
      documents: [
        { name: 'Passport', type: 'identity_front' },
        { name: 'Passport', type: 'identity_back' },
        { name: 'Tax certificate', type: 'tax_document' },
        { name: 'Tax certificate', type: 'tax_document' },
      ],
      address: {
        line1: '14 Marina Road',
        line2: null,
        city: 'Lagos',
        country: 'NGA',
        region: null,
        sub_division: 'Lagos State',
        postal_code: '101241',
      },
      rejection_reasons: null,
      requirements: null,
    })
  })

  test('is listed first, and approved after two seconds', async () => {
    const api = await openSandbox()
    const made = await api.make<User>(path, userRequest())
    const first = async () => (await api.read<User[]>('/onboarding/api/v1/users/all'))[0]
    expect(await first()).toEqual(made)
    api.sandbox.advance('1999ms')
    expect(await first()).toHaveProperty('status', 'under_review')
    api.sandbox.advance('1ms')
    expect(await first()).toEqual({ ...made, status: 'active' })
  })

  test.each([
    ['documents', MISSING, 2],
    ['documents', null, 2],
    ['documents', [], 2],
    ['documents.0.document_back', MISSING, 3],
    ['documents.0.document_back', null, 3],
    ['metadata', MISSING, 4],
    ['metadata', null, 4],
    ['metadata', ' { } ', 4],
    ['address.line2', null, 4],
    ['address.region', null, 4],
  ])('%s may be %o', async (name, value, count) => {
    const api = await openSandbox()
    const made = await api.make<User>(path, withField(userRequest(), name, value))
    expect(made.documents).toHaveLength(count)
  })

  test('a second line and a region come back', async () => {
    const api = await openSandbox()
    const address = { ...userRequest().address, line2: 'Flat 3', region: 'South West' }
    const made = await api.make<User>(path, { ...userRequest(), address })
    expect(made.address).toEqual(address)
  })

  test('a consent serves one user, also when two come at once', async () => {
    const api = await openSandbox()
    const bodies = ['a', 'b', 'c'].map((n) => ({
      ...userRequest(),
      email_address: `${n}@example.com`,
    }))
    const answers = await Promise.all(bodies.map((body) => api.post(path, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    const words = `consent_id: consent ${consents.unused} was already used for another user`
    for (const answer of answers) {
      if (answer.status === 400) expectRefusal(answer, 400, '4000', words)
    }
  })

  test('the error lists the first eight of many invalid fields', async () => {
    const api = await openSandbox()
    const answer = await api.post(path, {})
    expectRefusal(answer, 400, '4000', missing('first_name'), '| and 2 more')
    expect((answer.body as { message: string }).message.match(/ Expected /g)).toHaveLength(8)
  })
})
