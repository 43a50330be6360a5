import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld } from '../../test/support/domain-world.js'
import { invalid, inWords } from '../../test/support/invalid.js'
import type { UserTransition } from './users.js'

/** A user under review in the fixtures. */
const CHLOE = '11111111-1111-4111-8111-000000000003'
const LATER = '2026-06-15T09:01:00.000Z'

const open = () => {
  const world = fixtureWorld()
  world.advance(Date.parse(LATER))
  const move = (input: Omit<UserTransition, 'id'>) =>
    world.run('user.move', { id: CHLOE, ...input }, BY)
  return { world, move }
}

describe('a user who is rejected', () => {
  test.each([{}, { reasons: [] }])('has a default reason for %j', (change) => {
    expect(open().move({ to: 'rejected', ...change }).rejection_reasons).toEqual([
      {
        reason: expect.stringMatching(/\w/),
        timestamp: LATER,
        developer_reason: expect.any(String),
      },
    ])
  })
})

describe('a user who is incomplete', () => {
  test('has requirements, by default a general one', () => {
    const change = open().move({ to: 'incomplete', requirements: ['address.city'] })
    expect(change).toMatchObject({ requirements: ['address.city'], rejection_reasons: null })
    const untold = open().move({ to: 'incomplete', requirements: [] })
    expect(untold.requirements).toEqual([expect.stringMatching(/\w/)])
  })

  test('has no requirements once under review', () => {
    const { move } = open()
    move({ to: 'incomplete' })
    expect(move({ to: 'under_review' }).requirements).toBeNull()
  })
})

describe('reasons and requirements of another status', () => {
  test.each<[string, Omit<UserTransition, 'id'>]>([
    ['reasons', { to: 'incomplete', reasons: [{ reason: 'Blurred' }] }],
    ['requirements', { to: 'rejected', requirements: ['address.city'] }],
  ])('are refused: %s', (field, change) => {
    expect(() => open().move(change)).toThrow(invalid(field, inWords(`a list with ${change.to}`)))
  })

  test('are accepted if empty', () => {
    const change = { to: 'active', reasons: [], requirements: [] } as const
    expect(open().move(change)).toMatchObject({ rejection_reasons: null, requirements: null })
  })
})
