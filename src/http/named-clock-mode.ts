import { CLOCK_MODE_HELP, type ClockSetting, parseClockMode } from '../clock-mode.js'
import { describeValue } from '../zod-errors.js'
import { badRequest } from './api-error.js'

/** The pace that the field `mode` names; refuses what names none. */
export const parseNamedClockMode = (mode: string): ClockSetting => {
  const clockSetting = parseClockMode(mode)
  if (!clockSetting)
    throw badRequest(`mode: ${describeValue(mode)} came; accepted: ${CLOCK_MODE_HELP}`)
  return clockSetting
}
