import { withFlagNames } from '../kit/option-flags.js'
import { type Environment, parseArguments, UsageError } from '../lib/arguments.js'
import { PASSED } from './exit.js'
import { init } from './init.js'
import { readings } from './readings/readings.js'
import { type RemoteName, runRemote } from './remote.js'
import { hasCases, readCasesOptions } from './run/cases.js'
import { run } from './run/run.js'
import { runCases } from './run/run-cases.js'
import { readingsFlags, readReadingsOptions, readRunOptions, runFlags } from './run/run-flags.js'
import { scenarios } from './scenarios.js'
import { type CommandName, helpText, type Usage, usages } from './usage.js'

/** Loaded only when needed, as one module: more imports would slow down each start. */

export const runCommand = async (argv: readonly string[], env: Environment): Promise<number> => {
  const given = parseArguments(argv, runFlags, env)
  if (given.flags.has('help')) return showHelp('run')
  return withFlagNames(given, () =>
    hasCases(given) ? runCases(readCasesOptions(given)) : run(readRunOptions(given)),
  )
}

export const readingsCommand = async (
  argv: readonly string[],
  env: Environment,
): Promise<number> => {
  const given = parseArguments(argv, readingsFlags, env)
  if (given.flags.has('help')) return showHelp('readings')
  return withFlagNames(given, () => readings(readReadingsOptions(given)))
}

export const scenariosCommand = async (
  argv: readonly string[],
  env: Environment,
): Promise<number> => {
  const given = parseArguments(argv, usages.scenarios.flags, env)
  if (given.flags.has('help')) return showHelp('scenarios')
  return scenarios([...given.words, ...(given.rest ?? [])])
}

export const tenantCommand = async (argv: readonly string[], env: Environment): Promise<number> => {
  const given = parseArguments(argv, usages.tenant.flags, env)
  if (given.flags.has('help')) return showHelp('tenant')
  const { tenant } = await import('./tenant.js')
  await tenant(given)
  return 0
}

export const initCommand = async (argv: readonly string[], env: Environment): Promise<number> => {
  const { words, flags } = parseArguments(argv, usages.init.flags, env)
  if (flags.has('help')) return showHelp('init')
  if (words.length > 0)
    throw new UsageError({ field: 'argument', received: words[0], expected: 'none' })
  init()
  return PASSED
}

export const remoteCommand = async (
  name: RemoteName,
  argv: readonly string[],
  env: Environment,
): Promise<number> => {
  const given = parseArguments(argv, usages[name].flags, env)
  if (given.flags.has('help')) return showHelp(name)
  await runRemote(name, given)
  return PASSED
}

const HELP = ['help', '--help', '-h']

/** `sandramp help [command]` */
export const helpCommand = async (
  [word = 'start', ...more]: readonly string[],
  unknown: (word: string) => UsageError,
): Promise<number> => {
  if (more.length > 0)
    throw new UsageError({ field: 'argument', received: more[0], expected: 'one command' })
  if (HELP.includes(word)) return showHelp('start')
  if (!isDescribed(word)) throw unknown(word)
  return showHelp(word)
}

const isDescribed = (word: string): word is CommandName => Object.hasOwn(usages, word)

export const showHelp = (command: CommandName): number => {
  process.stdout.write(helpText(usages[command]))
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
