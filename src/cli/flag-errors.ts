import { SandboxError } from '../kit/sandbox-error.js'
import type { Arguments } from '../lib/arguments.js'
import { nameOfOption, renameFields } from '../runtime/option-flags.js'
import { OptionError } from '../runtime/options.js'

/** Reports an invalid option, or field of the control API, under the name that the user wrote. */
export const withFlagNames = async <T>(
  args: Arguments,
  work: () => Promise<T>,
  nameOf = nameOfOption,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OptionError || error instanceof SandboxError)) throw error
    throw renameFields(error.problems, (field) => nameOf(field, args))
  }
}
