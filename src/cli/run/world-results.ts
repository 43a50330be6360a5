import type { Sandbox as Core } from '../../runtime/sandbox.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { verify } from '../../scenarios/language/parse-expectations.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { formatExpectation } from '../../scenarios/verify/format-expectation.js'
import type { Outcome } from '../../scenarios/verify/verify.js'
import { toPath } from './nested-path.js'
import type { ScenarioOutcome } from './report.js'
import { worldName } from './used-worlds.js'

/** Holds what scenarios expect against every world that the command has used: each of them has to meet it. */
export const outcomesIn = (
  scenarios: readonly Scenario[],
  core: Core,
  worlds: readonly WorldHandle[],
): ScenarioOutcome[] => {
  const placed = scenarios.flatMap(({ name, expect }) =>
    expect.map(({ source, ...expectation }) => ({ scenario: name, source, expectation })),
  )
  const expectations = placed.map(({ expectation }) => expectation)
  const verified = worlds.map((world) => ({
    world,
    results: verify(expectations, core.verificationInput(world.live)).results,
  }))
  return placed.flatMap(({ scenario, source, expectation }, i) => {
    const results = verified.flatMap(({ world, results }) => {
      const result = results[i]
      return result ? [{ world, result }] : []
    })
    const outcome = inAll(results, formatExpectation(expectation))
    return outcome
      ? [
          {
            ...outcome,
            scenario,
            source: toPath(scenarios, scenario, source),
            wish: formatExpectation(expectation),
          },
        ]
      : []
  })
}

interface WorldResult {
  readonly world: WorldHandle
  readonly result: Outcome
}

/** One outcome for all worlds: that of the first world that misses the expectation. */
const inAll = (results: readonly WorldResult[], wanted: string): Outcome | undefined => {
  const missed = results.filter(({ result }) => !result.ok)
  const [first] = missed.length > 0 ? missed : results
  if (!first || results.length === 1) return first?.result
  if (missed.length === 0)
    return { ...first.result, sentence: `${wanted}, all ${results.length} worlds meet it` }
  const others =
    missed.length > 1 ? `, and in ${missed.length - 1} more of ${results.length} worlds` : ''
  const sentence = `${first.result.sentence} in ${worldName(first.world)}${others}`
  return { ...first.result, sentence }
}
