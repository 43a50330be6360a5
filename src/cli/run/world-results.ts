import { basename } from 'node:path'
import type { Sandbox as Core } from '../../runtime/sandbox.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { verify } from '../../scenarios/language/parse-expectations.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { formatExpectation } from '../../scenarios/verify/format-expectation.js'
import type { Outcome } from '../../scenarios/verify/verify.js'
import type { ScenarioOutcome } from './report.js'
import { worldName } from './used-worlds.js'

/** Verifies the expectations in every world that the command used. All worlds must meet them. */
export const verifyWorlds = (
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
    const outcome = mergeWorldResults(results, formatExpectation(expectation))
    return outcome
      ? [
          {
            ...outcome,
            scenario,
            source: toPath(scenarios, scenario, source),
            expected: formatExpectation(expectation),
          },
        ]
      : []
  })
}

interface WorldResult {
  readonly world: WorldHandle
  readonly result: Outcome
}

/** Reports the first world that misses the expectation. */
const mergeWorldResults = (
  results: readonly WorldResult[],
  wanted: string,
): Outcome | undefined => {
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

/** Replaces the file name in `file:line` by the path that was passed to the command. */
export const toPath = (
  scenarios: readonly Scenario[],
  name: string | undefined,
  source: string,
): string => {
  const { file } = scenarios.find((it) => it.name === name) ?? {}
  const own = file === undefined ? '' : basename(file)
  return own && source.startsWith(`${own}:`) ? `${file}${source.slice(own.length)}` : source
}
