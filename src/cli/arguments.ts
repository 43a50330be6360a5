import { parseArgs } from 'node:util'
import { AppError, type ErrorDetails, formatUnknown } from '../lib/app-error.js'
import { didYouMean } from '../lib/suggest.js'

/** A flag of the command line: what it takes, what it does, and the variable that stands for it. */
export interface Flag {
  /** The letter that stands for it: `h` for `-h`. */
  readonly short?: string
  readonly value?: string
  readonly help: string
  readonly variable?: string
  readonly repeatable?: boolean
}

/** Arguments that cannot be used. The message says what came, what is accepted, and the nearest word. */
export class UsageError extends AppError<'usage'> {
  override readonly name = 'UsageError'

  constructor(details: string | ErrorDetails) {
    super('usage', details)
  }
}

/** A flag that the command does not know. Another one may: it is asked for by this name. */
export class UnknownFlag extends UsageError {
  constructor(
    message: string,
    readonly flag: string,
  ) {
    super(message)
  }
}

/** The variables that stand for flags. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface Arguments {
  readonly words: readonly string[]
  /** What stands behind `--`, as it is; undefined without one. */
  readonly rest: readonly string[] | undefined
  /** Every value given to a flag, in order; `true` for flags without one. */
  readonly flags: ReadonlyMap<string, readonly (string | true)[]>
  /** Under what name a flag came: its own, or that of the variable which stood for it. */
  readonly nameOf: (flag: string) => string
}

/** The text passed to a flag that takes one. */
export const findText = ({ flags }: Arguments, flag: string): string | undefined =>
  flags.get(flag)?.map(String)[0]

export const invalidFlag = (
  args: Arguments,
  flag: string,
  received: unknown,
  expected: string,
): UsageError => new UsageError({ field: args.nameOf(flag), received, expected })

/** Reads arguments up to `--` against a table of flags, then fills in from the environment. */
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
    const flag = knownFlag(table, token.name, token.rawName)
    const given = flags.get(token.name) ?? []
    if (given.length > 0 && !flag.repeatable)
      throw new UsageError({ problem: `--${token.name} was given twice`, expected: 'once' })
    // A flag that follows is not the value of the one before it, unless it is tied to it by `=`.
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
      if (isOn(variable, given)) flags.set(name, [true])
    } else flags.set(name, repeatable ? listed(given) : [given])
  }
  return { words, rest, flags, nameOf: (flag) => variables.get(flag) ?? `--${flag}` }
}

const ON = ['1', 'true']
const OFF = ['0', 'false']

/** What a variable says that stands for a flag without value. */
const isOn = (variable: string, text: string): boolean => {
  if (ON.includes(text) || OFF.includes(text)) return ON.includes(text)
  const expected = [...ON, ...OFF].join(', ')
  throw new UsageError({ field: variable, received: text, expected })
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '')

const knownFlag = (table: Readonly<Record<string, Flag>>, name: string, raw: string): Flag => {
  const flag = Object.hasOwn(table, name) ? table[name] : undefined
  if (flag) return flag
  const flags = Object.keys(table).map((it) => `--${it}`)
  const hint = didYouMean(`--${name}`, flags)
  throw new UnknownFlag(formatUnknown('flag', raw, undefined, hint), name)
}

const readValue = (name: string, flag: Flag, value: string | undefined): string | true => {
  if (!flag.value) {
    if (value !== undefined)
      throw new UsageError({ field: `--${name}`, received: value, expected: 'no value' })
    return true
  }
  if (value === undefined || value === '')
    throw new UsageError({
      problem: `Missing value of --${name}`,
      expected: flag.value ?? 'a value',
    })
  return value
}
