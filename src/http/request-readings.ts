import { type Choices, Readings } from '../assumptions/use.js'
import type { Choice } from '../domain/schema.js'
import type { World } from '../domain/world.js'
import type { Table } from '../kernel/table.js'
import type { Sandbox } from '../runtime/sandbox.js'
import type { RequestContext } from './context.js'
import { parseReadingHeader, READING_HEADER } from './sandbox-headers.js'

/** The readings that a request goes by: its own choices, else those of its world. */
export class RequestReadings extends Readings {
  constructor(
    world: Table<Choice, 'all'>,
    /** The header by which it chooses for itself. */
    readonly header: string | undefined,
    settled: Choices | undefined,
  ) {
    super(world, header === undefined ? undefined : readable(header), settled)
  }
}

/** A header that cannot be read chooses nothing yet; it is refused behind the door. */
const readable = (header: string): Choices | undefined => {
  try {
    return parseReadingHeader(header)
  } catch {
    return undefined
  }
}

/**
 * What a request will go by, for those who have to know before the door has let it in: the world that its
 * key opens says so, if it opens one.
 */
export const parseReadingsAhead = (sandbox: Sandbox, c: RequestContext): RequestReadings => {
  const readings = readingsBeforeAuth(sandbox, c)
  const world = findWorldAhead(sandbox, c.req.header('x-api-key'))
  if (world) readings.setWorld(world.tables.readings)
  return readings
}

/** Why a key opens nothing is told at the door, which tries again. */
const findWorldAhead = (sandbox: Sandbox, key: string | undefined): World | undefined => {
  try {
    return key === undefined ? undefined : sandbox.findKey(key)?.world
  } catch {
    return undefined
  }
}

/** What a request goes by before it is let in: its own choices, else those of the default world. */
export const readingsBeforeAuth = (sandbox: Sandbox, c: RequestContext): RequestReadings =>
  new RequestReadings(
    sandbox.main.world.tables.readings,
    c.req.header(READING_HEADER),
    sandbox.confirmedChoices,
  )
