import type { Context } from 'hono'
import type { Sandbox } from '../sandbox.js'
import { type Choices, Readings } from '../world/readings.js'
import { chosenReadings } from './steer.js'

/**
 * What a request goes by before it is let in: its own choices, else those of the default world. A header
 * that cannot be read chooses nothing here; it is refused behind the door.
 */
export const readingsAtDoor = (sandbox: Sandbox, c: Context): Readings =>
  new Readings(sandbox.world.tables.readings, ownChoices(c), sandbox.settledChoices)

const ownChoices = (c: Context): Choices | undefined => {
  try {
    return chosenReadings(c)
  } catch {
    return undefined
  }
}
