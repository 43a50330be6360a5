import { basename } from 'node:path'
import type { Entry } from '../../kernel/entry.js'
import type { Sandbox as Core } from '../../runtime/sandbox.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { formatExpectation } from '../../scenarios/verify/format-expectation.js'
import type { Outcome } from '../../scenarios/verify/verify.js'
import { verify } from '../../scenarios/verify/verify.js'
import { lateSteps } from './late-steps.js'
import type { LateOutcome, ScenarioOutcome } from './report.js'
import { worldName } from './used-worlds.js'

/** A world whose timers have all fired. */
export interface EndedWorld {
  readonly world: WorldHandle
  /** The entries since the end of the command. */
  readonly late: readonly Entry[]
}

/** Verifies the expectations in every world that the command used. All worlds must meet them. */
export const verifyWorlds = (
  scenarios: readonly Scenario[],
  core: Core,
  worlds: readonly EndedWorld[],
): ScenarioOutcome[] => {
  const placed = scenarios.flatMap((scenario) =>
    scenario.expect.map(({ source, ...expectation }) => ({ scenario, source, expectation })),
  )
  const expectations = placed.map(({ expectation }) => expectation)
  const verified = worlds.map(({ world, late }) => ({
    world,
    late,
    results: verify(expectations, core.verificationInput(world.live)).results,
  }))
  return placed.map(({ scenario, source, expectation }, i) => {
    const expected = formatExpectation(expectation)
    const results = verified.map(({ world, late, results }) => {
      const result = results[i] as Outcome
      return { world, result: { ...result, late: lateSteps(scenario, expectation, result, late) } }
    })
    return {
      ...mergeWorldResults(results, expected),
      scenario: scenario.name,
      source: toPath(scenarios, scenario.name, source),
      expected,
    }
  })
}

interface WorldResult {
  readonly world: WorldHandle
  readonly result: LateOutcome
}

/** Reports the first world that misses the expectation. */
const mergeWorldResults = (results: readonly WorldResult[], expected: string): LateOutcome => {
  const { world, result } = results.reduce((first, it) =>
    first.result.ok && !it.result.ok ? it : first,
  )
  if (results.length === 1) return result
  if (result.ok) return { ...result, sentence: `${expected}, all ${results.length} worlds meet it` }
  const more = results.filter((it) => !it.result.ok).length - 1
  const others = more > 0 ? `, and in ${more} more of ${results.length} worlds` : ''
  return { ...result, sentence: `${result.sentence} in ${worldName(world)}${others}` }
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
