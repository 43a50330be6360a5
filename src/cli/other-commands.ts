import { type Arguments, type Environment, parseArguments, UsageError } from '../lib/arguments.js'
import { PASSED } from './exit.js'
import { withFlagNames } from './flag-errors.js'
import { init } from './init.js'
import { readings } from './readings/readings.js'
import { findRemote, otherOperations, remoteCommands, runRemote } from './remote.js'
import { hasCases, readCasesOptions } from './run/cases.js'
import { run } from './run/run.js'
import { runCases } from './run/run-cases.js'
import { readReadingsOptions, readRunOptions } from './run/run-flags.js'
import { scenarios } from './scenarios.js'
import { HELP_WORDS } from './start-flags.js'
import { findUsage, helpText, overviewText, type Usage, usages } from './usage.js'

/** Loaded only when needed, as one module: more imports would slow down each start. */

/** Returns the exit code; undefined while a server keeps running. */
type Command = (given: Arguments) => Promise<number | undefined>

const COMMANDS = {
  run: (given) =>
    withFlagNames(given, async () =>
      hasCases(given) ? runCases(readCasesOptions(given)) : run(readRunOptions(given)),
    ),
  readings: (given) => withFlagNames(given, async () => readings(readReadingsOptions(given))),
  sweep: async (given) => (await import('../sweep/sweep.js')).sweepCommand(given),
  calibrate: async (given) => (await import('./calibrate.js')).calibrateCommand(given),
  record: async (given) => {
    assertNoWords(given)
    await (await import('./record.js')).record(given)
    return undefined
  },
  probe: async (given) => {
    assertNoWords(given)
    return (await import('./probe.js')).probe(given)
  },
  scenarios: ({ words, rest = [] }) => scenarios([...words, ...rest]),
  tenant: async (given) => (await import('./tenant.js')).tenant(given),
  mcp: async (given) => {
    assertNoWords(given)
    await withFlagNames(given, async () => (await import('./mcp/mcp.js')).mcp(given))
    return undefined
  },
  init: async (given) => {
    assertNoWords(given)
    init(given.flags.has('ci'))
    return PASSED
  },
} satisfies Readonly<Record<string, Command>>

const assertNoWords = ({ words: [word] }: Arguments): void => {
  if (word !== undefined)
    throw new UsageError({ field: 'argument', received: word, expected: 'none' })
}

export const runCommand = async (
  name: string,
  argv: readonly string[],
  env: Environment,
): Promise<number | undefined> => {
  const given = parseArguments(argv, findUsage(name)?.flags ?? {}, env)
  if (given.flags.has('help')) return showHelp(name)
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name as keyof typeof COMMANDS](given)
  const remote = findRemote(name)
  if (remote) await runRemote(name, remote, given)
  return PASSED
}

/** `sandramp help [command]` */
export const helpCommand = async (
  [word = '--help', ...more]: readonly string[],
  unknown: (word: string) => Promise<UsageError>,
): Promise<number> => {
  if (HELP_WORDS.includes(word)) {
    process.stdout.write(overviewText())
    return PASSED
  }
  if (more.length > 0)
    throw new UsageError({ field: 'argument', received: more[0], expected: 'one command' })
  if (!isDescribed(word)) throw await unknown(word)
  return showHelp(word)
}

export const isDescribed = (word: string): boolean => findUsage(word) !== undefined

export const shortNames: readonly string[] = Object.keys(remoteCommands)
export const operationNames: readonly string[] = otherOperations.map(({ id }) => id)

export const showHelp = (command: string): number => {
  const usage = findUsage(command)
  if (usage) process.stdout.write(helpText(usage))
  return 0
}

/** `sandramp run and sandramp readings have it`; undefined if no command has the flag. */
export const commandsWithFlag = (flag: string): string | undefined => {
  const names = Object.entries<Usage>(usages)
    .filter(([, { flags }]) => Object.hasOwn(flags, flag))
    .map(([name]) => `sandramp ${name}`)
  if (names.length === 0) return undefined
  const list = names.join(', ').replace(/, ([^,]*)$/, ' and $1')
  return `${list} ${names.length > 1 ? 'have' : 'has'} it`
}
