import { describe } from '../explain.js'
import { PACE_FORMS, type Pace, readPace } from '../pace.js'
import { invalid } from './wire-error.js'

/** The pace that the field `mode` names; refuses what names none. */
export const paceNamed = (mode: string): Pace => {
  const pace = readPace(mode)
  if (!pace) throw invalid(`mode: ${describe(mode)} came; accepted: ${PACE_FORMS}`)
  return pace
}
