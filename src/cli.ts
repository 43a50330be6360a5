#!/usr/bin/env node
import { readArguments, UsageError } from './cli/arguments.js'
import { helpText } from './cli/help.js'
import { start } from './cli/start.js'
import { readStartOptions, startFlags } from './cli/start-flags.js'
import { nearest } from './nearest.js'
import { version } from './options.js'

const COMMANDS = ['start']
const BAD_USAGE = 2

const main = async (argv: readonly string[]): Promise<void> => {
  const { words, flags } = readArguments(argv, startFlags, process.env)
  const [command = 'start', ...rest] = words
  if (flags.has('help') || command === 'help')
    return void process.stdout.write(helpText(startFlags))
  if (flags.has('version')) return void process.stdout.write(`${version}\n`)
  if (!COMMANDS.includes(command)) {
    const near = nearest(command, COMMANDS)
    throw new UsageError(`unknown command ${command}${near ? `; did you mean ${near}?` : ''}`)
  }
  await start(readStartOptions({ words: rest, flags }))
}

type NetworkError = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }

/** What a user can mend is said in one line; a stack is for bugs. */
const MENDABLE = new Set(['UsageError', 'OptionError', 'FixtureError', 'ScenarioError', 'Refusal'])

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

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`sandramp: ${explain(error)}\n`)
  if (error instanceof UsageError) process.stderr.write('sandramp --help lists what is accepted\n')
  process.exit(BAD_USAGE)
})
