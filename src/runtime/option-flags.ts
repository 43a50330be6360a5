import * as z from 'zod'
import type { Problem } from '../lib/app-error.js'
import {
  type Arguments,
  type Environment,
  type Flag,
  invalidFlag,
  parseArguments,
  UsageError,
} from '../lib/arguments.js'
import {
  OptionError,
  optionFlags,
  type SandboxOptions,
  sandboxOptions,
  sortReadings,
} from './options.js'

type Options = Readonly<Record<string, z.ZodType>>
type Schema = { readonly shape: Options }

interface NamedFlag extends Flag {
  readonly flag: string
}

/** Finds the flag of a field; undefined for a field without one. */
type FlagOf = (name: string, option: z.ZodType) => NamedFlag | undefined

const registered: FlagOf = (_, option) => optionFlags.get(option)

const MAX_WORDS = 60

/** The flag of a field of an operation: its name, its form and its description. */
export const fieldFlag: FlagOf = (name, option) => {
  const root = z.toJSONSchema(option, { io: 'input', unrepresentable: 'any' })
  const [inner = root] = Object.values(root.$defs ?? {})
  const { type, const: only, enum: words = [only ?? ''], ...rest } = { ...inner, ...root }
  const { default: usual, description: help } = rest
  const forms = words.join('|')
  const form = forms !== '' && forms.length <= MAX_WORDS ? forms : `<${name}>`
  return {
    flag: name.replaceAll('_', '-'),
    help: `${lowerFirst(help ?? describeForm(option))}${usual === undefined ? '' : ` (${usual})`}`,
    ...(type !== 'boolean' && { value: type === 'integer' ? '<number>' : form }),
    ...(type === 'array' && { repeatable: true }),
  }
}

/** The form of a field that has no description, unless it is that of zod. */
const describeForm = (option: z.ZodType): string => {
  const message = option.safeParse(undefined).error?.issues[0]?.message ?? ''
  return message.startsWith('Invalid') ? '' : message
}

/** The beginning of a sentence as that of a help text, without quotes. */
export const lowerFirst = (text: string): string =>
  text.replaceAll('`', '').replace(/^[A-Z](?=[a-z])/, (it) => it.toLowerCase())

export const flagsFor = ({ shape }: Schema, flagOf = registered): Record<string, Flag> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, option]) => {
      const { flag, ...rest } = flagOf(name, option) ?? {}
      return flag === undefined ? [] : [[flag, rest as Flag]]
    }),
  )

export const readOptions = <S extends z.ZodObject>(
  args: Arguments,
  schema: S,
): Partial<z.output<S>> => {
  const read = readFlags(args, schema, registered).map(([name, { data }]) => [name, data])
  return sortReadings(Object.fromEntries(read)) as Partial<z.output<S>>
}

/** The input of an operation by its flags, as JSON. */
export const readFields = (args: Arguments, schema: Schema): Record<string, unknown> =>
  Object.fromEntries(readFlags(args, schema, fieldFlag).map(([name, { input }]) => [name, input]))

const readFlags = (
  args: Arguments,
  { shape }: Schema,
  flagOf: FlagOf,
): (readonly [string, Parsed])[] =>
  Object.entries(shape).flatMap(([name, option]) => {
    const { flag = '', repeatable } = flagOf(name, option) ?? {}
    const values = args.flags.get(flag)
    if (values === undefined) return []
    const wrong = values.find((value) => !parseValue(option, repeatable ? [value] : value).success)
    if (wrong !== undefined) throw invalidFlag(args, flag, wrong, expectedBy(option, wrong))
    return [[name, parseValue(option, repeatable ? values : values[0])]]
  })

/** Reads a word by the first of the fields that accepts it. */
export const readWord = (
  word: string,
  fields: readonly (readonly [string, z.ZodType])[],
  text: string,
): Record<string, unknown> => {
  for (const [name, option] of fields) {
    const { success, input } = parseValue(option, text)
    if (success) return { [name]: input }
  }
  const expected = fields.map(([, option]) => expectedBy(option, text)).join(', or ')
  throw new UsageError({ field: word, received: text, expected })
}

interface Parsed {
  readonly success: boolean
  readonly data?: unknown
  readonly error?: z.ZodError | undefined
  /** The value that the schema accepts: numbers, lists and objects arrive as text. */
  readonly input: unknown
}

const parseValue = (option: z.ZodType, value: unknown): Parsed => {
  const json = readJson(value)
  const inputs = Object(json) === json ? [json, value] : [value, json]
  const parsed = inputs.map((input) => ({ ...option.safeParse(input), input }))
  return parsed.find(({ success }) => success) ?? { ...option.safeParse(value), input: value }
}

const readJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(readJson)
  if (typeof value !== 'string' || !/^(\d{1,9}(\.\d{1,9})?$|[[{])/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const expectedBy = (option: z.ZodType, value: unknown): string => {
  const [issue] = parseValue(option, value).error?.issues ?? []
  return issue?.code === 'invalid_value' ? issue.values.join(', ') : (issue?.message ?? '')
}

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
      return { ...it, field: name, message: rename(message, field, name) }
    }),
  )

/** The field comes first, after a word such as Invalid, or in quotes. */
const rename = (message: string, field: string, name: string): string => {
  const spaced = ` ${message}`
  const before = [' ', '"'].find((it) => spaced.includes(it + field)) ?? ''
  return spaced.replace(before + field, before + name).slice(1)
}

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
