import { OptionError } from '../runtime/options.js'
import type { Arguments } from './arguments.js'

/** Flags that are named otherwise than the option which they give. */
const FLAGS: Readonly<Record<string, string>> = {
  apiKey: 'api-key',
  scenarios: 'scenario',
  readings: 'reading',
  readingsFile: 'readings',
  controlToken: 'control-token',
}

/** Does something with what was given; an option that cannot be used is told by the flag or variable that gave it. */
export const withFlagNames = async <T>(
  { nameOf }: Arguments,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OptionError) || error.option === undefined) throw error
    throw new OptionError(error.problem, nameOf(FLAGS[error.option] ?? error.option))
  }
}
