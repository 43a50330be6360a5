import { didYouMean } from '../nearest.js'
import { ReadingError, readChoices } from '../readings.js'
import type { Sandbox } from '../sandbox.js'
import type { Choices } from '../world/readings.js'
import { inQuotes } from '../world/shortened.js'
import type { World } from '../world/world.js'
import type { Inbound } from './inbound.js'
import { OwnError } from './wire-error.js'

const HEADER = 'x-sandbox-scenario'
const MOST_NAMES = 20
export const READING_HEADER = 'x-sandbox-reading'
const MOST_READINGS = 200

/** These headers are the sandbox's own: how they are refused rests on nothing that the contract leaves open. */
const invalidSteering = (message: string): OwnError => new OwnError('4000', message)

/** The scenarios that a request names for itself; undefined without the header. Refuses unknown ones. */
export const namedScenarios = (
  c: Inbound,
  sandbox: Sandbox,
  world: World,
): readonly string[] | undefined => {
  const given = c.req.header(HEADER)
  if (given === undefined) return undefined
  const names = [...new Set(given.split(',').map((name) => name.trim()))].filter(Boolean)
  if (names.length > MOST_NAMES)
    throw invalidSteering(`${HEADER}: ${names.length} names came; accepted: at most ${MOST_NAMES}`)
  for (const name of names) assertScenario(sandbox, world, HEADER, name)
  return names.length > 0 ? names : undefined
}

/** The readings that a header chooses; undefined when it is empty. Refuses unknown ones. */
export const choicesIn = (given: string): Choices | undefined => {
  const texts = given
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
  if (texts.length > MOST_READINGS) {
    throw invalidSteering(
      `${READING_HEADER}: ${texts.length} readings came; accepted: at most ${MOST_READINGS}`,
    )
  }
  if (texts.length === 0) return undefined
  try {
    return readChoices(texts)
  } catch (error) {
    throw error instanceof ReadingError
      ? invalidSteering(`${READING_HEADER}: ${error.message}`)
      : error
  }
}

/** Refuses the name of no scenario of this world; the message tells all names, and the nearest. */
export const assertScenario = (
  sandbox: Sandbox,
  world: World,
  field: string,
  name: string,
): void => {
  if (sandbox.findScenario(world, name)) return
  const known = sandbox.scenarioNames(world)
  const came = inQuotes(name, 64)
  throw invalidSteering(
    `${field}: ${came} came; accepted: ${known.join(', ')}${didYouMean(name, known)}`,
  )
}
