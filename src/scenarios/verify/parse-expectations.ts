import '../language/re2.js'
import * as z from 'zod'
import type { NamedFixtures } from '../../domain/fixture-names.js'
import type { Tables } from '../../domain/schema.js'
import { type Problem, toProblem } from '../../lib/app-error.js'
import { exceedsDepth } from '../../lib/json.js'
import { withLengthsFirst } from '../../lib/schema-fields.js'
import { didYouMean } from '../../lib/suggest.js'
import { yamlProblems } from '../../lib/yaml/issues.js'
import { MAX_NESTING, TOO_DEEP } from '../../lib/yaml/read.js'
import { type Catalogue, findRule, namesIn } from '../language/catalogue.js'
import { type Expectation, expectation } from '../language/expectations.js'
import { resolveNames } from '../language/record-ids.js'

// Callers verify what they parse, so they load one module.
export { verify, verifying } from './verify.js'

const MAX_EXPECTATIONS = 1_000
const LIST = `a list of 1 to ${MAX_EXPECTATIONS} expectations`
const list = withLengthsFirst(
  z.object({ expect: z.array(expectation, LIST).min(1, LIST).max(MAX_EXPECTATIONS, LIST) }),
)

/** Parses expectations about a world that are not from a file; else returns the problems. */
export const readExpectations = (
  given: unknown,
  catalogue: Catalogue,
  tables: Tables,
  names: NamedFixtures,
):
  | { readonly expectations: readonly Expectation[] }
  | { readonly problems: readonly Problem[] } => {
  if (exceedsDepth(given, MAX_NESTING)) {
    const [problem, expected] = TOO_DEEP
    return { problems: [toProblem({ field: 'expect', problem, expected })] }
  }
  const data = { expect: given }
  const result = list.safeParse(data)
  if (!result.success) return { problems: yamlProblems(result.error.issues, data) }
  // Unchanged, because the schema would only reorder fields.
  const expectations = given as Expectation[]
  const problems: Problem[] = []
  for (const [i, it] of expectations.entries()) {
    const { fired } = it
    resolveNames(it, names, (problem) => problems.push(problem), ['expect', i])
    if (fired === undefined || findRule(catalogue, tables, fired)) continue
    const hint = suggestScenario(catalogue, tables, fired)
    problems.push(toProblem({ field: `expect.${i}.fired`, received: fired, expected: RULE, hint }))
  }
  return problems.length > 0 ? { problems } : { expectations }
}

const RULE = 'an existing scenario or one of its rules, such as happy-path/0'

const suggestScenario = (catalogue: Catalogue, tables: Tables, fired: string) =>
  didYouMean(fired.split('/')[0] ?? '', namesIn(catalogue, tables))
