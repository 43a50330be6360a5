import type { ConfirmedReading, ConfirmedReadings } from '../assumptions/answers-file.js'
import type { AssumptionId } from '../assumptions/ids.js'
import { plural } from '../lib/text.js'
import type { CalibrationReport } from './report.js'

const AUTHOR = 'sandramp calibrate'

/** The answers that the traffic confirms. Answers of persons stay, as do earlier ones that it does not show. */
export const mergeAnswers = (
  report: CalibrationReport,
  known: ConfirmedReadings,
): ReadonlyMap<AssumptionId, ConfirmedReading> => {
  const answers = new Map(known)
  for (const { id, outcome, readings, shown } of report.verdicts) {
    const [reading] = readings
    const isByPerson = known.get(id)?.said_by.startsWith(AUTHOR) === false
    if (outcome !== 'confirmed' || reading === undefined || isByPerson) continue
    answers.set(id, {
      reading,
      said_by: `${AUTHOR}, ${plural(report.requests, 'request')} to ${new URL(report.origin).host}`,
      when: report.to.slice(0, 10),
      note: shown
        .map(
          ({ why, requests }) => `${why}: ${requests.map(({ number }) => `#${number}`).join(', ')}`,
        )
        .join('; '),
    })
  }
  return answers
}

/** Answers that the traffic contradicts or that no reading explains, in words. */
export const findDisagreements = (
  report: CalibrationReport,
  expected: ConfirmedReadings,
): string[] =>
  report.verdicts.flatMap(({ id, outcome, readings }) => {
    const answer = expected.get(id)
    if (!answer) return []
    if (outcome === 'unexplained' || outcome === 'contradictory')
      return [`${id}: ${answer.reading} in the file, ${outcome} in the traffic`]
    return readings.includes(answer.reading)
      ? []
      : [`${id}: ${answer.reading} in the file, ${readings.join(' or ')} in the traffic`]
  })

/** The first lines of a file of answers. */
export const describeTraffic = ({ contract, from, to, origin }: CalibrationReport): string =>
  `# Contract ${contract}; traffic of ${origin}, ${from.slice(0, 10)} to ${to.slice(0, 10)}\n`
