import { describeEntry } from '../../journal/describe-entry.js'
import type { Entry } from '../../kernel/entry.js'
import { plural } from '../../lib/text.js'
import { type Expectation, findNoun } from '../../scenarios/language/expectations.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { isTooFew } from '../../scenarios/verify/counts.js'
import type { Outcome } from '../../scenarios/verify/verify.js'

const MAX_STEPS = 3

/**
 * Names the steps of rules that came after the end of the command, if it missed a request: no client can react to
 * them. `late` are the entries since then.
 */
export const lateSteps = (
  { name, rules }: Scenario,
  expectation: Expectation,
  { ok, found }: Outcome,
  late: readonly Entry[],
): string[] => {
  const [noun] = findNoun(expectation) ?? []
  const { count, after, any_after } = expectation
  if (ok || noun !== 'requests' || !(isTooFew(found, count) || after || any_after)) return []
  const steps = late.filter(
    ({ cause, refused }) =>
      !refused && cause.kind === 'timer' && (rules.length === 0 || cause.scenario === name),
  )
  if (steps.length === 0) return []
  return [
    `the command ended before ${plural(steps.length, 'step')} of rules; it can advance the clock at SANDRAMP_CLOCK_URL:`,
    ...steps
      .slice(-MAX_STEPS)
      .map((entry) => `  ${describeEntry(entry, entry.events, undefined, '')}`),
  ]
}
