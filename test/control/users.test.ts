import { describe, expect, test } from 'vitest'
import { fieldCases } from '../support/cases/field-cases.js'
import { footprint, type Subject } from '../support/cases/subject.js'
import { expectRefusal } from '../support/client.js'
import { BEGINNING, users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { userRequest } from '../support/requests.js'
import type { List, User } from '../support/wire.js'
import { MISSING } from '../support/with-field.js'

type SandboxUser = User & { readonly legal_moves: readonly string[]; readonly updated_at: string }

const path = '/_sandbox/users'
const over = 'fetch'

/** A user of the fixtures in each status, and where it may go from there. */
const STATUSES: readonly [string, string, readonly string[]][] = [
  ['under_review', users.underReview, ['active', 'rejected', 'incomplete']],
  ['active', users.hanna, ['paused', 'offboarded']],
  ['rejected', users.rejected, ['under_review']],
  ['offboarded', users.offboarded, []],
  ['incomplete', users.incomplete, ['under_review']],
  ['paused', users.paused, ['active', 'offboarded']],
]
const NAMES = STATUSES.map(([name]) => name)

describe('moveUser', () => {
  const REASONS = 'a list of at most 20, each text, or an object of reason and developer_reason'
  const pathOf = (id: string) => `${path}/${id}/status`
  const subject: Subject = {
    method: 'POST',
    path: pathOf(users.underReview),
    body: () => ({ status: 'rejected', reasons: ['Document expired'] }),
    success: 200,
  }
  fieldCases({ over, subject }, [
    {
      field: 'status',
      accepted: NAMES.map((name) => JSON.stringify(name)).join(', '),
      wrong: [
        [MISSING, 'nothing'],
        [null, 'null'],
        ['', '""'],
        ['Active', '"Active"'],
        [1, '1'],
      ],
    },
    {
      field: 'reasons',
      accepted: REASONS,
      wrong: [
        [null, 'null'],
        ['late', '"late"'],
        ['later than twenty letters', '"later than twenty letters"'],
        [Array(21).fill('late'), 'an array of 21'],
      ],
    },
    {
      field: 'reasons.0',
      accepted: 'text, or an object of reason and developer_reason',
      wrong: [
        [null, 'null'],
        [5, '5'],
        [[], 'an empty array'],
      ],
    },
    {
      field: 'requirements',
      accepted: 'a list of at most 50 names of fields',
      wrong: [
        [null, 'null'],
        [{}, 'an object'],
        [Array(51).fill('late'), 'an array of 51'],
      ],
    },
  ])

  describe.each(STATUSES)('from %s', (from, id, legal) => {
    test.each(NAMES)('to %s', async (status) => {
      const api = await openSandbox()
      const before = footprint(api)
      const answer = await api.post<SandboxUser>(pathOf(id), { status })
      if (legal.includes(status)) {
        expect(answer.body).toMatchObject({ id, status, updated_at: BEGINNING })
        const listed = await api.read<List<SandboxUser>>(`${path}?status=${status}`)
        expect(listed.items.map((it) => it.id)).toContain(id)
      } else {
        const choice = legal.length > 0 ? `legal moves: ${legal.join(', ')}` : `${from} is final`
        const words = `user ${id} is ${from} and cannot become ${status}; ${choice}`
        expectRefusal(answer, 409, '4090', words)
        expect(footprint(api)).toEqual(before)
      }
    })
  })

  test('reasons are text or objects, and keep their time', async () => {
    const api = await openSandbox()
    api.sandbox.advance('1h')
    const reasons = [
      'Document expired',
      { reason: 'Photo unreadable' },
      { reason: 'Name differs', developer_reason: 'first_name: Levenshtein 4' },
    ]
    const body = { status: 'rejected', reasons }
    const moved = await api.make<SandboxUser>(pathOf(users.underReview), body)
    const timestamp = '2026-06-15T10:00:00.000Z'
    expect(moved).toMatchObject({
      rejection_reasons: [
        { reason: 'Document expired', timestamp, developer_reason: 'Document expired' },
        { reason: 'Photo unreadable', timestamp, developer_reason: 'Photo unreadable' },
        { reason: 'Name differs', timestamp, developer_reason: 'first_name: Levenshtein 4' },
      ],
      requirements: null,
      legal_moves: ['under_review'],
    })
    const again = await api.make<SandboxUser>(pathOf(users.underReview), { status: 'under_review' })
    expect(again).toMatchObject({ rejection_reasons: null, requirements: null })
  })

  test('a rejection has a reason, and an incomplete user a requirement, also when none is given', async () => {
    const api = await openSandbox()
    for (const details of [{}, { reasons: [], requirements: [] }]) {
      const rejected = { status: 'rejected', ...details }
      const { rejection_reasons } = await api.make<User>(pathOf(users.underReview), rejected)
      expect(rejection_reasons).toHaveLength(1)
      await api.make(pathOf(users.underReview), { status: 'under_review' })
      const incomplete = { status: 'incomplete', ...details }
      const { requirements } = await api.make<User>(pathOf(users.underReview), incomplete)
      expect(requirements).toHaveLength(1)
      await api.make(pathOf(users.underReview), { status: 'under_review' })
    }
  })

  test('requirements name what is missing', async () => {
    const api = await openSandbox()
    const body = { status: 'incomplete', requirements: ['address.city', 'identity'] }
    const moved = await api.make<User>(pathOf(users.underReview), body)
    expect(moved).toMatchObject({ requirements: body.requirements, rejection_reasons: null })
  })

  test.each([
    ['reasons', 'active', 'rejected'],
    ['reasons', 'incomplete', 'rejected'],
    ['requirements', 'rejected', 'incomplete'],
  ])('%s are refused beside %s, which would lose them', async (field, status, due) => {
    const api = await openSandbox()
    const body = { status, [field]: ['some'] }
    const refused = await api.post(pathOf(users.underReview), body)
    expectRefusal(
      refused,
      400,
      '4000',
      `Invalid ${field}: got a list with ${status}. Expected a list only with ${due}`,
    )
    const { status: kept } = await api.read<User>(`${path}/${users.underReview}`)
    expect(kept).toBe('under_review')
  })

  test('a review that was decided by hand is not decided again', async () => {
    const api = await openSandbox()
    const { id } = await api.make<User>('/onboarding/api/v1/users', userRequest())
    await api.make(pathOf(id), { status: 'rejected' })
    api.sandbox.advance('1d')
    expect(await api.read(`${path}/${id}`)).toHaveProperty('status', 'rejected')
  })
})
