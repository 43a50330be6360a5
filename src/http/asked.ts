import type { Context } from 'hono'
import type { Sandbox } from '../sandbox.js'
import type { Table } from '../world/kernel/table.js'
import type { Choice, Choices } from '../world/readings.js'
import { Readings } from '../world/readings.js'
import { choicesIn, READING_HEADER } from './steer.js'

/** What a request goes by. */
export class Asked extends Readings {
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
    return choicesIn(header)
  } catch {
    return undefined
  }
}

/** What a request goes by before it is let in: its own choices, else those of the default world. */
export const askedAtDoor = (sandbox: Sandbox, c: Context): Asked =>
  new Asked(
    sandbox.main.world.tables.readings,
    c.req.header(READING_HEADER),
    sandbox.settledChoices,
  )
