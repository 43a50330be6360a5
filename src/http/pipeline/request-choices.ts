import { parseReadings, ReadingError } from '../../assumptions/parse.js'
import { type Choices, Readings } from '../../assumptions/use.js'
import type { World } from '../../domain/world.js'
import { type ErrorDetails, inWords } from '../../lib/app-error.js'
import { splitList } from '../../lib/text.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import { unknownScenario } from '../../scenarios/language/catalogue.js'
import { SandboxError } from '../operation/api-error.js'
import type { RequestContext } from '../operation/context.js'

const HEADER = 'x-sandbox-scenario'
const MAX_NAMES = 20
export const READING_HEADER = 'x-sandbox-reading'
const MAX_READINGS = 200

/** These headers are the sandbox's own, so their errors rely on no assumption. */
const invalidHeader = (details: string | ErrorDetails): SandboxError =>
  new SandboxError('4000', details)

/** The scenarios in the request's header; undefined without the header. Refuses unknown ones. */
export const parseScenarioHeader = (
  c: RequestContext,
  sandbox: Sandbox,
  world: World,
): readonly string[] | undefined => {
  const given = c.req.header(HEADER)
  if (given === undefined) return undefined
  const names = [...new Set(splitList(given))]
  if (names.length > MAX_NAMES)
    throw invalidHeader({
      field: HEADER,
      received: inWords(`${names.length} names`),
      expected: `at most ${MAX_NAMES}`,
    })
  for (const name of names) assertScenario(sandbox, world, HEADER, name)
  return names.length > 0 ? names : undefined
}

/** The readings in the request's header; undefined if it is empty. Refuses unknown ones. */
const parseReadingHeader = (given: string): Choices | undefined => {
  const texts = splitList(given)
  if (texts.length > MAX_READINGS) {
    throw invalidHeader({
      field: READING_HEADER,
      received: inWords(`${texts.length} readings`),
      expected: `at most ${MAX_READINGS}`,
    })
  }
  if (texts.length === 0) return undefined
  try {
    return parseReadings(texts)
  } catch (error) {
    throw error instanceof ReadingError
      ? invalidHeader(`${READING_HEADER}: ${error.message}`)
      : error
  }
}

export const assertScenario = (
  sandbox: Sandbox,
  world: World,
  field: string,
  name: string,
): void => {
  const problem = unknownScenario(sandbox.catalogue, world.tables, field, name)
  if (problem) throw invalidHeader(problem)
}

/** The readings of a request, and the choices in its header. */
interface RequestReadings {
  readonly readings: Readings
  readonly choices?: Choices | undefined
  /** The error of an invalid header. The request has no choices then, and fails after authentication. */
  readonly headerError?: unknown
}

/** The readings of a request whose world is unknown yet: its own choices, then those of the default world. */
export const parseRequestReadings = (
  sandbox: Sandbox,
  header: string | undefined,
): RequestReadings => {
  const { main, confirmedChoices } = sandbox
  const build = (choices?: Choices) =>
    new Readings(main.world.tables.readings, choices, confirmedChoices)
  if (header === undefined) return { readings: build() }
  try {
    const choices = parseReadingHeader(header)
    return { readings: build(choices), choices }
  } catch (headerError) {
    return { readings: build(), headerError }
  }
}
