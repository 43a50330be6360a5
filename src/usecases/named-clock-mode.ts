import { badRequest } from '../http/api-error.js'
import { describeValue } from '../lib/zod-errors.js'
import { CLOCK_MODE_HELP, type ClockSetting, parseClockMode } from '../runtime/clock-mode.js'

/** The pace that the field `mode` names; refuses what names none. */
export const parseNamedClockMode = (mode: string): ClockSetting => {
  const clockSetting = parseClockMode(mode)
  if (!clockSetting)
    throw badRequest(`mode: ${describeValue(mode)} came; accepted: ${CLOCK_MODE_HELP}`)
  return clockSetting
}
