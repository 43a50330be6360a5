import { type AssumptionId, DEFAULT_READINGS } from '../../assumptions/ids.js'
import { compareByRisk } from '../../assumptions/register/assumption.js'
import { assumptions } from '../../assumptions/register/index.js'
import type { Readings } from '../../assumptions/use.js'
import { copyWorld, type World } from '../../domain/world.js'
import { ApiError } from '../operation/api-error.js'

/**
 * For --strict: runs the handler on a copy of the world. If the response relies on guesses, throws an error
 * that names all of them; otherwise runs the handler on the world.
 */
export const rejectUnconfirmed = <T>(
  world: World,
  readings: Readings,
  handle: (world: World) => T,
): T => {
  const { evaluateRules } = world
  try {
    handle(copyWorld(world, { evaluateRules, record: () => {} }))
  } catch (error) {
    // Without a guess the world refuses it below, and journals that.
    if (readings.unconfirmed().length > 0) throw error
  }
  const guesses = readings.unconfirmed()
  if (guesses.length > 0) throw unconfirmedError(guesses)
  return handle(world)
}

/** The error for a response that relies on assumptions that nobody has chosen. */
export const unconfirmedError = (guesses: readonly AssumptionId[]): ApiError => {
  const ids = guesses.toSorted((a, b) => compareByRisk(assumptions[a], assumptions[b]))
  const [first] = ids
  const example = first === undefined ? '<id>=<reading>' : `${first}=${DEFAULT_READINGS[first]}`
  const them = ids.length === 1 ? 'it' : 'each of them'
  return new ApiError(
    '5010',
    `The contract leaves open what this response asks for: ${ids.join(', ')}. With --strict, confirm ` +
      `${them} in a file of --readings, or choose a reading with --reading ${example}. ` +
      'GET /_sandbox/assumptions/<id> returns the question and its readings.',
  )
}
