import { expect, test } from 'vitest'
import { createFieldReader } from '../language/match.js'
import { nearMisses } from './near-misses.js'
import type { Subject } from './subjects.js'

const user = (id: string, record: object): Subject => ({
  noun: 'users',
  id,
  what: `user ${id}`,
  reader: createFieldReader(record),
  moment: () => [0, 0],
  hasReached: () => false,
})

const wanted = { status: 'active', address: { city: 'Lagos', line1: '1 Road', country: 'NGA' } }

test('nearMisses orders by conditions met, then by distance, then by age', () => {
  const elsewhere = { city: 'Kano', line1: '2 Road', country: 'GHA' }
  const things = [
    user('none', { status: 'paused' }),
    user('elsewhere', { status: 'active', address: elsewhere }),
    user('nowhere', { status: 'active' }),
    user('nowhere either', { status: 'active' }),
    user('paused', { status: 'paused', address: { ...wanted.address, city: 'Abuja' } }),
  ]
  const nearest = nearMisses(wanted, things)
  expect(nearest.map(({ id }) => id)).toEqual(['paused', 'nowhere', 'nowhere either'])
  expect(nearest[0]?.differs).toEqual([
    { field: 'status', wanted: 'active', came: 'paused' },
    { field: 'address.city', wanted: 'Lagos', came: 'Abuja' },
  ])
  expect(nearMisses(wanted, things.slice(0, 2)).map(({ id }) => id)).toEqual(['elsewhere', 'none'])
})

test('nearMisses prefers the nearest value among equal numbers of differences', () => {
  const amounts = ['1.00', '90.00', '2000.00'].map((amount) =>
    user(amount, { amount, status: 'x' }),
  )
  const order = (conditions: object) => nearMisses({ ...conditions }, amounts).map(({ id }) => id)
  expect(order({ amount: '100.00' })[0]).toBe('90.00')
  expect(order({ amount: { gte: 2500 } })[0]).toBe('2000.00')
  const names = ['Ngozi', 'Adaa', 'Bola'].map((name) => user(name, { name }))
  expect(nearMisses({ name: 'Ada' }, names)[0]?.id).toBe('Adaa')
})
