import { describe, expect, test } from 'vitest'
import { users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { User } from '../support/wire.js'

type SandboxUser = User & { readonly legal_moves: readonly string[]; readonly updated_at: string }

const path = '/_sandbox/users'

describe('moveUser', () => {
  const pathOf = (id: string) => `${path}/${id}/status`
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
})
