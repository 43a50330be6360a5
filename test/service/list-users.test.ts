import { describe, expect, test } from 'vitest'
import { gateCases } from '../support/cases/gate-cases.js'
import type { Subject } from '../support/cases/subject.js'
import { consents, userId, users } from '../support/fixture-ids.js'
import { openSandbox, transports } from '../support/open-sandbox.js'
import { userRequest } from '../support/requests.js'
import type { User } from '../support/wire.js'

const path = '/onboarding/api/v1/users/all'
const subject: Subject = { method: 'GET', path, success: 200 }

describe.each(transports)('listUsers over %s', (over) => {
  gateCases({ over, subject })

  test('answers a bare array of all users, the newest first', async () => {
    const api = await openSandbox({ over })
    const all = await api.read<User[]>(path)
    expect(all.map(({ id }) => id)).toEqual([3, 5, 8, 4, 7, 2, 6, 1].map(userId))
    expect(all.map(({ status }) => status)).toEqual([
      'under_review',
      'incomplete',
      'active',
      'rejected',
      'paused',
      'active',
      'offboarded',
      'active',
    ])
  })

  test('shows a user of the fixtures in full, and nothing that the contract does not name', async () => {
    const api = await openSandbox({ over })
    const ada = (await api.read<User[]>(path)).at(-1)
    expect(ada).toEqual({
      id: users.ada,
      status: 'active',
      first_name: 'Ada',
      last_name: 'Okafor',
      email_address: 'ada.okafor@example.com',
      phone_number: '+2348021234567',
      date_of_birth: '1991-04-17',
      documents: [
        { name: 'Passport', type: 'identity_front' },
        { name: 'Passport', type: 'identity_back' },
        { name: 'Tax identification certificate', type: 'tax_document' },
      ],
      address: {
        line1: '14 Broad Street',
        line2: 'Flat 3',
        city: 'Lagos',
        country: 'NGA',
        region: 'South West',
        sub_division: 'Lagos',
        postal_code: '101231',
      },
      rejection_reasons: null,
      requirements: null,
    })
  })

  test('reasons come with rejected users and requirements with incomplete ones, else null', async () => {
    const api = await openSandbox({ over })
    for (const { status, rejection_reasons, requirements } of await api.read<User[]>(path)) {
      if (status === 'rejected') {
        expect(rejection_reasons?.length).toBeGreaterThan(0)
        for (const reason of rejection_reasons ?? []) {
          expect(Object.keys(reason)).toEqual(['reason', 'timestamp', 'developer_reason'])
        }
      } else expect(rejection_reasons).toBeNull()
      if (status === 'incomplete') expect(requirements?.length).toBeGreaterThan(0)
      else expect(requirements).toBeNull()
    }
  })

  test('new users come first, those of one instant in order of making', async () => {
    const api = await openSandbox({ over })
    const made: string[] = []
    for (const consent_id of [consents.unused, consents.alsoUnused]) {
      const email_address = `${consent_id}@example.com`
      const identity = { ...userRequest().identity, identity_number: consent_id }
      const body = { ...userRequest(), consent_id, email_address, identity }
      made.unshift((await api.make<User>('/onboarding/api/v1/users', body)).id)
    }
    const ids = (await api.read<User[]>(path)).map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual(made)
    expect(ids).toHaveLength(10)
  })

  test('query parameters are ignored, for the contract names none', async () => {
    const api = await openSandbox({ over })
    const all = await api.read<User[]>(path)
    expect(await api.read<User[]>(`${path}?page=7&size=1&size=2&status=active`)).toEqual(all)
  })
})
