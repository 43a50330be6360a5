import './re2.js'
import * as z from 'zod'
import { exceedsDepth } from '../../lib/json-path.js'
import { formatYamlIssues } from '../../lib/yaml/issues.js'
import { MAX_NESTING, TOO_DEEP } from '../../lib/yaml/read.js'
import { type Expectation, expectation } from './expectations.js'

// Callers verify what they parse, so they load one module.
export { verify, verifying } from '../verify/verify.js'

const MAX_EXPECTATIONS = 1_000
const LIST = `a list of 1 to ${MAX_EXPECTATIONS} expectations`
const list = z.object({
  expect: z.array(expectation, LIST).min(1, LIST).max(MAX_EXPECTATIONS, LIST),
})

/** Parses expectations that are not from a file; else returns the problems. */
export const readExpectations = (
  given: unknown,
): { readonly expectations: readonly Expectation[] } | { readonly problems: readonly string[] } => {
  if (exceedsDepth(given, MAX_NESTING)) return { problems: [`Invalid expect: ${TOO_DEEP}`] }
  const data = { expect: given }
  const result = list.safeParse(data)
  // Unchanged, because the schema would only reorder fields.
  if (result.success) return { expectations: given as Expectation[] }
  return { problems: formatYamlIssues(result.error.issues, data).map(({ text }) => text) }
}
