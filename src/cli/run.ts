import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { machineClock } from '../clock.js'
import { createSandbox, type Sandbox } from '../index.js'
import { exchangeLog } from '../log.js'
import type { Scenario } from '../scenarios/read.js'
import { wish } from '../scenarios/sentences.js'
import { openScenarios } from '../scenarios/shipped.js'
import { commandLine } from '../shell.js'
import { Runaway } from '../world/kernel/kernel.js'
import { UsageError } from './arguments.js'
import { codeOfSignal, type Ending, runCommand } from './child.js'
import { type FiredRule, firedRules, stoppedRule } from './fired.js'
import { junitText } from './junit.js'
import { repeatLine } from './repeat.js'
import { isPassed, type RunReport, reportText, type ScenarioOutcome } from './report.js'
import type { RunOptions } from './run-flags.js'

const PASSED = 0
const FAILED = 1
const UNUSABLE = 2

/** Runs a command against a sandbox that plays scenarios, then checks what they expect. Gives the exit code. */
export const run = async (options: RunOptions): Promise<number> => {
  const scenarios = openScenarios(options.scenarios)
  prepareFile(options.junit)
  const log = exchangeLog(options.log)
  const sandbox = await createSandbox({ ...options.sandbox, ...(log && { log }) })
  const { url } = await sandbox.listen({ port: options.port })
  const began = machineClock()
  const ending = await runCommand(options.command, environment(options, url), options.timeout?.ms)
  const duration_ms = machineClock() - began
  if (ending.kind === 'interrupted') {
    process.stderr.write(
      `sandramp: ${ending.signal} came; the command has ended, nothing was checked\n`,
    )
    return codeOfSignal(ending.signal)
  }
  if (ending.kind === 'not_started') {
    process.stderr.write(`sandramp: ${ending.why}\n`)
    return UNUSABLE
  }
  const report = await reportOf(options, scenarios, sandbox, ending, duration_ms)
  await sandbox.close()
  process.stdout.write(reportText(report))
  if (options.junit !== undefined) writeFileSync(options.junit, junitText(report))
  return isPassed(report) ? PASSED : FAILED
}

/** Makes sure that a report can be written, before anybody waits for it. */
const prepareFile = (file: string | undefined): void => {
  if (file === undefined) return
  try {
    mkdirSync(dirname(file), { recursive: true })
    // An older report must not be taken for this run's.
    writeFileSync(file, '')
    rmSync(file)
  } catch (error) {
    throw new UsageError(`--junit: ${file} cannot be written: ${(error as Error).message}`)
  }
}

const environment = ({ apiKey, sandbox }: RunOptions, url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  SANDRAMP_URL: url,
  SANDRAMP_API_KEY: apiKey,
  SANDRAMP_CLOCK_URL: `${url}/_sandbox/clock`,
  SANDRAMP_SEED: sandbox.seed,
})

const reportOf = async (
  options: RunOptions,
  scenarios: readonly Scenario[],
  sandbox: Sandbox,
  ending: Ending,
  duration_ms: number,
): Promise<RunReport> => {
  const runaway = settle(sandbox)
  const outcomes = await outcomesOf(scenarios, sandbox)
  const entries = sandbox.entries()
  const isWhole = entries[0]?.seq === 1
  const fired = firedRules(entries)
  return {
    scenarios: scenarios.map(({ name }) => name),
    command: commandLine(options.command),
    ending,
    timeout: options.timeout?.text,
    duration_ms,
    requests: sandbox.requests().length,
    fired,
    unfired: isWhole ? unfiredRules(scenarios, fired) : [],
    isWhole,
    runaway: runaway ?? stoppedRule(entries),
    outcomes,
    repeat: repeatLine(options),
  }
}

/** Plays out what is pending, in virtual time. Tells when that never ends. */
const settle = (sandbox: Sandbox): string | undefined => {
  try {
    sandbox.advance({ until: 'idle' })
    return undefined
  } catch (error) {
    if (error instanceof Runaway) return error.message
    throw error
  }
}

const outcomesOf = async (
  scenarios: readonly Scenario[],
  sandbox: Sandbox,
): Promise<ScenarioOutcome[]> => {
  const placed = scenarios.flatMap(({ name, expect }) =>
    expect.map(({ source, ...expectation }) => ({ scenario: name, source, expectation })),
  )
  if (placed.length === 0) return []
  const { results } = await sandbox.verify(placed.map(({ expectation }) => expectation))
  return results.flatMap((result, i) => {
    const of = placed[i]
    if (!of) return []
    const { scenario, source, expectation } = of
    return [{ ...result, scenario, source, wish: wish(expectation) }]
  })
}

const unfiredRules = (scenarios: readonly Scenario[], fired: readonly FiredRule[]) =>
  scenarios
    .flatMap(({ name, rules }) => rules.map(({ source }, i) => ({ rule: `${name}/${i}`, source })))
    .filter(({ rule }) => !fired.some((it) => it.rule === rule))
