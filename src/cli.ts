#!/usr/bin/env node
import { readArguments, UnknownFlag, UsageError } from './cli/arguments.js'
import { byItsFlag } from './cli/naming.js'
import { start } from './cli/start.js'
import { readStartOptions, startFlags } from './cli/start-flags.js'
import { didYouMean } from './nearest.js'
import { version } from './options.js'

const BAD_USAGE = 2

/** Gives the exit code; undefined when what was started goes on by itself. */
type Command = (argv: readonly string[]) => Promise<number | undefined>

const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (argv) => {
    const given = readArguments(argv, startFlags, process.env)
    const [word = ''] = given.words
    if (word !== 'help' && isCommand(word)) throw new UsageError(`${word} goes before its flags`)
    if (given.flags.has('version')) {
      process.stdout.write(`${version}\n`)
      return 0
    }
    if (given.flags.has('help') || word === 'help') return (await seldom()).showHelp('start')
    await byItsFlag(given, () => start(readStartOptions(given)))
    return undefined
  },
  run: async (argv) => (await seldom()).runCommand(argv),
  readings: async (argv) => (await seldom()).readingsCommand(argv),
  scenarios: async (argv) => (await seldom()).scenariosCommand(argv),
  help: async (words) => (await seldom()).helpCommand(words, unknownCommand),
}

const isCommand = (word: string): boolean => Object.hasOwn(COMMANDS, word)

const unknownCommand = (word: string): UsageError => {
  const names = Object.keys(COMMANDS)
  return new UsageError(
    `unknown command ${word}; accepted: ${names.join(', ')}${didYouMean(word, names)}`,
  )
}

const seldom = () => import('./cli/seldom.js')

/** The first word is the command, unless flags of `start` come first. */
const main = async ([first = 'start', ...rest]: readonly string[]): Promise<void> => {
  const isFlag = first.startsWith('-')
  const name = isFlag ? 'start' : first
  const command = isCommand(name) ? COMMANDS[name] : undefined
  if (!command) throw unknownCommand(name)
  const code = await command(isFlag ? [first, ...rest] : rest)
  if (code !== undefined) process.exit(code)
}

/** What a user can mend is said in one line; a stack is for bugs. */
const MENDABLE = new Set([
  'UsageError',
  'OptionError',
  'FileError',
  'DataError',
  'FixtureError',
  'ScenarioError',
  'SettledError',
  'Refusal',
])

const explain = async (error: unknown): Promise<string> => {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof UnknownFlag) {
    const others = (await seldom()).whoHas(error.flag)
    if (others) return `unknown flag --${error.flag}; ${others}`
  }
  return MENDABLE.has(error.name) ? error.message : (error.stack ?? error.message)
}

const helpOf = (word = ''): string =>
  isCommand(word) && word !== 'help' ? `sandramp ${word} --help` : 'sandramp --help'

main(process.argv.slice(2)).catch(async (error: unknown) => {
  process.stderr.write(`sandramp: ${await explain(error)}\n`)
  if (error instanceof UsageError)
    process.stderr.write(`${helpOf(process.argv[2])} lists what is accepted\n`)
  process.exit(BAD_USAGE)
})
