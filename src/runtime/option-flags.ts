import type * as z from 'zod'
import type { Problem } from '../lib/app-error.js'
import {
  type Arguments,
  type Environment,
  type Flag,
  invalidFlag,
  parseArguments,
} from '../lib/arguments.js'
import {
  OptionError,
  optionFlags,
  type SandboxOptions,
  sandboxOptions,
  sortReadings,
} from './options.js'

type Options = Readonly<Record<string, z.ZodType>>

export const flagsFor = ({ shape }: { readonly shape: Options }): Record<string, Flag> =>
  Object.fromEntries(
    Object.values(shape).flatMap((option) => {
      const { flag, ...rest } = optionFlags.get(option) ?? {}
      return flag === undefined ? [] : [[flag, rest as Flag]]
    }),
  )

export const readOptions = <S extends z.ZodObject>(
  args: Arguments,
  schema: S,
): Partial<z.output<S>> => {
  const options: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(schema.shape as Options)) {
    const { flag = '', repeatable } = optionFlags.get(option) ?? {}
    const values = args.flags.get(flag)
    if (values === undefined) continue
    const wrong = values.find((value) => !parseValue(option, repeatable ? [value] : value).success)
    if (wrong !== undefined) throw invalidFlag(args, flag, wrong, expectedBy(option, wrong))
    options[name] = parseValue(option, repeatable ? values : values[0]).data
  }
  return sortReadings(options) as Partial<z.output<S>>
}

/** Numbers arrive as text. */
const parseValue = (option: z.ZodType, value: unknown) => {
  const result = option.safeParse(value)
  const isNumber = typeof value === 'string' && /^\d{1,9}$/.test(value)
  return result.success || !isNumber ? result : option.safeParse(Number(value))
}

const expectedBy = (option: z.ZodType, value: unknown): string =>
  parseValue(option, value).error?.issues[0]?.message ?? ''

/** Reports a field under the name that the user wrote. */
export const renameFields = (
  problems: readonly Problem[],
  nameOf: (field: string) => string,
): OptionError =>
  new OptionError(
    problems.map((it) => {
      const { field, message } = it
      if (field === undefined) return it
      const name = nameOf(field)
      return { ...it, field: name, message: message.replace(field, name) }
    }),
  )

export const nameOfOption = (name: string, { sourceOf }: Arguments): string => {
  const option = (sandboxOptions.shape as Options)[name]
  return sourceOf((option && optionFlags.get(option)?.flag) ?? name)
}

/** Opens with the options, and those of variables such as SANDRAMP_SCENARIOS. An error names the variable. */
export const withVariables = async <T>(
  options: SandboxOptions,
  env: Environment,
  open: (all: SandboxOptions) => Promise<T>,
): Promise<T> => {
  const args = parseArguments([], flagsFor(sandboxOptions), env)
  const variables = readOptions(args, sandboxOptions) as SandboxOptions
  try {
    return await open({ ...variables, ...sortReadings(options) })
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    throw renameFields(error.problems, (name) =>
      name in options ? name : nameOfOption(name, args),
    )
  }
}
