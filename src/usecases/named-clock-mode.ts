import { invalidValue } from '../lib/app-error.js'
import { CLOCK_MODE_HELP, type ClockSetting, parseClockMode } from '../runtime/clock-mode.js'

/** The pace that the field `mode` names; refuses what names none. */
export const parseNamedClockMode = (mode: string): ClockSetting => {
  const clockSetting = parseClockMode(mode)
  if (!clockSetting) throw invalidValue('mode', mode, CLOCK_MODE_HELP)
  return clockSetting
}
