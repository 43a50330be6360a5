import { basename } from 'node:path'
import { machineClock } from '../clock.js'
import type { Exchange } from '../exchanges/exchange.js'
import { createSandbox, type Sandbox } from '../index.js'
import { exchangeLog } from '../log.js'
import type { Scenario } from '../scenarios/read.js'
import { wish } from '../scenarios/sentences.js'
import { commandLine } from '../shell.js'
import { Runaway } from '../world/kernel/runaway.js'
import { type Ending, runCommand } from './child.js'
import { delaysOfRules } from './delays.js'
import { type FiredRule, firedRules, refusedRules, resetsIn, stoppedRule } from './fired.js'
import { listenAt } from './listen.js'
import { repeatLine } from './repeat.js'
import type { RunReport, ScenarioOutcome } from './report.js'
import type { RunOptions } from './run-flags.js'

/** How a command that could not be run to its end came to nothing. */
export type Spoilt = Extract<Ending, { readonly kind: 'interrupted' | 'not_started' }>

/** A command that has run against a sandbox of its own: the report, and what was looked at in the end. */
export type Played<T> =
  | { readonly report: RunReport; readonly seen: T }
  | { readonly spoilt: Spoilt }

export interface Playing<T> {
  readonly scenarios: readonly Scenario[]
  /** Variables of the command besides those that every run has. */
  readonly env?: NodeJS.ProcessEnv
  /** Hears what the command prints; without it that goes where ours goes. */
  readonly hear?: (chunk: Buffer) => void
  /** Looks at the sandbox when all is played out. */
  readonly look: (sandbox: Sandbox) => T | Promise<T>
}

/** Runs a command against a sandbox of its own, plays out what is pending, and checks what is expected. */
export const play = async <T>(options: RunOptions, playing: Playing<T>): Promise<Played<T>> => {
  const { scenarios, hear, look } = playing
  const log = exchangeLog(options.log)
  const { sleep, end } = delaysOfRules()
  let isAsked = true
  const logAsked = (exchange: Exchange) => {
    if (isAsked) log?.(exchange)
  }
  const sandbox = await createSandbox({ ...options.sandbox, sleep, ...(log && { log: logAsked }) })
  const { url } = await listenAt(sandbox, { port: options.port })
  const began = machineClock()
  const env = { ...environment(options, url), ...playing.env }
  const ending = await runCommand(options.command, env, options.timeout?.ms, hear)
  const duration_ms = machineClock() - began
  if (ending.kind === 'interrupted' || ending.kind === 'not_started') {
    await sandbox.close()
    return { spoilt: ending }
  }
  // A request outlives the client that gave up on it: what it does has to be there when it is counted.
  await end()
  // From here on it is the report that asks.
  isAsked = false
  const report = await reportOf(options, scenarios, sandbox, ending, duration_ms)
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
  const placed = <R extends { readonly rule: string; readonly source: string }>(it: R): R => ({
    ...it,
    source: pathOf(scenarios, it.rule.split('/', 1)[0], it.source),
  })
  return {
    scenarios: scenarios.map(({ name }) => name),
    command: commandLine(options.command),
    ending,
    timeout: options.timeout?.text,
    duration_ms,
    requests: sandbox.requests().length,
    worlds: await worldsByKey(sandbox),
    resets: resetsIn(entries),
    fired: fired.map(placed),
    unfired: isWhole ? unfiredRules(scenarios, fired).map(placed) : [],
    refused: refusedRules(entries).map(placed),
    isWhole,
    runaway: runaway ?? stoppedRule(entries),
    outcomes,
    repeat: repeatLine(options),
  }
}

const worldsByKey = async ({ fetch }: Sandbox): Promise<number> => {
  const answer = await fetch('/_sandbox/worlds?size=1')
  const { pagination } = (await answer.json()) as { pagination: { total_elements: number } }
  // The default one is among them.
  return pagination.total_elements - 1
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
    const path = pathOf(scenarios, scenario, source)
    return [{ ...result, scenario, source: path, wish: wish(expectation) }]
  })
}

/** Where a rule or an expectation stands, by the path that was given, where it tells the file's name alone. */
const pathOf = (
  scenarios: readonly Scenario[],
  name: string | undefined,
  source: string,
): string => {
  const { file } = scenarios.find((it) => it.name === name) ?? {}
  const own = file === undefined ? '' : basename(file)
  return own && source.startsWith(`${own}:`) ? `${file}${source.slice(own.length)}` : source
}

const unfiredRules = (scenarios: readonly Scenario[], fired: readonly FiredRule[]) =>
  scenarios
    .flatMap(({ name, rules }) => rules.map(({ source }, i) => ({ rule: `${name}/${i}`, source })))
    .filter(({ rule }) => !fired.some((it) => it.rule === rule))
