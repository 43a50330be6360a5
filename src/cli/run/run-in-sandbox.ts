import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSandbox, type Sandbox } from '../../index.js'
import { type FiredRule, firedRules } from '../../journal/rule-activity.js'
import { TimerLoopError } from '../../kernel/timer-loop-error.js'
import { createSleeps, machineClock } from '../../lib/machine-clock.js'
import { toCommandLine } from '../../lib/shell-quote.js'
import type { Exchange } from '../../request-log/views.js'
import type { Sandbox as Core } from '../../runtime/sandbox.js'
import { internalsOf } from '../../runtime/sandbox-internals.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { HAPPY_PATH, MAGIC_VALUES } from '../../scenarios/language/catalogue.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { createRequestLogger } from '../access-log.js'
import { listenAt } from '../listen.js'
import { type ExitReason, findStartError, runCommand } from './child-process.js'
import { toPath } from './nested-path.js'
import { refusedRules, resetsIn, stoppedRule } from './refused-rules.js'
import type { RunReport } from './report.js'
import { rerunCommand } from './rerun-command.js'
import type { RunOptions } from './run-flags.js'
import { usedWorlds } from './used-worlds.js'
import { outcomesIn } from './world-results.js'

/** How a command that could not be run to its end came to nothing. */
export type AbortedRun = Extract<ExitReason, { readonly kind: 'interrupted' | 'not_started' }>

/** A command that has run against a sandbox of its own: the report, and what was looked at in the end. */
export type RunResult<T> =
  | { readonly report: RunReport; readonly seen: T }
  | { readonly spoilt: AbortedRun }

export interface RunHooks<T> {
  readonly scenarios: readonly Scenario[]
  /** Variables of the command besides those that every run has. */
  readonly env?: NodeJS.ProcessEnv
  /** Hears what the command prints; without it that goes where ours goes. */
  readonly hear?: (chunk: Buffer) => void
  /** Called when the sandbox listens and the command exists, right before it starts. */
  readonly begin?: () => void
  /** Looks at the sandbox when all is played out. */
  readonly look: (sandbox: Sandbox) => T | Promise<T>
}

/** Runs a command against a sandbox of its own, plays out what is pending, and checks what is expected. */
export const runInSandbox = async <T>(
  options: RunOptions,
  playing: RunHooks<T>,
): Promise<RunResult<T>> => {
  const { scenarios, hear, look } = playing
  const log = createRequestLogger(options.log)
  const delays = createSleeps()
  let isAsked = true
  const logAsked = (exchange: Exchange) => {
    if (isAsked) log?.(exchange)
  }
  const sandbox = await createSandbox({
    ...options.sandbox,
    sleep: delays.sleep,
    ...(log && { log: logAsked }),
  })
  const { url } = await listenAt(sandbox, { port: options.port })
  const missing = findStartError(options.command[0], process.env)
  if (missing !== undefined) {
    await sandbox.close()
    return { spoilt: { kind: 'not_started', why: missing } }
  }
  try {
    playing.begin?.()
  } catch (error) {
    await sandbox.close()
    throw error
  }
  const began = machineClock()
  const env = { ...environment(options, url), ...options.env, ...playing.env }
  const ending = await runCommand(options.command, env, options.timeout?.ms, hear)
  const duration_ms = machineClock() - began
  if (ending.kind === 'interrupted' || ending.kind === 'not_started') {
    await sandbox.close()
    return { spoilt: ending }
  }
  // A delayed request outlives its client. It ends within a turn, so that the report counts it.
  delays.end()
  await nextTurn()
  // The requests of the report itself are not logged.
  isAsked = false
  const report = buildReport(options, scenarios, internalsOf(sandbox), ending, duration_ms)
  const seen = await look(sandbox)
  await sandbox.close()
  return { report, seen }
}

const environment = ({ apiKey, sandbox }: RunOptions, url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  SANDRAMP_URL: url,
  SANDRAMP_API_KEY: apiKey,
  SANDRAMP_CLOCK_URL: `${url}/_sandbox/clock`,
  SANDRAMP_SEED: sandbox.seed,
})

const buildReport = (
  options: RunOptions,
  scenarios: readonly Scenario[],
  core: Core,
  ending: ExitReason,
  duration_ms: number,
): RunReport => {
  const worlds = usedWorlds(core)
  const runaway = worlds.map(settle).find(isThere)
  const outcomes = outcomesIn(scenarios, core, worlds)
  const journals = worlds.map(({ live }) => live.journal.after(0))
  const isWhole = journals.every((entries) => entries[0]?.seq === 1)
  const fired = sumOver(journals.flatMap(firedRules))
  const placed = <R extends { readonly rule: string; readonly source: string }>(it: R): R => ({
    ...it,
    source: toPath(scenarios, it.rule.split('/', 1)[0], it.source),
  })
  return {
    scenarios: scenarios.map(({ name }) => name),
    command: toCommandLine(options.command),
    ending,
    timeout: options.timeout?.text,
    duration_ms,
    requests: sum(worlds.map(({ live }) => live.requests.count)),
    worlds: core.worlds.size - 1,
    lost: core.worlds.lost,
    misplaced: core.misplaced,
    resets: sum(journals.map(resetsIn)),
    fired: fired.map(placed),
    unfired: isWhole ? unfiredRules(scenarios, fired).map(placed) : [],
    refused: sumOver(journals.flatMap(refusedRules)).map(placed),
    isWhole,
    mayIdle: options.mayIdle,
    asleep: isWhole ? scenariosAsleep(scenarios, fired) : [],
    runaway: runaway ?? journals.map(stoppedRule).find(isThere),
    outcomes,
    repeat: rerunCommand(options),
  }
}

const isThere = <T>(it: T | undefined): it is T => it !== undefined

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** Rules of several worlds, each once. */
const sumOver = <R extends FiredRule>(rules: readonly R[]): R[] => {
  const sums = new Map<string, R>()
  for (const it of rules) {
    const known = sums.get(it.rule)
    sums.set(it.rule, known ? { ...known, times: known.times + it.times } : it)
  }
  return [...sums.values()]
}

/** Plays out what is pending, in virtual time. Returns why that never ends. */
const settle = ({ live }: WorldHandle): string | undefined => {
  try {
    live.advance('idle', { kind: 'library' })
    return undefined
  } catch (error) {
    if (error instanceof TimerLoopError) return error.message
    throw error
  }
}

const unfiredRules = (scenarios: readonly Scenario[], fired: readonly FiredRule[]) =>
  scenarios
    .flatMap(({ name, rules }) => rules.map(({ source }, i) => ({ rule: `${name}/${i}`, source })))
    .filter(({ rule }) => !fired.some((it) => it.rule === rule))

/** Every world plays these, whether a run names them or not. */
const PLAYED_ANYHOW = [HAPPY_PATH, MAGIC_VALUES]

/** The named scenarios that have rules, of which none fired. */
const scenariosAsleep = (scenarios: readonly Scenario[], fired: readonly FiredRule[]): string[] =>
  scenarios
    .filter(({ name, rules }) => rules.length > 0 && !PLAYED_ANYHOW.includes(name))
    .map(({ name }) => name)
    .filter((name) => !fired.some(({ rule }) => rule.startsWith(`${name}/`)))
