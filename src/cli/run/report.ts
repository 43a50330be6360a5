import type { FiredRule } from '../../journal/rule-activity.js'
import { plural } from '../../lib/text.js'
import type { Misplaced } from '../../runtime/sandbox.js'
import type { Outcome } from '../../scenarios/verify/verify.js'
import type { ExitReason } from './child-process.js'
import type { RefusedRule } from './refused-rules.js'

/** An expectation's outcome, and whose expectation it is. */
export interface ScenarioOutcome extends Outcome {
  readonly scenario: string
  /** What was expected, in words that stay the same from run to run. */
  readonly wish: string
}

/** All that a run came to. */
export interface RunReport {
  readonly scenarios: readonly string[]
  /** As a shell reads it. */
  readonly command: string
  readonly ending: ExitReason
  readonly timeout: string | undefined
  readonly duration_ms: number
  /** How many the sandbox got since it began, or was reset. */
  readonly requests: number
  /** How many worlds by key there are. */
  readonly worlds: number
  /** How many of them were deleted or evicted: nothing of these is counted or checked. */
  readonly lost: number
  /** Requests for paths outside the service. */
  readonly misplaced: Misplaced | undefined
  /** How often the world was reset: requests and records are those that came after the last time. */
  readonly resets: number
  readonly fired: readonly FiredRule[]
  /** Rules of the run's own scenarios that never fired. */
  readonly unfired: readonly { readonly rule: string; readonly source: string }[]
  /** Rules that fired, and of which steps were refused when their turn came. */
  readonly refused: readonly RefusedRule[]
  /** Whether the journal still held all that happened. */
  readonly isWhole: boolean
  /** Whether a run may pass in which nothing called the service, or a scenario took no part. */
  readonly mayIdle: boolean
  /** The named scenarios of which no rule fired. */
  readonly asleep: readonly string[]
  /** Why the timers did not come to rest. */
  readonly runaway: string | undefined
  readonly outcomes: readonly ScenarioOutcome[]
  readonly repeat: string
}

/** Whether the command did what it was to do; expectations may be missed all the same. */
export const isDone = ({ ending }: RunReport): boolean =>
  ending.kind === 'exited' && ending.code === 0

/** Why a run proves nothing although its command passed: nothing called the service, or a scenario took no part. */
export const idleReasons = (report: RunReport): string[] => {
  if (report.mayIdle || !isDone(report)) return []
  if (isUncalled(report)) return [report.lost === 0 ? UNCALLED : DELETED]
  return report.asleep.map((name) => `no rule of ${name} fired`)
}

const UNCALLED = 'nothing called the service'
const DELETED = 'every world that the command called is deleted, so nothing was checked'

/** No request is known. A world that was reset or deleted has forgotten its requests. */
const isUncalled = ({ requests, resets }: RunReport): boolean => requests + resets === 0

/** Whether all but the expectations is as it has to be. */
export const isSound = (report: RunReport): boolean =>
  isDone(report) && !report.runaway && idleReasons(report).length === 0

export const isPassed = (report: RunReport): boolean =>
  isSound(report) && report.outcomes.every(({ ok }) => ok)

/** The report for the terminal; `questions` tells of the report of open questions. */
export const reportText = (report: RunReport, questions?: string): string => {
  const { outcomes, runaway } = report
  const lines = [
    '',
    `sandramp run ${report.scenarios.join(' ')}`,
    '',
    `  command   ${report.command}`,
    `${INDENT}${endingWords(report)}, ${seconds(report.duration_ms)} s, requests: ${report.requests}`,
    ...worldLines(report),
    '',
    ...ruleLines(report),
    ...(runaway ? [`  FAILED    ${runaway}`, ''] : []),
    ...outcomes.flatMap(outcomeLines),
    ...(outcomes.length > 0 ? [''] : []),
    ...(questions === undefined ? [] : [`  questions ${questions}`, '']),
    isPassed(report) ? 'passed' : `FAILED: ${failures(report).join('; ')}`,
    ...(isPassed(report) ? [] : ['repeat it exactly:', `  ${report.repeat}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** Notes on what was called and what is not counted. */
export const worldLines = (report: RunReport): string[] => [
  ...(isUncalled(report) && report.lost === 0 ? [`${INDENT}${explainUncalled(report)}`] : []),
  ...noteIf(report.worlds, (worlds) => `worlds by key: ${worlds}`),
  ...noteIf(
    report.lost,
    (lost) => `worlds deleted or evicted: ${lost}, of which nothing is counted or checked`,
  ),
  ...noteIf(
    report.resets,
    (resets) => `resets: ${resets}; counted and checked is what came after the last`,
  ),
]

const explainUncalled = ({ misplaced }: RunReport): string => {
  if (!misplaced) return `${UNCALLED}: does the command know of SANDRAMP_URL?`
  const { count, last } = misplaced
  const came = `${plural(count, 'request')} came`
  const hint = last.startsWith('//')
    ? 'does the base URL end in a slash?'
    : 'its paths begin with /payment/ or /onboarding/'
  return `${UNCALLED}: ${came} for paths that are not the service's, such as ${last}: ${hint}`
}

/** The reason why a run is idle, with the likely mistake where one is known. */
export const explainIdle = (report: RunReport, reason: string): string =>
  reason === UNCALLED && report.misplaced ? explainUncalled(report) : reason

const noteIf = (count: number, words: (count: number) => string): string[] =>
  count === 0 ? [] : [`${INDENT}${words(count)}`]

const ruleLines = ({ fired, unfired, refused, isWhole }: RunReport): string[] => {
  const lines = [
    ...labelled(
      'fired',
      fired.map(({ times, rule, source }) => `${times} × ${rule}  ${source}`),
    ),
    ...labelled(
      'never',
      unfired.map(({ rule, source }) => `${rule}  ${source}`),
    ),
    ...labelled(
      'refused',
      refused.flatMap(({ times, rule, source, why }) => [
        `${times} × a step of ${rule}  ${source}`,
        `  ${why}`,
      ]),
    ),
    ...(isWhole ? [] : [`${INDENT}the journal has let go of its oldest entries: there was more`]),
  ]
  return lines.length > 0 ? [...lines, ''] : []
}

export const INDENT = ' '.repeat(12)

const labelled = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, i) => `${i === 0 ? `  ${label}`.padEnd(INDENT.length) : INDENT}${line}`)

export const endingWords = ({ ending, timeout }: RunReport): string => {
  switch (ending.kind) {
    case 'exited':
      return `exit code ${ending.code}`
    case 'killed':
      return `killed by ${ending.signal}`
    case 'timed_out':
      return `ended after ${timeout}, its --timeout`
    case 'interrupted':
      return `ended by ${ending.signal}`
    case 'not_started':
      return ending.why
  }
}

export const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** Every way in which a run has failed. */
export const failures = (report: RunReport): string[] => {
  const { runaway, outcomes } = report
  const missed = outcomes.filter(({ ok }) => !ok).length
  return [
    ...(isDone(report) ? [] : [`the command: ${endingWords(report)}`]),
    ...(runaway ? ['timers did not come to rest'] : []),
    ...idleReasons(report),
    ...(missed > 0 ? [`${missed} of ${outcomes.length} expectations missed`] : []),
  ]
}

const outcomeLines = (outcome: ScenarioOutcome): string[] => {
  const { ok, sentence, source } = outcome
  const head = `  ${ok ? 'ok    ' : 'MISSED'}    ${sentence}${source ? `  ${source}` : ''}`
  return [head, ...missLines(outcome).map((line) => `${INDENT}${line}`)]
}

/** What came near, each with how it differs. */
export const missLines = ({ candidates: nearMisses, violations = [] }: Outcome): string[] => [
  ...violations,
  ...nearMisses.flatMap(({ what, differs }) => [
    what,
    ...differs.map(
      ({ field, wanted, came }) => `  ${field}: wanted ${shown(wanted)}, came ${shown(came)}`,
    ),
  ]),
]

const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w .:\u2026-]+$/.test(value) ? value : JSON.stringify(value)
