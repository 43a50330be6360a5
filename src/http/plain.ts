import type { Sandbox } from '../sandbox.js'
import type { ReadingOf } from '../world/reading-names.js'
import { Asked } from './asked.js'

/** How a plain HTTP request is turned away where HTTPS is spoken, and what that rests on. */
export interface TurnedAway {
  readonly how: ReadingOf<'http.plain'>
  readonly code: string
  readonly assumed: string
}

/** Tells how to turn one away, by the readings that its header chooses. */
export type TurnAway = (header: string | undefined) => TurnedAway

/** No key has been looked at: it is the default world that says how. */
export const turnAwayBy =
  (sandbox: Sandbox): TurnAway =>
  (header) => {
    const readings = new Asked(sandbox.main.world.tables.readings, header, sandbox.settledChoices)
    const how = readings.of('http.plain')
    const isStatus = how === 'forbidden' && readings.of('error.codes') === 'status'
    const relied = readings.relied()
    sandbox.countReliance(relied)
    return { how, code: isStatus ? '403' : '4032', assumed: relied.told }
  }
