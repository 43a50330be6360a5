import { parseArgs } from 'node:util'
import { errorClass, formatUnknown } from './app-error.js'
import { didYouMean } from './suggest.js'
import { splitList } from './text.js'

export interface Flag {
  /** `h` for `-h` */
  readonly short?: string
  readonly value?: string
  readonly help: string
  readonly variable?: string
  readonly repeatable?: boolean
}

/** Invalid arguments: exit code 2, and a pointer to --help. */
export const UsageError = errorClass('UsageError', 'usage')
export type UsageError = InstanceType<typeof UsageError>

/** Another command may have the flag, so the error carries its name. */
export class UnknownFlagError extends UsageError {
  constructor(
    message: string,
    readonly flag: string,
  ) {
    super(message)
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

export interface Arguments {
  readonly words: readonly string[]
  /** The words after `--`; undefined without one. */
  readonly rest: readonly string[] | undefined
  /** All values of a flag in order; `true` for flags without a value. */
  readonly flags: ReadonlyMap<string, readonly (string | true)[]>
  /** The flag or the variable that the value came from. */
  readonly sourceOf: (flag: string) => string
}

export const findText = ({ flags }: Arguments, flag: string): string | undefined =>
  flags.get(flag)?.map(String)[0]

export const invalidFlag = (
  args: Arguments,
  flag: string,
  received: unknown,
  expected: string,
): UsageError => new UsageError({ field: args.sourceOf(flag), received, expected })

/** Parses arguments up to `--`, then fills in from the environment. */
export const parseArguments = (
  argv: readonly string[],
  table: Readonly<Record<string, Flag>>,
  env: Environment,
): Arguments => {
  const end = argv.indexOf('--')
  const rest = end < 0 ? undefined : argv.slice(end + 1)
  const { tokens } = parseArgs({
    args: rest ? argv.slice(0, end) : [...argv],
    options: Object.fromEntries(
      Object.entries(table).map(([name, { value, short }]) => [
        name,
        { type: value ? 'string' : 'boolean', ...(short && { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const words: string[] = []
  const flags = new Map<string, (string | true)[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const flag = findFlag(table, token.name, token.rawName)
    const given = flags.get(token.name) ?? []
    if (given.length > 0 && !flag.repeatable)
      throw new UsageError({ problem: `--${token.name} was given twice`, expected: 'once' })
    // A following flag is not a value, unless `=` connects them.
    const missing = token.inlineValue === false && token.value.startsWith('--')
    const value = readValue(token.name, flag, missing ? undefined : token.value)
    flags.set(token.name, [...given, value])
  }
  const variables = new Map<string, string>()
  for (const [name, { variable, value, repeatable }] of Object.entries(table)) {
    const given = variable === undefined ? undefined : env[variable]
    if (variable === undefined || !given || flags.has(name)) continue
    variables.set(name, variable)
    if (!value) {
      if (parseSwitch(variable, given)) flags.set(name, [true])
    } else flags.set(name, repeatable ? splitList(given) : [given])
  }
  return { words, rest, flags, sourceOf: (flag) => variables.get(flag) ?? `--${flag}` }
}

const ON = ['1', 'true']
const OFF = ['0', 'false']

const parseSwitch = (variable: string, text: string): boolean => {
  if (ON.includes(text) || OFF.includes(text)) return ON.includes(text)
  const expected = [...ON, ...OFF].join(', ')
  throw new UsageError({ field: variable, received: text, expected })
}

const findFlag = (table: Readonly<Record<string, Flag>>, name: string, raw: string): Flag => {
  const flag = Object.hasOwn(table, name) ? table[name] : undefined
  if (flag) return flag
  const flags = Object.keys(table).map((it) => `--${it}`)
  const hint = didYouMean(`--${name}`, flags)
  throw new UnknownFlagError(formatUnknown('flag', raw, undefined, hint), name)
}

const readValue = (name: string, flag: Flag, value: string | undefined): string | true => {
  if (!flag.value) {
    if (value !== undefined)
      throw new UsageError({ field: `--${name}`, received: value, expected: 'no value' })
    return true
  }
  if (value === undefined || value === '')
    throw new UsageError({ problem: `Missing value of --${name}`, expected: flag.value })
  return value
}
