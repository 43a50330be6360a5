import { expect, test } from 'vitest'
import { assumptionIds, DEFAULT_READINGS, readingNames } from '../../src/assumptions/ids.js'
import { assumptions } from '../../src/assumptions/register/index.js'
import { operationIds } from '../../src/scenarios/language/operations.js'
import { payoutCases } from './cases/payouts.js'
import { auditCases, balanceCases, transferCases } from './cases/transfers.js'
import { userCases } from './cases/users.js'
import { chainCases, depositCases, offrampCases, walletCases } from './cases/wallets.js'
import { wireCases } from './cases/wire.js'
import type { AnyCase, Cases } from './reading-case.js'

/** A reading without a case does not compile. */
const all = {
  ...payoutCases,
  ...userCases,
  ...walletCases,
  ...offrampCases,
  ...depositCases,
  ...chainCases,
  ...auditCases,
  ...transferCases,
  ...balanceCases,
  ...wireCases,
} satisfies Cases
const cases: Readonly<Record<string, AnyCase>> = all

test('the register has each id in order', () => {
  expect(Object.keys(assumptions)).toEqual(assumptionIds)
  expect(Object.keys(cases).sort()).toEqual([...assumptionIds].sort())
})

test.each(assumptionIds)('the readings of %s have different results', (id) => {
  const names = readingNames(id)
  expect(names.length).toBeGreaterThan(1)
  expect(names[0]).toBe(DEFAULT_READINGS[id])
  expect(Object.keys(cases[id]?.as ?? {}).sort()).toEqual([...names].sort())
  const seen = names.map((name) => JSON.stringify(cases[id]?.as[name]))
  expect(new Set(seen).size).toBe(names.length)
  for (const { means } of assumptions[id].readings) expect(means).toMatch(/\S/)
})

/** The register is read by people who run the service, and know of no sandbox. */
test.each(assumptionIds)('the texts of %s can be sent to the service', (id) => {
  const { question, operations, readings, basis, consequence } = assumptions[id]
  const texts = [question, basis, consequence, ...readings.map(({ means }) => means)]
  for (const text of texts) expect(text).not.toMatch(/sandbox/i)
  expect(question).toMatch(/^[A-Z].*\?$/)
  expect(basis).toMatch(/^[A-Z].*\.$/)
  expect(consequence).not.toMatch(/\.$/)
  for (const operation of operations) expect(operationIds).toContain(operation)
})
