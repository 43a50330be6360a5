import { seconds } from '../cli/run/report.js'
import { repeatCommand } from '../cli/run/rerun-command.js'
import type { SweepOptions } from '../cli/run/sweep-flags.js'
import { conductLines } from '../history/conduct.js'
import { showExchange } from '../history/views.js'
import { groupBy } from '../lib/group-by.js'
import { toCommandLine } from '../lib/shell-quote.js'
import { plural } from '../lib/text.js'
import { type Call, type Cell, cellName } from './cells.js'
import { FAULTS, type Fault } from './faults.js'
import { type FirstRuns, isNote, type Judged, KINDS, type Kind, type Verdict } from './judge.js'
import { storyLines } from './story.js'

export interface SweepResult {
  readonly options: SweepOptions
  readonly runs: FirstRuns
  /** In the order of the matrix. */
  readonly cells: readonly Judged[]
  /** Cells that prove nothing about this command. A note has the reason. */
  readonly untried: readonly Cell[]
  readonly notes: readonly string[]
  readonly duration_ms: number
}

/** The cells whose worst finding is of one kind. The first one has the likeliest fault. */
interface FindingGroup {
  readonly kind: Kind
  readonly cells: readonly [Judged, ...Judged[]]
  /** `createPayout: lost-answer, garbled` */
  readonly where: readonly string[]
}

export const groupFindings = (cells: readonly Judged[]): FindingGroup[] =>
  (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const [first, ...more] = cells.filter(({ findings: [worst] }) => worst?.kind === kind)
    if (!first) return []
    const operations = groupBy([first, ...more], ({ cell }) => cell.call.operation)
    const where = [...operations].map(([operation, same]) => {
      const faults = new Set(same.map(({ cell }) => cell.fault.name))
      return `${operation}: ${[...faults].join(', ')}`
    })
    return [{ kind, cells: [first, ...more], where }]
  })

/** Request by request, and the line that repeats it. */
export const tellStory = ({ options }: SweepResult, judged: Judged): string[] => [
  ...storyLines(judged),
  `repeat: ${repeatCommand(['sweep'], options.run, [['only', cellName(judged.cell)]])}`,
]

/** Of cells without a finding. */
const VERDICTS: Readonly<Partial<Record<Verdict, readonly [mark: string, words: string]>>> = {
  same: ['·', 'the same end'],
  owned: ['!', 'failed and said so'],
  other: ['≈', 'another end, and said so'],
  unreached: ['-', 'not reached'],
  void: ['/', 'void: load explains the end, or equal runs differ'],
}

export const markOf = ({ verdict, findings: [worst] }: Judged): string =>
  worst ? KINDS[worst.kind].mark : (VERDICTS[verdict]?.[0] ?? '')

interface Grid {
  readonly calls: readonly Call[]
  readonly rows: readonly (readonly [Fault, readonly (Judged | undefined)[]])[]
}

/** Faults down, calls across. */
export const toGrid = ({ cells, untried }: SweepResult): Grid => {
  const all = [...cells.map(({ cell }) => cell), ...untried]
  const calls = [...new Set(all.map(({ call }) => call))]
  const find = (call: Call, fault: Fault) =>
    cells.find(({ cell }) => cell.call === call && cell.fault === fault)
  const faults = FAULTS.filter((fault) => all.some((cell) => cell.fault === fault))
  return { calls, rows: faults.map((fault) => [fault, calls.map((call) => find(call, fault))]) }
}

export const reportText = (result: SweepResult): string => {
  const { cells, notes, options, runs, duration_ms } = result
  const { worlds, command_ms } = runs.first
  const requests = worlds.reduce((sum, it) => sum + it.requests.length, 0)
  const inWorlds = worlds.length > 1 ? ` in ${worlds.length} worlds` : ''
  const took = `${plural(cells.length, 'cell')} in ${seconds(duration_ms)} s`
  const lines = [
    '',
    'sandramp sweep',
    '',
    `  command   ${toCommandLine(options.run.command)}`,
    `            ${plural(requests, 'request')}${inWorlds}, ${seconds(command_ms)} s; ${took}`,
    '',
    ...groupFindings(cells).flatMap(({ kind, cells: [first], where }) => [
      `  ${isNote(kind) ? 'note  ' : 'FAILED'}    ${KINDS[kind].does}`,
      ...wrap(where, 12),
      ...tellStory(result, first).map((line) => `            ${line}`),
      '',
    ]),
    ...gridLines(toGrid(result)),
    '',
    ...legendLines(cells),
    ...notes.map((note) => `  ${note}`),
    '',
    ...sweepConduct(cells),
    '',
    verdictLine(cells),
  ]
  return `${lines.join('\n')}\n`
}

/** Twenty calls fit 95 columns. */
const MAX_CALLS = 20
const MAX_COLUMNS = 95
const FIRST_COLUMN = 16

const gridLines = ({ calls, rows }: Grid, from = 0): string[] => {
  const row = (name: string, marks: readonly string[]) => {
    const fields = marks.map((mark) => mark.padStart(2).padEnd(4))
    return (`  ${name}`.padEnd(FIRST_COLUMN) + fields.join('')).trimEnd()
  }
  const shown = calls.slice(from, from + MAX_CALLS)
  if (shown.length === 0) return []
  return [
    ...(from > 0 ? [''] : []),
    row(
      '',
      shown.map((_, i) => String(from + i + 1)),
    ),
    ...rows.map(([{ name }, cells]) =>
      row(
        name,
        cells.slice(from, from + MAX_CALLS).map((it) => (it ? markOf(it) : '')),
      ),
    ),
    ...wrap(
      shown.map(({ name }, i) => `${from + i + 1} ${name}`),
      FIRST_COLUMN,
    ),
    ...gridLines({ calls, rows }, from + MAX_CALLS),
  ]
}

const wrap = (words: readonly string[], indent: number): string[] => {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)}   ${word}`
    if (lines.length > 0 && longer.length <= MAX_COLUMNS) lines[lines.length - 1] = longer
    else lines.push(' '.repeat(indent) + word)
  }
  return lines
}

const countVerdicts = (cells: readonly Judged[]) =>
  (Object.keys(VERDICTS) as Verdict[])
    .map((verdict) => ({
      count: cells.filter((it) => it.verdict === verdict).length,
      text: VERDICTS[verdict] as readonly [string, string],
    }))
    .filter(({ count }) => count > 0)

export const legendLines = (cells: readonly Judged[]): string[] =>
  wrap(
    [
      ...countVerdicts(cells).map(({ text }) => text.join(' ')),
      ...groupFindings(cells).map(({ kind }) => `${KINDS[kind].mark} ${kind}`),
    ],
    2,
  )

/** Each habit where a fault first shows it broken, else kept. */
export const sweepConduct = (cells: readonly Judged[]): string[] =>
  conductLines(
    cells
      // A kill leaves requests, not the client.
      .filter(({ cell }) => !cell.fault.kills)
      .flatMap(({ cell, ended }) =>
        ended.worlds.map(({ requests }) => ({
          where: cellName(cell),
          exchanges: requests.map(showExchange),
        })),
      ),
  )

export const verdictLine = (cells: readonly Judged[]): string => {
  const count = (verdict: Verdict) => cells.filter((it) => it.verdict === verdict).length
  const [bad, noted] = [count('bad'), count('noted')]
  const parts = [
    ...countVerdicts(cells).map((it) => `${it.count} ${it.text[1].replace(/:.*/, '')}`),
    ...(noted > 0 ? [`${noted} with a note`] : []),
  ].join(', ')
  const head = bad > 0 ? `FAILED: ${bad} of ${plural(cells.length, 'cell')}` : 'passed'
  return parts === '' ? head : `${head}${bad > 0 ? '; ' : ': '}${parts}`
}
