import type { Outcome } from '../../../generated/api-types.js'
import type { FiredRule } from '../../history/rule-activity.js'
import { plural } from '../../lib/text.js'
import type { Misplaced } from '../../runtime/sandbox.js'
import { describeMiss } from '../../scenarios/verify/describe-miss.js'
import { FAILED, MISSED, PASSED } from '../exit.js'
import type { ExitReason } from './child-process.js'
import type { RefusedRule } from './evidence.js'

export interface LateOutcome extends Outcome {
  /** Steps that came too late for the client, in lines. */
  readonly late: readonly string[]
}

export interface ScenarioOutcome extends LateOutcome {
  readonly scenario: string
  /** `file:line` */
  readonly source: string
  /** The same text in every run. */
  readonly expected: string
}

interface UnfiredRule {
  readonly rule: string
  readonly source: string
  /** The events or requests that it matches. */
  readonly waitsFor: string
}

export interface RunReport {
  readonly scenarios: readonly string[]
  readonly seed: string
  /** Readings chosen by flags, the suite or the file of answers, as `<id>=<reading>`. */
  readonly readings: readonly string[]
  /** Quoted for a shell. */
  readonly command: string
  readonly exitReason: ExitReason
  readonly timeout: string | undefined
  readonly duration_ms: number
  /** Since the last reset. */
  readonly requests: number
  readonly worlds: number
  /** Number of deleted or evicted worlds, which are not counted or checked. */
  readonly lost: number
  /** The variable that names a proxy for the command. */
  readonly proxy: string | undefined
  readonly misplaced: Misplaced | undefined
  /** Requests and records before the last reset are not counted. */
  readonly resets: number
  /** Repeats of cut requests that the client's HTTP library may have sent. */
  readonly repeats: readonly string[]
  /** Waits in real time for a clock that is paused. */
  readonly polls: readonly string[]
  /** Payouts that pay a bill again. */
  readonly payments: readonly string[]
  readonly fired: readonly FiredRule[]
  readonly unfired: readonly UnfiredRule[]
  readonly refused: readonly RefusedRule[]
  /** False if the journal evicted entries. */
  readonly isComplete: boolean
  readonly allowIdle: boolean
  readonly idleScenarios: readonly string[]
  readonly timerLoop: string | undefined
  readonly outcomes: readonly ScenarioOutcome[]
  /** The habits of the client, in lines. */
  readonly conduct: readonly string[]
  readonly rerun: string
}

export const hasExitedWell = (reason: ExitReason): boolean =>
  reason.kind === 'exited' && reason.code === 0

export const hasCommandPassed = ({ exitReason }: RunReport): boolean => hasExitedWell(exitReason)

/** Why a passing run proves nothing. */
export const idleReasons = (report: RunReport): string[] => {
  if (report.allowIdle || !hasCommandPassed(report)) return []
  if (isUncalled(report)) return [report.lost === 0 ? UNCALLED : DELETED]
  return report.idleScenarios.map((name) => `no rule of ${name} fired`)
}

const UNCALLED = 'nothing called the service'
const DELETED = 'every world that the command called is deleted, so nothing was checked'

/** A reset clears the request log, so a reset counts as a request. */
const isUncalled = ({ requests, resets }: RunReport): boolean => requests + resets === 0

/** True if everything but the expectations passed. */
const isSound = (report: RunReport): boolean =>
  hasCommandPassed(report) && !report.timerLoop && idleReasons(report).length === 0

export const isPassed = (report: RunReport): boolean =>
  isSound(report) && report.outcomes.every(({ ok }) => ok)

export const toExitCode = (reports: readonly RunReport[]): number => {
  if (!reports.every(isSound)) return FAILED
  return reports.every(isPassed) ? PASSED : MISSED
}

export const runName = ({ scenarios }: RunReport): string =>
  ['sandramp run', ...scenarios].join(' ')

/** The report for the terminal. `questions` is a line about --report. */
export const reportText = (report: RunReport, questions?: string): string => {
  const { outcomes, timerLoop } = report
  const lines = [
    '',
    runName(report),
    '',
    `  command   ${report.command}`,
    `${INDENT}${describeExit(report)}, ${seconds(report.duration_ms)} s, requests: ${report.requests}`,
    ...worldLines(report),
    '',
    ...ruleLines(report),
    ...(timerLoop ? [`  FAILED    ${timerLoop}`, ''] : []),
    ...outcomes.flatMap(outcomeLines),
    ...(outcomes.length > 0 ? [''] : []),
    ...withLabel('conduct', report.conduct),
    ...(report.conduct.length > 0 ? [''] : []),
    ...(questions === undefined ? [] : [`  questions ${questions}`, '']),
    isPassed(report) ? 'passed' : `FAILED: ${failures(report).join('; ')}`,
    ...(isPassed(report) ? [] : ['repeat it exactly:', `  ${report.rerun}`]),
  ]
  return `${lines.join('\n')}\n`
}

const MAX_LINES = 3

export const worldLines = (report: RunReport): string[] => [
  ...(isUncalled(report) && report.lost === 0 ? [`${INDENT}${explainUncalled(report)}`] : []),
  ...noteUnlessZero(report.worlds, (worlds) => `worlds by key: ${worlds}`),
  ...noteUnlessZero(
    report.lost,
    (lost) => `worlds deleted or evicted: ${lost}, of which nothing is counted or checked`,
  ),
  ...noteUnlessZero(
    report.resets,
    (resets) => `resets: ${resets}; only activity after the last one is checked`,
  ),
  ...firstLines(report.repeats, 'repeat'),
  ...firstLines(report.polls, 'world'),
  ...firstLines(report.payments, 'payout'),
]

const firstLines = (lines: readonly string[], noun: string): string[] => [
  ...lines.slice(0, MAX_LINES).map((line) => `${INDENT}${line}`),
  ...noteUnlessZero(
    lines.slice(MAX_LINES).length,
    (more) => `and ${plural(more, `more such ${noun}`)}`,
  ),
]

export const explainUncalled = ({
  misplaced,
  proxy,
}: Pick<RunReport, 'misplaced' | 'proxy'>): string => {
  if (!misplaced) {
    const hint = proxy ? ` ${proxy} is set: does the client ignore NO_PROXY?` : ''
    return `${UNCALLED}: does the command know of SANDRAMP_URL?${hint}`
  }
  const { count, last } = misplaced
  const received = plural(count, 'request')
  const hint = last.startsWith('//')
    ? 'does the base URL end in a slash?'
    : 'its paths begin with /payment/ or /onboarding/'
  return `${UNCALLED}: ${received} outside the service's paths, such as ${last}: ${hint}`
}

/** The reason, with the likely mistake if it is known. */
export const explainIdle = (report: RunReport, reason: string): string =>
  reason === UNCALLED ? explainUncalled(report) : reason

const noteUnlessZero = (count: number, words: (count: number) => string): string[] =>
  count === 0 ? [] : [`${INDENT}${words(count)}`]

const ruleLines = ({ fired, unfired, refused, isComplete }: RunReport): string[] => {
  const lines = [
    ...withLabel(
      'fired',
      fired.map(({ times, rule, source }) => `${times} × ${rule}  ${source}`),
    ),
    ...withLabel(
      'never',
      unfired.flatMap(({ rule, source, waitsFor }) => [
        `${rule}  ${source}`,
        `  waits for ${waitsFor}`,
      ]),
    ),
    ...withLabel(
      'refused',
      refused.flatMap(({ times, rule, source, why }) => [
        `${times} × a step of ${rule}  ${source}`,
        `  ${why}`,
      ]),
    ),
    ...(isComplete
      ? []
      : [`${INDENT}the journal has let go of its oldest entries: there was more`]),
  ]
  return lines.length > 0 ? [...lines, ''] : []
}

export const INDENT = ' '.repeat(12)

export const withLabel = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, i) => `${i === 0 ? `  ${label}`.padEnd(INDENT.length) : INDENT}${line}`)

export const describeExit = ({ exitReason, timeout }: RunReport): string => {
  switch (exitReason.kind) {
    case 'exited':
      return `exit code ${exitReason.code}`
    case 'killed':
      return `killed by ${exitReason.signal}`
    case 'timed_out':
      return `ended after ${timeout}, its --timeout`
  }
}

export const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

export const failures = (report: RunReport): string[] => {
  const { timerLoop, outcomes } = report
  const missed = outcomes.filter(({ ok }) => !ok).length
  return [
    ...(hasCommandPassed(report) ? [] : [`the command: ${describeExit(report)}`]),
    ...(timerLoop ? ['timers did not come to rest'] : []),
    ...idleReasons(report),
    ...(missed > 0 ? [`${missed} of ${outcomes.length} expectations missed`] : []),
  ]
}

const outcomeLines = (outcome: ScenarioOutcome): string[] => {
  const { ok, sentence, source } = outcome
  const head = `  ${ok ? 'ok    ' : 'MISSED'}    ${sentence}  ${source}`
  return [head, ...nearMissLines(outcome).map((line) => `${INDENT}${line}`)]
}

export const nearMissLines = (outcome: LateOutcome): string[] => [
  ...describeMiss(outcome),
  ...outcome.late,
]
