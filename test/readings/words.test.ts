import { expect, test } from 'vitest'
import { assumptions } from '../../src/contract/assumptions/index.js'
import { stakes } from '../../src/contract/assumptions/stakes.js'
import { assumptionIds } from '../../src/world/reading-names.js'

/** The register is read by people who run the service, and know of no sandbox. */
test.each(assumptionIds)('%s is told in words that can be sent', (id) => {
  const { question, readings, basis } = assumptions[id]
  const texts = [question, basis, stakes[id].consequence, ...readings.map(({ means }) => means)]
  for (const text of texts) expect(text).not.toMatch(/sandbox/i)
  expect(question).toMatch(/^[A-Z].*\?$/)
  expect(basis).toMatch(/^[A-Z].*\.$/)
  expect(stakes[id].consequence).not.toMatch(/\.$/)
})
