import type { AssumptionId } from '../assumptions/ids.js'
import { type Assumption, compareByRisk } from '../assumptions/register/assumption.js'
import { assumptions } from '../assumptions/register/index.js'
import { groupBy } from '../lib/group-by.js'
import { plural } from '../lib/text.js'
import type { Calibration } from './calibrate.js'
import { evidence } from './evidence/index.js'
import type { Exchange } from './exchange.js'
import type { Observation, Outcome, Verdict } from './verdicts.js'

interface ShownRequest {
  /** Its place in its file, from 1. */
  readonly number: number
  readonly file: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status: number
}

export type CalibrationReport = ReturnType<typeof toReport>

const MAX_SHOWN = 4

export const toReport = (found: Calibration, files: readonly string[]) => {
  const show = ({ number, source, at, method, path, status }: Exchange): ShownRequest => {
    const time = new Date(at).toISOString()
    return { number, file: files[source] ?? '', at: time, method, path, status }
  }
  const times = found.exchanges.map(({ at }) => at).sort((a, b) => a - b)
  const [from = 0, to = 0] = [times[0], times.at(-1)]
  return {
    origin: found.origin,
    requests: found.exchanges.length,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    complete: found.isComplete,
    contract: found.contractVersion,
    notes: found.notes,
    verdicts: [...found.verdicts.values()].sort(byRisk).map((verdict) => ({
      id: verdict.id,
      question: assumptions[verdict.id].question,
      outcome: verdict.outcome,
      readings: verdict.left,
      shown: chooseShown(verdict).map(({ why, shown }) => ({
        why,
        requests: shown.slice(0, MAX_SHOWN).map(show),
      })),
      needs: OPEN.includes(verdict.outcome) ? evidence[verdict.id].needs : null,
    })),
    not_in_contract: found.newFacts.map(({ first, isOurs, ...fact }) => ({
      ...fact,
      first: show(first),
      known: isOurs,
    })),
    against_decisions: found.contradictions.map(({ shown, ...it }) => ({
      ...it,
      first: show(shown),
    })),
  }
}

const byRisk = (a: Verdict, b: Verdict): number => {
  const all: Readonly<Record<AssumptionId, Assumption>> = assumptions
  return compareByRisk(all[a.id], all[b.id])
}

const OPEN: readonly Outcome[] = ['narrowed', 'not seen']

/** The narrowest observation; of a contradiction, one of each side. */
const chooseShown = ({ outcome, observations }: Verdict): readonly Observation[] => {
  const [first, ...rest] = [...observations].sort((a, b) => a.readings.length - b.readings.length)
  if (!first) return []
  const other =
    outcome === 'contradictory' &&
    rest.find(({ readings }) => !readings.some((it) => first.readings.includes(it)))
  if (!other) return [first]
  const halve = (it: Observation) => ({ ...it, shown: it.shown.slice(0, MAX_SHOWN / 2) })
  return [halve(first), halve(other)]
}

const OUTCOMES: readonly Outcome[] = [
  'unexplained',
  'contradictory',
  'confirmed',
  'narrowed',
  'no difference',
  'not seen',
]

const describe = ({ number, at, method, path, status }: ShownRequest): string =>
  `#${number} ${at} ${method} ${path} ${status}`

const formatCounts = ({ verdicts }: CalibrationReport): string => {
  const groups = groupBy(verdicts, ({ outcome }) => outcome)
  return OUTCOMES.flatMap((outcome) => {
    const count = groups.get(outcome)?.length
    return count ? [`${count} ${outcome}`] : []
  }).join(', ')
}

/** Markdown. Without details, one line for each verdict. */
export const renderReport = (report: CalibrationReport, hasDetails = true): string => {
  const { origin, requests, from, to, complete, contract, notes } = report
  const groups = groupBy(report.verdicts, ({ outcome }) => outcome)
  const recording = complete ? 'a complete recording' : 'a recording that may lack requests'
  return `${[
    `# What the traffic of ${origin} shows`,
    `${plural(requests, 'request')}, ${from} to ${to}: ${recording}. Contract ${contract}. ${formatCounts(report)}.`,
    ...notes.map((note) => `${note}.`),
    ...OUTCOMES.flatMap((outcome) => {
      const lines = (groups.get(outcome) ?? []).flatMap((verdict) => [
        `- \`${verdict.id}\`${nameReadings(verdict)}: ${summarize(verdict)}`,
        ...(hasDetails ? verdict.shown : []).flatMap((finding) =>
          finding.requests.map((it) => `  - ${describe(it)}`),
        ),
      ])
      return lines.length > 0 ? [`## ${capitalize(outcome)}`, lines.join('\n')] : []
    }),
    ...section(
      'Not in the contract',
      report.not_in_contract
        .filter(({ known }) => hasDetails || !known)
        .map(({ operation, kind, path, value, count, first, known }) => {
          const place = path === '' ? '' : ` \`${path}\``
          const times = count === 1 ? 'once' : `${count} times`
          const ours = known ? '; the sandbox has such a reading' : ''
          return `- ${operation}: ${kind}${place} \`${value}\`, ${times}, first ${describe(first)}${ours}`
        }),
    ),
    ...section(
      'Against "Decided so" in FIDELITY.md',
      report.against_decisions.map(
        ({ about, decided, first }) => `- ${about} (${decided}): ${describe(first)}`,
      ),
    ),
  ].join('\n\n')}\n`
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [`## ${title}`, lines.join('\n')] : []

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type ReportedVerdict = CalibrationReport['verdicts'][number]

const nameReadings = ({ outcome, readings }: ReportedVerdict): string =>
  outcome === 'confirmed' || outcome === 'narrowed' ? ` = \`${readings.join('` or `')}\`` : ''

const summarize = ({ question, shown, needs }: ReportedVerdict): string =>
  [
    ...(shown.length === 0 ? [question] : [shown.map(({ why }) => why).join(', and: ')]),
    ...(needs ? [`It takes ${needs}.`] : []),
  ].join(shown.length === 0 ? ' ' : '. ')
