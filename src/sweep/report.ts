import { seconds, withLabel } from '../cli/run/report.js'
import { repeatCommand } from '../cli/run/rerun-command.js'
import type { SweepOptions } from '../cli/run/sweep-flags.js'
import { conductLines } from '../history/conduct.js'
import { groupBy } from '../lib/group-by.js'
import { toCommandLine } from '../lib/shell-quote.js'
import { plural } from '../lib/text.js'
import { type Call, type Cell, cellName } from './cells.js'
import { FAULTS, type Fault } from './faults.js'
import { isNote, type Judged, KIND_NAMES, KINDS, type Kind, type Verdict } from './judge.js'
import type { FirstRuns } from './run-cell.js'
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
  readonly first: Judged
  /** `createPayout: lost-answer, garbled` */
  readonly where: readonly string[]
}

export const groupFindings = (cells: readonly Judged[]): FindingGroup[] =>
  KIND_NAMES.flatMap((kind) => {
    const same = cells.filter(({ findings: [worst] }) => worst?.kind === kind)
    const [first] = same
    if (!first) return []
    const where = [...groupBy(same, ({ cell }) => cell.call.operation)].map(([operation, of]) => {
      const faults = new Set(of.map(({ cell }) => cell.fault.name))
      return `${operation}: ${[...faults].join(', ')}`
    })
    return [{ kind, first, where }]
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
  void: ['/', 'void'],
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
  const faults = FAULTS.filter((it) => all.some(({ fault }) => fault === it))
  const find = (call: Call, fault: Fault) =>
    cells.find(({ cell }) => cell.call === call && cell.fault === fault)
  return { calls, rows: faults.map((fault) => [fault, calls.map((call) => find(call, fault))]) }
}

const COLUMNS = 95

export const reportText = (result: SweepResult): string => {
  const { cells, notes, options, runs, duration_ms } = result
  const { worlds, command_ms } = runs.first
  const requests = worlds.reduce((sum, it) => sum + it.requests.length, 0)
  const inWorlds = worlds.length > 1 ? ` in ${worlds.length} worlds` : ''
  const conduct = sweepConduct(cells)
  const took = `${plural(cells.length, 'cell')} in ${seconds(duration_ms)} s`
  const lines = [
    ...['', 'sandramp sweep', ''],
    ...withLabel('command', [
      toCommandLine(options.run.command),
      `${plural(requests, 'request')}${inWorlds}, ${seconds(command_ms)} s; ${took}`,
    ]),
    '',
    ...groupFindings(cells).flatMap(({ kind, first, where }) => [
      ...withLabel(isNote(kind) ? 'note' : 'FAILED', [
        KINDS[kind].does,
        ...wrap(where),
        ...tellStory(result, first),
      ]),
      '',
    ]),
    ...gridLines(toGrid(result)),
    ...['', ...legendLines(cells), ...notes, ''].map((it) => it && `  ${it}`),
    ...withLabel('conduct', conduct),
    ...(conduct.length > 0 ? [''] : []),
    verdictLine(cells),
  ]
  return `${lines.join('\n')}\n`
}

/** Twenty calls fit the columns. */
const MAX_CALLS = 20
const FIRST_COLUMN = 16

const gridLines = ({ calls, rows }: Grid): string[] => {
  const starts = calls.flatMap((_, i) => (i % MAX_CALLS === 0 ? [i] : []))
  return starts.flatMap((from) => {
    const to = from + MAX_CALLS
    const line = (name: string, marks: readonly string[]) =>
      `  ${name}`.padEnd(FIRST_COLUMN) + marks.map((it) => it.padStart(2).padEnd(4)).join('')
    const numbers = calls.map((_, i) => String(i + 1))
    const names = calls.map(({ name }, i) => `${i + 1} ${name}`)
    return [
      ...(from > 0 ? [''] : []),
      line('', numbers.slice(from, to)).trimEnd(),
      ...rows.map(([{ name }, cells]) =>
        line(
          name,
          cells.slice(from, to).map((it) => (it ? markOf(it) : '')),
        ).trimEnd(),
      ),
      ...wrap(names.slice(from, to)).map((it) => ' '.repeat(FIRST_COLUMN) + it),
    ]
  })
}

/** As many words per line as fit behind the first column. */
const wrap = (words: readonly string[]): string[] => {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)}   ${word}`
    if (lines.length > 0 && longer.length <= COLUMNS - FIRST_COLUMN) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return lines
}

const countVerdicts = (cells: readonly Judged[]) =>
  Object.entries(VERDICTS)
    .map(([verdict, [mark, words]]) => ({
      ...{ mark, words },
      count: cells.filter((it) => it.verdict === verdict).length,
    }))
    .filter(({ count }) => count > 0)

export const legendLines = (cells: readonly Judged[]): string[] =>
  wrap([
    ...countVerdicts(cells).map(({ mark, words }) => `${mark} ${words}`),
    ...groupFindings(cells).map(({ kind }) => `${KINDS[kind].mark} ${kind}`),
  ])

/** Each habit where a fault first shows it broken, else kept. */
export const sweepConduct = (cells: readonly Judged[]): string[] => {
  // A kill leaves requests, not the client.
  const own = cells.filter(({ cell }) => !cell.fault.kills)
  return conductLines(
    own.flatMap(({ cell, ended: { worlds } }) =>
      worlds.map(({ conduct: lines }) => ({ where: cellName(cell), lines })),
    ),
  )
}

export const verdictLine = (cells: readonly Judged[]): string => {
  const count = (verdict: Verdict) => cells.filter((it) => it.verdict === verdict).length
  const [bad, noted] = [count('bad'), count('noted')]
  const head = bad > 0 ? `FAILED: ${bad} of ${plural(cells.length, 'cell')}` : 'passed'
  const parts = countVerdicts(cells).map((it) => `${it.count} ${it.words}`)
  if (noted > 0) parts.push(`${noted} with a note`)
  return parts.length === 0 ? head : `${head}${bad > 0 ? ';' : ':'} ${parts.join(', ')}`
}
