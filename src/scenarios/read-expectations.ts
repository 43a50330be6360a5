import './engine.js'
import * as z from 'zod'
import { isDeeper } from '../values.js'
import { complaintsOf } from '../yaml/complain.js'
import { DEEPEST, TOO_DEEP } from '../yaml/nesting.js'
import { type Expectation, expectation } from './expectations.js'

// Whoever reads expectations holds them against something: there is one module to load.
export { verify, verifying } from './verify.js'

const MOST = 1_000
const LIST = `a list of 1 to ${MOST} expectations`
const list = z.object({
  expect: z.array(expectation, LIST).min(1, LIST).max(MOST, LIST),
})

/** Reads expectations that did not come from a file, or says what is wrong with them, each in a sentence. */
export const readExpectations = (
  given: unknown,
):
  | { readonly expectations: readonly Expectation[] }
  | { readonly complaints: readonly string[] } => {
  if (isDeeper(given, DEEPEST)) return { complaints: [`expect: ${TOO_DEEP}`] }
  const data = { expect: given }
  const result = list.safeParse(data)
  // As they came: the schema changes nothing but the order of fields.
  if (result.success) return { expectations: given as Expectation[] }
  return { complaints: complaintsOf(result.error.issues, data).map(({ text }) => text) }
}
