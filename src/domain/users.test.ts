import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld, fixtures as given } from '../../test/support/domain-world.js'
import { invalid, inWords } from '../../test/support/invalid.js'
import type { UserInput, UserTransition } from './users.js'

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
  test('has reasons for the customer and the developer', () => {
    const { move } = open()
    const reasons = [{ reason: 'Blurred', developer_reason: 'front side' }, { reason: 'Expired' }]
    expect(move({ to: 'rejected', reasons })).toMatchObject({
      rejection_reasons: [
        { reason: 'Blurred', timestamp: LATER, developer_reason: 'front side' },
        { reason: 'Expired', timestamp: LATER, developer_reason: 'Expired' },
      ],
      requirements: null,
      updated_at: LATER,
    })
  })

  test.each([{}, { reasons: [] }])('has a default reason for %j', (change) => {
    expect(open().move({ to: 'rejected', ...change }).rejection_reasons).toEqual([
      {
        reason: expect.stringMatching(/\w/),
        timestamp: LATER,
        developer_reason: expect.any(String),
      },
    ])
  })

  test('has no reasons in the next review', () => {
    const { move } = open()
    move({ to: 'rejected' })
    expect(move({ to: 'under_review' }).rejection_reasons).toBeNull()
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

describe('a new user', () => {
  test('ignores id, status and times in the input', () => {
    const { world } = open()
    const [ada] = given.users
    if (!ada) throw new Error('the fixtures have users')
    const consent = { tnc_accepted: true, accepted_at: LATER }
    const { id: consent_id } = world.run('consent.create', consent, BY)
    const own = { consent_id, email_address: 'new@example.com', documents: [], n: 1 }
    const input = { ...ada, ...own }
    const user = world.run('user.create', input, BY)
    expect(user.id).not.toBe(ada.id)
    expect(user).toMatchObject({ status: 'under_review', created_at: LATER, updated_at: LATER })
    expect(user.n).toBe(given.users.length + 1)
    expect(world.tables.users.get(ada.id)?.email_address).toBe(ada.email_address)
    expect(world.tables.users.size).toBe(given.users.length + 1)
  })
})

describe('an email address of another user', () => {
  const input = { ...given.users[0], consent_id: null, documents: [], phone_number: null }
  const create = (world: ReturnType<typeof open>['world'], email_address: string) =>
    world.run('user.create', { ...input, email_address } as UserInput, BY)

  test.each(['Zoe@Example.com', 'zoe@example.com', 'ZOE@EXAMPLE.COM'])(
    'is taken in any case: %s',
    (email_address) => {
      const { world } = open()
      const { id } = create(world, 'Zoe@Example.com')
      expect(() => create(world, email_address)).toThrow(
        `email_address: user ${id} already has ${email_address}; it must be new`,
      )
    },
  )
})

describe('a date of birth', () => {
  const input = { ...given.users[0], consent_id: null, documents: [], phone_number: null }
  const bornOn = (date_of_birth: string) => {
    const { world } = open()
    const named = { ...input, email_address: 'new@example.com', date_of_birth } as UserInput
    return () => world.run('user.create', named, BY)
  }

  test.each(['1900-01-01', '2008-06-15'])('is accepted: %s', (date) =>
    expect(bornOn(date)).not.toThrow(),
  )

  test.each([
    ['1899-12-31', 'a date from 1900-01-01 to yesterday'],
    ['2008-06-16', 'a date up to 2008-06-15, 18 years ago'],
  ])('is refused: %s', (date, accepted) =>
    expect(bornOn(date)).toThrow(invalid('date_of_birth', date, accepted)),
  )
})

test('a refused transition names the only legal one', () => {
  const { move } = open()
  move({ to: 'incomplete' })
  expect(() => move({ to: 'active' })).toThrow(
    `user ${CHLOE} is incomplete and cannot become active; legal moves: under_review`,
  )
})

describe('a consent', () => {
  test('serves one user, and is free again if that user is refused', () => {
    const { world } = open()
    const consent = { tnc_accepted: true, accepted_at: LATER }
    const { id: consent_id } = world.run('consent.create', consent, BY)
    const [ada] = given.users
    if (!ada) throw new Error('the fixtures have users')
    const create = (email_address: string) =>
      world.run('user.create', { ...ada, documents: [], consent_id, email_address }, BY)
    expect(() => create(ada.email_address)).toThrow(/^Invalid email_address: /)
    expect(world.tables.consents.get(consent_id)?.used_by).toBeNull()
    const { id } = create('new@example.com')
    expect(world.tables.consents.get(consent_id)?.used_by).toBe(id)
    expect(() => create('newer@example.com')).toThrow(/^Invalid consent_id: .*already used/)
  })

  test('is refused if it was declined', () => {
    const declined = { tnc_accepted: false, accepted_at: LATER }
    expect(() => open().world.run('consent.create', declined, BY)).toThrow(/tnc_accepted/)
  })
})
