import { closestMatch } from '../lib/suggest.js'
import { quote } from '../lib/text.js'
import { assumptionIds, isAssumption, readingNames } from './ids.js'
import { findReplacement } from './retired-readings.js'
import type { Choices } from './use.js'

/** Readings as users write them: `payout.repeat=conflict`. */

export const READING_FORM = '<id>=<reading>, such as payout.repeat=conflict'

/** The message names the value, the accepted values and close matches. */
export class ReadingError extends Error {
  /** Node prints the class name, which a bundle shortens. */
  static override readonly name = 'ReadingError'
  override readonly name = 'ReadingError'
}

/** Throws a ReadingError. */
export const parseReadings = (texts: readonly string[]): Choices => {
  const choices: Record<string, string> = {}
  for (const text of texts) {
    const place = text.indexOf('=')
    if (place < 0) throw new ReadingError(`${quoted(text)} came; accepted: ${READING_FORM}`)
    const id = text.slice(0, place).trim()
    const reading = text.slice(place + 1).trim()
    assertAssumption(id)
    assertReading(id, reading)
    const other = choices[id]
    if (other !== undefined && other !== reading) {
      throw new ReadingError(`${id}: it came as ${other} and as ${reading}; accepted: one of them`)
    }
    choices[id] = reading
  }
  return choices
}

/** Names close matches, or the replacement of a retired id. */
export const assertAssumption = (id: string): void => {
  if (isAssumption(id)) return
  const replacement = findReplacement(id)
  if (replacement !== undefined) {
    throw new ReadingError(`${replacement}. GET /_sandbox/assumptions lists all assumptions`)
  }
  const near = suggestion(nearestIds(id))
  throw new ReadingError(
    `${quoted(id)} is the id of no assumption${near || ';'} GET /_sandbox/assumptions lists them all`,
  )
}

/** The message lists the readings. */
export const assertReading = (id: string, reading: string, field = id): void => {
  const names = isAssumption(id) ? readingNames(id) : []
  if (names.includes(reading)) return
  const near = closestMatch(reading, names)
  throw new ReadingError(
    `${field}: ${quoted(reading)} came; accepted: ${names.join(', ')}${suggestion(near ? [near] : [])}`,
  )
}

/** The closest match, else ids with the same first word. */
const nearestIds = (id: string): string[] => {
  const near = closestMatch(id, assumptionIds)
  if (near) return [near]
  const area = `${id.split('.', 1)[0]}.`
  return assumptionIds.filter((known) => known.startsWith(area))
}

const suggestion = (near: readonly string[]): string =>
  near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''

const quoted = (text: string): string => quote(text, 64)
