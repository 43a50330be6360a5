import { AppError, formatError, formatUnknown } from '../lib/app-error.js'
import { type Environment, parseArguments, UnknownFlagError, UsageError } from '../lib/arguments.js'
import { explainFileError } from '../lib/read-file.js'
import { didYouMean } from '../lib/suggest.js'
import { escapeControlChars } from '../lib/text.js'
import { version } from '../runtime/options.js'
import { UNUSABLE } from './exit.js'
import { withFlagNames } from './flag-errors.js'
import { HELP_WORDS, readStartOptions, startFlags, unknownEnvVariables } from './start-flags.js'

/** Returns the exit code; undefined while a server keeps running. */
type Command = (argv: readonly string[], env: Environment) => Promise<number | undefined>

const OTHERS = [
  'run',
  'readings',
  'sweep',
  'calibrate',
  'record',
  'probe',
  'scenarios',
  'tenant',
  'mcp',
  'init',
] as const

const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (argv, env) => {
    const given = parseArguments(argv, startFlags, env)
    const [word = ''] = given.words
    // `start run` is an unexpected argument, not a wrong order.
    if (word !== 'help' && isCommand(word) && argv[0] !== word)
      throw new UsageError({
        problem: `Invalid order: ${word} comes after flags`,
        expected: 'the command first',
      })
    if (given.flags.has('version')) {
      process.stdout.write(`${version}\n`)
      return 0
    }
    if (given.flags.has('help') || word === 'help') return (await loadCommand()).showHelp('start')
    for (const line of unknownEnvVariables(startFlags, env))
      process.stderr.write(`sandramp: ${line}\n`)
    const { start } = await import('./start.js')
    await withFlagNames(given, () => start(readStartOptions(given)))
    return undefined
  },
  ...Object.fromEntries(
    OTHERS.map((name): [string, Command] => [
      name,
      async (argv, env) => (await loadCommand()).runCommand(name, argv, env),
    ]),
  ),
  help: async (words) => (await loadCommand()).helpCommand(words, unknownCommand),
}

const isCommand = (word: string): boolean => Object.hasOwn(COMMANDS, word)

const unknownCommand = async (word: string): Promise<UsageError> => {
  const { operationNames, shortNames } = await loadCommand()
  const names = [...Object.keys(COMMANDS).filter((it) => it !== 'help'), ...shortNames, 'help']
  const hint = didYouMean(word, [...names, ...operationNames])
  return new UsageError(formatUnknown('command', word, names.join(', '), hint))
}

const loadCommand = () => import('./other-commands.js')

/** The first word is the command. Without one, all flags belong to `start`. */
const command = async (
  [first = 'start', ...rest]: readonly string[],
  env: Environment,
): Promise<number | undefined> => {
  const isFlag = first.startsWith('-')
  const other = isFlag ? 'start' : first
  const name = HELP_WORDS.includes(first) ? 'help' : other
  const named = isCommand(name) ? COMMANDS[name] : undefined
  if (named) return named(isFlag ? [first, ...rest] : rest, env)
  const { isDescribed, runCommand } = await loadCommand()
  if (isDescribed(name)) return runCommand(name, rest, env)
  throw await unknownCommand(name)
}

const explain = async (error: unknown): Promise<string> => {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof UnknownFlagError) {
    const others = (await loadCommand()).commandsWithFlag(error.flag)
    if (others) return formatUnknown('flag', `--${error.flag}`, undefined, others)
  }
  return error instanceof AppError ? error.message : explainUnexpected(error)
}

const explainUnexpected = (error: NodeJS.ErrnoException): string => {
  if (error.syscall === 'uv_cwd')
    return formatError({ problem: 'The working folder is gone', hint: 'Change to another one' })
  if (error.path) return `${error.path} cannot be used: ${explainFileError(error)}`
  return `${error.name}: ${error.message}`
}

const helpCommandFor = async (word = ''): Promise<string> => {
  const { isDescribed } = await loadCommand()
  const name = word.startsWith('-') ? 'start' : word
  return isDescribed(name) ? `sandramp ${name} --help` : 'sandramp --help'
}

/** Returns the exit code; undefined while a server keeps running. */
export const main = async (
  argv: readonly string[],
  env: Environment,
): Promise<number | undefined> => {
  try {
    return await command(argv, env)
  } catch (error) {
    process.stderr.write(`sandramp: ${escapeControlChars(await explain(error))}\n`)
    if (error instanceof UsageError)
      process.stderr.write(`${await helpCommandFor(argv[0])} lists what is accepted\n`)
    return UNUSABLE
  }
}
