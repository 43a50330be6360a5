import { type Choices, Readings } from '../../assumptions/use.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { RequestContext } from '../operation/context.js'
import { parseReadingHeader, READING_HEADER } from './sandbox-headers.js'

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

/** The readings that routing depends on. Opens no world. */
export const peekReadings = (sandbox: Sandbox, c: RequestContext): Readings => {
  const { readings } = parseRequestReadings(sandbox, c.req.header(READING_HEADER))
  const key = c.req.header('x-api-key')
  const name = key === undefined ? undefined : sandbox.worlds.nameByKey(key)
  const handle = name && sandbox.worlds.find(name.id)
  if (handle) readings.setWorld(handle.live.world.tables.readings)
  return readings
}
