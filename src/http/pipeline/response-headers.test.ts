import { expect, test } from 'vitest'
import { type AssumptionId, assumptionIds, DEFAULT_READINGS } from '../../assumptions/ids.js'
import { RISKS } from '../../assumptions/register/assumption.js'
import { assumptions } from '../../assumptions/register/index.js'
import { type Choices, Readings } from '../../assumptions/use.js'
import { assumedHeader } from './response-headers.js'

const headerOf = (ids: readonly AssumptionId[], settled?: Choices): string => {
  const readings = new Readings(undefined, undefined, settled)
  for (const id of ids) readings.of(id)
  return assumedHeader(readings)
}

const written = (ids: readonly AssumptionId[]): string =>
  ids.map((id) => `${id}=${DEFAULT_READINGS[id]}`).join(', ')

test('assumedHeader lists high risks first, then the order of the register', () => {
  const ordered = RISKS.flatMap((risk) =>
    assumptionIds.filter((id) => assumptions[id].risk === risk),
  )
  expect(headerOf(assumptionIds.toReversed())).toBe(written(ordered))
  for (const id of assumptionIds) expect(headerOf([id])).toBe(written([id]))
  expect(headerOf([])).toBe('')
})

test('assumedHeader leaves out defaults that are settled', () => {
  const [id, other] = ['payout.fee', 'payout.balance'] as const
  const settled = { [id]: DEFAULT_READINGS[id] }
  expect(headerOf([id], settled)).toBe('')
  expect(headerOf([id, other], settled)).toBe(written([other]))
})
