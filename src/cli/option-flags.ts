import type * as z from 'zod'
import { OptionError, optionFlags, sandboxOptions } from '../runtime/options.js'
import { type Arguments, type Flag, invalidFlag } from './arguments.js'

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
  return options as Partial<z.output<S>>
}

/** Numbers arrive as text. */
const parseValue = (option: z.ZodType, value: unknown) => {
  const result = option.safeParse(value)
  const isNumber = typeof value === 'string' && /^\d{1,9}$/.test(value)
  return result.success || !isNumber ? result : option.safeParse(Number(value))
}

const expectedBy = (option: z.ZodType, value: unknown): string =>
  parseValue(option, value).error?.issues[0]?.message ?? ''

/** Reports an invalid option under the name of the flag or variable that it came from. */
export const withFlagNames = async <T>(
  { sourceOf }: Arguments,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OptionError) || error.option === undefined) throw error
    const option = (sandboxOptions.shape as Options)[error.option]
    const { flag = error.option } = (option && optionFlags.get(option)) ?? {}
    throw new OptionError(error.problem, sourceOf(flag))
  }
}
