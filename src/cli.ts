#!/usr/bin/env node
import { readArguments, UsageError } from './cli/arguments.js'
import { start } from './cli/start.js'
import { readStartOptions, startFlags } from './cli/start-flags.js'
import { nearest } from './nearest.js'
import { version } from './options.js'

const BAD_USAGE = 2

/** Gives the exit code; undefined when what was started goes on by itself. */
type Command = (argv: readonly string[]) => Promise<number | undefined>

const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (argv) => {
    const given = readArguments(argv, startFlags, process.env)
    const [word = ''] = given.words
    if (Object.hasOwn(COMMANDS, word)) throw new UsageError(`${word} goes before its flags`)
    if (given.flags.has('version')) {
      process.stdout.write(`${version}\n`)
      return 0
    }
    if (given.flags.has('help') || word === 'help') return (await seldom()).showHelp('start')
    await start(readStartOptions(given))
    return undefined
  },
  run: async (argv) => (await seldom()).runCommand(argv),
  readings: async (argv) => (await seldom()).readingsCommand(argv),
  scenarios: async (argv) => (await seldom()).scenariosCommand(argv),
}

const seldom = () => import('./cli/seldom.js')

/** The first word is the command, unless flags of `start` come first. */
const main = async ([first = 'start', ...rest]: readonly string[]): Promise<void> => {
  const isFlag = first.startsWith('-') || first === 'help'
  const name = isFlag ? 'start' : first
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    const near = nearest(name, Object.keys(COMMANDS))
    throw new UsageError(`unknown command ${name}${near ? `; did you mean ${near}?` : ''}`)
  }
  const code = await command(isFlag ? [first, ...rest] : rest)
  if (code !== undefined) process.exit(code)
}

type NetworkError = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }

/** What a user can mend is said in one line; a stack is for bugs. */
const MENDABLE = new Set([
  'UsageError',
  'OptionError',
  'DataError',
  'FixtureError',
  'ScenarioError',
  'SettledError',
  'Refusal',
])

const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { code, port, address, hostname } = error as NetworkError
  if (code === 'EADDRINUSE') {
    return `port ${port} is taken; give another with --port, or --port 0 for a free one`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `no interface has the address ${address ?? hostname}`
  }
  if (code === 'EACCES') return `port ${port} may not be opened by this user; give one above 1023`
  return MENDABLE.has(error.name) ? error.message : (error.stack ?? error.message)
}

const helpOf = (word = ''): string =>
  Object.hasOwn(COMMANDS, word) ? `sandramp ${word} --help` : 'sandramp --help'

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`sandramp: ${explain(error)}\n`)
  if (error instanceof UsageError)
    process.stderr.write(`${helpOf(process.argv[2])} lists what is accepted\n`)
  process.exit(BAD_USAGE)
})
