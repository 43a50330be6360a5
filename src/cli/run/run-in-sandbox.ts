import { setImmediate as nextTurn } from 'node:timers/promises'
import { type OpenSandbox, openSandbox } from '../../app.js'
import { readClockSetting } from '../../domain/clock.js'
import { conductLines, judgeConduct } from '../../history/conduct.js'
import { describeEvidence } from '../../history/paid-twice.js'
import { type FiredRule, firedRules } from '../../history/rule-activity.js'
import type { Exchange } from '../../history/views.js'
import { TimerLoopError } from '../../kernel/timer-records.js'
import { createSleeps, machineClock } from '../../lib/machine-clock.js'
import { toCommandLine } from '../../lib/shell-quote.js'
import { registerScenarios } from '../../runtime/registered-scenarios.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import { describeTrigger } from '../../scenarios/docs/diagram.js'
import { describeUnused } from '../../scenarios/faults/unused-call.js'
import { openScenarios } from '../../scenarios/language/bundled.js'
import { HAPPY_PATH, MAGIC_VALUES } from '../../scenarios/language/catalogue.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import { createRequestLogger } from '../access-log.js'
import { type ExitReason, spawnCommand } from './child-process.js'
import { findIdlePolls, refusedRules, resetsIn, silentRepeats, stoppedRule } from './evidence.js'
import { outputTail } from './progress.js'
import { hasExitedWell, type RunReport, type ScenarioOutcome } from './report.js'
import { rerunCommand } from './rerun-command.js'
import { type RunOptions, replaceReadings } from './run-flags.js'
import { type EndedWorld, toPath, usedWorlds, verifyWorlds, worldName } from './world-results.js'

type RunResult<T> =
  | { readonly report: RunReport; readonly inspected: T }
  | { readonly stoppedBy: NodeJS.Signals }

interface RunHooks<T> {
  readonly scenarios: readonly Scenario[]
  /** Additional variables of the command. */
  readonly env?: NodeJS.ProcessEnv
  /** Receives the output of the command, which otherwise inherits stdout and stderr. */
  readonly onOutput?: (chunk: Buffer) => void
  /** Called when all timers have fired, before the sandbox closes. */
  readonly inspect: (sandbox: OpenSandbox) => T | Promise<T>
}

/** Runs a command against its own sandbox, fires all pending timers, and verifies the expectations. */
export const runInSandbox = async <T>(
  options: RunOptions,
  hooks: RunHooks<T>,
): Promise<RunResult<T>> => {
  const { scenarios, onOutput, inspect } = hooks
  const log = createRequestLogger(options.log)
  const delays = createSleeps()
  let isCommandRunning = true
  const logWhileRunning = (exchange: Exchange) => {
    if (isCommandRunning) log?.(exchange)
  }
  const sandbox = await openSandbox({
    ...options.sandbox,
    sleep: delays.sleep,
    ...(log && { log: logWhileRunning }),
  })
  try {
    const { url } = await sandbox.listen({ port: options.port })
    const startedAt = machineClock()
    const env = commandEnvironment(options, url, hooks.env)
    const exitReason = await spawnCommand(options.command, env, options.timeout?.ms, onOutput)
    const duration_ms = machineClock() - startedAt
    if (exitReason.kind === 'interrupted') return { stoppedBy: exitReason.signal }
    // A delayed request outlives its client. It ends within a turn, so that the report counts it.
    delays.end()
    await nextTurn()
    // The requests of the report itself are not logged.
    isCommandRunning = false
    const report = buildReport(options, scenarios, sandbox.core, exitReason, duration_ms)
    return { report, inspected: await inspect(sandbox) }
  } finally {
    await sandbox.close()
  }
}

/** Keeps the end of the output instead of showing it: other runs happen at the same time. */
export const runInBackground = async <T>(
  options: RunOptions,
  hooks: Omit<RunHooks<T>, 'onOutput'>,
) => {
  const { onOutput, text } = outputTail()
  const result = await runInSandbox(options, { ...hooks, onOutput })
  return 'stoppedBy' in result ? result : { ...result, output: text() }
}

/** The variables of a command, for its sandbox. */
export const commandEnvironment = (
  { apiKey, sandbox, env }: RunOptions,
  url: string,
  more: NodeJS.ProcessEnv = {},
): NodeJS.ProcessEnv => {
  // The sandbox of a run has no token.
  const { SANDRAMP_CONTROL_TOKEN: _, ...inherited } = process.env
  return bypassProxy({
    ...inherited,
    SANDRAMP_URL: url,
    SANDRAMP_API_KEY: apiKey,
    SANDRAMP_CLOCK_URL: `${url}/_sandbox/clock`,
    SANDRAMP_SEED: sandbox.seed,
    ...env,
    ...more,
  })
}

const buildReport = (
  options: RunOptions,
  scenarios: readonly Scenario[],
  core: Sandbox,
  exitReason: ExitReason,
  duration_ms: number,
): RunReport => {
  const worlds = usedWorlds(core)
  const confirmed = Object.entries(core.confirmedChoices ?? {}).map((it) => it.join('='))
  const ended = worlds.map(playPending)
  const judges = scenarios.length > 0 ? scenarios : [core.catalogue.find(HAPPY_PATH) as Scenario]
  const outcomes = verifyWorlds(judges, core, ended, !hasExitedWell(exitReason))
  const journals = worlds.map(({ journal }) => journal.all())
  const isComplete = journals.every((entries) => entries[0]?.seq === 1)
  const fired = mergeByRule(journals.flatMap(firedRules))
  const placed = <R extends { readonly rule: string; readonly source: string }>(it: R): R => ({
    ...it,
    source: toPath(scenarios, it.rule.split('/', 1)[0], it.source),
  })
  return {
    scenarios: scenarios.map(({ name }) => name),
    seed: options.sandbox.seed,
    readings: replaceReadings(confirmed, options.sandbox.readings ?? []),
    command: toCommandLine(options.command),
    exitReason,
    timeout: options.timeout?.text,
    duration_ms,
    requests: sum(worlds.map(({ requests }) => requests.count)),
    worlds: core.worlds.size - 1,
    lost: core.worlds.lost,
    proxy: findProxy({ ...process.env, ...options.env }),
    misplaced: core.misplaced,
    resets: sum(journals.map(resetsIn)),
    repeats: worlds.flatMap(({ requests }) => silentRepeats(requests.list())),
    polls: worlds.flatMap(describeIdlePolls),
    payments: worlds.flatMap((live) =>
      core.verificationInput(live).paidTwice().twice.map(describeEvidence),
    ),
    fired: fired.map(placed),
    unfired: isComplete ? unfiredRules(scenarios, fired).map(placed) : [],
    refused: mergeByRule(journals.flatMap(refusedRules)).map(placed),
    isComplete,
    allowIdle: options.allowIdle,
    idleScenarios: isComplete ? findIdleScenarios(scenarios, fired) : [],
    timerLoop: [...ended.map(({ timerLoop }) => timerLoop), ...journals.map(stoppedRule)].find(
      (it) => it !== undefined,
    ),
    outcomes: [...outcomes, ...core.worlds.list().flatMap(unusedOutcomes)],
    conduct: conductLines(
      worlds
        .filter(({ requests }) => requests.size > 0)
        .map((it, i) => ({
          where: i > 0 ? worldName(it) : '',
          lines: judgeConduct(core.verificationInput(it).exchanges()),
        })),
    ),
    rerun: rerunCommand(options),
  }
}

/** A client that waits in real time in a world with a manual clock. */
const describeIdlePolls = (live: LiveWorld): string[] => {
  if (readClockSetting(live.world.tables).speed > 0) return []
  const polls = findIdlePolls(live.requests.list())
  const hint = 'its clock is manual, so pass world.sleep to the client, or advance the clock'
  return polls === undefined ? [] : [`${polls} in ${worldName(live)}: ${hint}`]
}

/** A miss for each armed call that no call took, in any world. */
const unusedOutcomes = (live: LiveWorld): ScenarioOutcome[] =>
  live
    .current()
    .tables.next_calls.list('armed', '')
    .flatMap((call) => {
      const sentence = describeUnused(call, live.requests)
      if (sentence === null) return []
      const source = `armed as ${call.id}`
      const result = { ok: false, sentence, source, found: 0, candidates: [], late: [] }
      return [
        { ...result, expectation: {}, scenario: 'next', expected: 'a call takes what is armed' },
      ]
    })

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

const mergeByRule = <R extends FiredRule>(rules: readonly R[]): R[] => {
  const sums = new Map<string, R>()
  for (const it of rules) {
    const { times = 0, source = it.source } = sums.get(it.rule) ?? {}
    // Armed calls of several worlds have one name.
    const common = source === it.source ? source : 'in several worlds'
    sums.set(it.rule, { ...it, ...sums.get(it.rule), source: common, times: times + it.times })
  }
  return [...sums.values()]
}

/** Fires all pending timers in virtual time. */
export const playPending = (live: LiveWorld): EndedWorld & { timerLoop: string | undefined } => {
  let last = live.journal.newest
  const timerLoop = findTimerLoop(() => {
    last = live.current().seq
    live.advance('idle', { kind: 'library' })
  })
  return { live, late: live.journal.newestAfter(last, Number.POSITIVE_INFINITY), timerLoop }
}

/** Why the timers never come to rest, if so. */
const findTimerLoop = (fire: () => void): string | undefined => {
  try {
    fire()
    return undefined
  } catch (error) {
    if (error instanceof TimerLoopError) return error.message
    throw error
  }
}

const unfiredRules = (scenarios: readonly Scenario[], fired: readonly FiredRule[]) =>
  scenarios
    .flatMap(({ name, rules }) =>
      rules.map((rule, i) => ({
        rule: `${name}/${i}`,
        source: rule.source,
        waitsFor: describeTrigger(rule),
      })),
    )
    .filter(({ rule }) => !fired.some((it) => it.rule === rule))

/** Active in every world, named or not. */
const ALWAYS_ACTIVE = [HAPPY_PATH, MAGIC_VALUES]

/** Named scenarios with rules, none of which fired. */
const findIdleScenarios = (scenarios: readonly Scenario[], fired: readonly FiredRule[]): string[] =>
  scenarios
    .filter(({ name, rules }) => rules.length > 0 && !ALWAYS_ACTIVE.includes(name))
    .map(({ name }) => name)
    .filter((name) => !fired.some(({ rule }) => rule.startsWith(`${name}/`)))

/** Reads scenarios once for all sandboxes that get this list: a pipe cannot be read again. */
export const readScenarios = (namesOrFiles: readonly string[]): readonly Scenario[] =>
  registerScenarios(namesOrFiles, openScenarios(namesOrFiles))

/** Clients read different ones of these variables. */
const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']

const LOCAL = '127.0.0.1,localhost,::1'

/** The variable that sends the requests of a command through a proxy. */
const findProxy = (env: NodeJS.ProcessEnv): string | undefined => PROXIES.find((name) => env[name])

/** No proxy of a network reaches the sandbox on this machine. */
const bypassProxy = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  if (findProxy(env) === undefined) return env
  const { NO_PROXY = env.no_proxy, no_proxy = NO_PROXY } = env
  return { ...env, NO_PROXY: withLocal(NO_PROXY), no_proxy: withLocal(no_proxy) }
}

/** An asterisk counts only alone. */
const withLocal = (hosts = ''): string =>
  hosts.trim() === '*' ? hosts : [hosts, LOCAL].filter((it) => it.trim() !== '').join(',')
