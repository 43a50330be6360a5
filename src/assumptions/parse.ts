import { errorClass, inWords } from '../lib/app-error.js'
import { closestMatch, formatSuggestion } from '../lib/suggest.js'
import { MAX_QUOTED, quote } from '../lib/text.js'
import { describeDecision } from './decided.js'
import { assumptionIds, isAssumption, readingNames } from './ids.js'
import type { Choices } from './use.js'

/** Readings as users write them: `payout.repeat=conflict`. */

export const READING_FORM = '<id>=<reading>, such as payout.repeat=conflict'

/** The message names the value, the accepted values and close matches. */
export const ReadingError = errorClass('ReadingError', 'reading')
export type ReadingError = InstanceType<typeof ReadingError>

/** Throws a ReadingError. */
export const parseReadings = (texts: readonly string[]): Choices => {
  const choices: Record<string, string> = {}
  for (const text of texts) {
    const place = text.indexOf('=')
    if (place < 0) throw invalidReading('reading', text, READING_FORM)
    const id = text.slice(0, place).trim()
    const reading = text.slice(place + 1).trim()
    assertAssumption(id)
    assertReading(id, reading)
    const other = choices[id]
    if (other !== undefined && other !== reading) {
      throw invalidReading(id, inWords(`${other} and ${reading}`), 'one of them')
    }
    choices[id] = reading
  }
  return choices
}

export const assertAssumption = (id: string): void => {
  if (isAssumption(id)) return
  const decision = describeDecision(id)
  if (decision) throw new ReadingError(decision)
  throw new ReadingError({
    problem: `Unknown assumption ${quote(id, MAX_QUOTED)}`,
    hint: [formatSuggestion(nearestIds(id)), LIST_HINT].filter(Boolean).join(' '),
  })
}

/** The message lists the readings. */
export const assertReading = (id: string, reading: string, field = id): void => {
  const names = isAssumption(id) ? readingNames(id) : []
  if (names.includes(reading)) return
  const decision = describeDecision(`${id}=${reading}`)
  if (decision) throw new ReadingError(decision)
  const near = closestMatch(reading, names)
  throw invalidReading(field, reading, names.join(', '), formatSuggestion(near ? [near] : []))
}

/** The closest match, else ids with the same first word. */
const nearestIds = (id: string): string[] => {
  const near = closestMatch(id, assumptionIds)
  if (near) return [near]
  const area = `${id.split('.', 1)[0]}.`
  return assumptionIds.filter((known) => known.startsWith(area))
}

const LIST_HINT = 'GET /_sandbox/assumptions lists all assumptions'

const invalidReading = (field: string, received: unknown, expected: string, hint?: string) =>
  new ReadingError({ field, received, expected, hint })
