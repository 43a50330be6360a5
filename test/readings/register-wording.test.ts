import { expect, test } from 'vitest'
import { assumptionIds } from '../../src/assumptions/ids.js'
import { assumptions } from '../../src/assumptions/register/index.js'

/** The register is read by people who run the service, and know of no sandbox. */
test.each(assumptionIds)('the texts of %s can be sent to the service', (id) => {
  const { question, readings, basis, consequence } = assumptions[id]
  const texts = [question, basis, consequence, ...readings.map(({ means }) => means)]
  for (const text of texts) expect(text).not.toMatch(/sandbox/i)
  expect(question).toMatch(/^[A-Z].*\?$/)
  expect(basis).toMatch(/^[A-Z].*\.$/)
  expect(consequence).not.toMatch(/\.$/)
})
