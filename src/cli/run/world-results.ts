import { basename } from 'node:path'
import type { Outcome } from '../../../generated/api-types.js'
import { describeEntry } from '../../activity/story.js'
import { findLabel } from '../../domain/api-keys.js'
import type { Cause, Entry } from '../../kernel/entry.js'
import { plural } from '../../lib/text.js'
import type { Sandbox as Core } from '../../runtime/sandbox.js'
import { type Expectation, findNoun } from '../../scenarios/language/expectations.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { isTooFew } from '../../scenarios/verify/counts.js'
import { formatExpectation } from '../../scenarios/verify/format-expectation.js'
import { verify } from '../../scenarios/verify/verify.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import { findOwnKey } from '../../worlds/registry.js'
import { resetsIn } from './evidence.js'
import type { LateOutcome, ScenarioOutcome } from './report.js'

/** A world whose timers have all fired. */
export interface EndedWorld {
  readonly live: LiveWorld
  /** The entries since the end of the command. */
  readonly late: readonly Entry[]
}

/**
 * Verifies the expectations in the worlds where their scenario began, and the audit in every world that the command
 * used. All these worlds must meet them. Somebody sees that a command failed, so it is excused from repairs.
 */
export const verifyWorlds = (
  scenarios: readonly Scenario[],
  core: Core,
  worlds: readonly EndedWorld[],
  isExcused: boolean,
): ScenarioOutcome[] => {
  const placed = scenarios.flatMap((scenario) =>
    scenario.expect.map(({ source, ...expectation }) => ({ scenario, source, expectation })),
  )
  const expectations = placed.map(({ expectation }) => expectation)
  const verified = worlds.map(({ live, late }) => {
    const input = core.verificationInput(live)
    const fired = input.fired().map(({ rule }) => rule)
    // A rule that counts its matches, or whose window is open, has begun.
    const begun = live.world.tables.rule_counts.all().map(({ id }) => id)
    const { results } = verify(expectations, { ...input, isExcused })
    return { live, late, results, rules: [...fired, ...begun] }
  })
  const worldsOf = ({ name }: Scenario) => {
    const own = verified.filter(({ rules }) => rules.some((it) => it.startsWith(`${name}/`)))
    return own.length > 0 ? own : verified
  }
  return placed.map(({ scenario, source, expectation }, i) => {
    const expected = formatExpectation(expectation)
    const judged = expectation.audit === undefined ? worldsOf(scenario) : verified
    const results = judged.map(({ live, late, results }) => {
      const result = results[i] as Outcome
      return {
        live,
        result: { ...result, late: lateSteps(core, live, scenario, expectation, result, late) },
      }
    })
    return {
      ...mergeWorldResults(results, expected, worlds.length),
      scenario: scenario.name,
      source: toPath(scenarios, scenario.name, source),
      expected,
    }
  })
}

interface WorldResult {
  readonly live: LiveWorld
  readonly result: LateOutcome
}

/** Reports the first world that misses the expectation. */
const mergeWorldResults = (
  results: readonly WorldResult[],
  expected: string,
  used: number,
): LateOutcome => {
  const { live, result } = results.reduce((first, it) =>
    first.result.ok && !it.result.ok ? it : first,
  )
  if (used === 1) return result
  const { length } = results
  if (result.ok) {
    const where = length === used ? `all ${used} worlds` : `${length} of ${used} worlds`
    return { ...result, sentence: `${expected}, in ${length === 1 ? worldName(live) : where}` }
  }
  const more = results.filter((it) => !it.result.ok).length - 1
  const others = more > 0 ? `, and in ${more} more of ${results.length} worlds` : ''
  return { ...result, sentence: `${result.sentence} in ${worldName(live)}${others}` }
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

const MAX_STEPS = 3

/**
 * Names the steps of rules that came after the end of the command, if it missed a request: no client can react to
 * them. `late` are the entries since then.
 */
const lateSteps = (
  sandbox: Core,
  live: LiveWorld,
  { name, rules }: Scenario,
  expectation: Expectation,
  { ok, found }: Outcome,
  late: readonly Entry[],
): string[] => {
  const [noun, conditions] = findNoun(expectation) ?? []
  const isLogged = noun === 'requests' || conditions?.shown !== undefined
  const { count, after, any_after } = expectation
  if (ok || !isLogged || !(isTooFew(found, count) || after || any_after)) return []
  const steps = late.filter(
    ({ cause, refused }) =>
      !refused && cause.kind === 'timer' && (rules.length === 0 || cause.scenario === name),
  )
  if (steps.length === 0) return []
  const view = { sandbox, tables: live.world.tables }
  return [
    `the command ended before ${plural(steps.length, 'step')} of rules; it can advance the clock at SANDRAMP_CLOCK_URL:`,
    ...steps.slice(-MAX_STEPS).map((entry) => `  ${describeEntry(view, entry)}`),
  ]
}

/** Worlds that a command used, the default world first, then by age. */
export const usedWorlds = ({ worlds }: Core): LiveWorld[] => {
  const used = worlds.list().filter(isUsed)
  if (used.length === 0) return [worlds.main]
  return used.sort((a, b) => Number(a !== worlds.main) - Number(b !== worlds.main) || byAge(a, b))
}

const byAge = (a: LiveWorld, b: LiveWorld): number => a.created_at.localeCompare(b.created_at)

const FROM_OUTSIDE: readonly Cause['kind'][] = ['request', 'read', 'control']

/**
 * A reset clears the request log but not the journal. In the default world, control calls alone do not count:
 * a test that uses worlds by key may move the clock without a key.
 */
const isUsed = ({ key, requests, journal }: LiveWorld): boolean => {
  if (requests.count > 0) return true
  const entries = journal.all()
  return key
    ? entries.some(({ cause }) => FROM_OUTSIDE.includes(cause.kind))
    : resetsIn(entries) > 0
}

/** `the default world`, `the world "pays once"`, `the world of the key …0001` */
export const worldName = (live: LiveWorld): string => {
  const label = findLabel(findOwnKey(live))
  if (label !== null) return `the world ${JSON.stringify(label)}`
  return live.key ? `the world of the key …${live.key.last_four}` : 'the default world'
}
