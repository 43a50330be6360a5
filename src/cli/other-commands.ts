import { type Environment, parseArguments, UsageError } from './arguments.js'
import { helpText, type Usage } from './help.js'
import { withFlagNames } from './option-flags.js'
import { readings } from './readings/readings.js'
import { readingsFlags, readReadingsOptions } from './readings/readings-flags.js'
import { hasCases, readCasesOptions } from './run/cases.js'
import { run } from './run/run.js'
import { runCases } from './run/run-cases.js'
import { readRunOptions, runFlags } from './run/run-flags.js'
import { scenarios } from './scenarios.js'
import { type CommandName, usages } from './usage.js'

/** What is seldom asked for, in one module: each that loads by itself would make a start slower. */

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

const HELP = ['help', '--help', '-h']

/** `sandramp help`, of start unless another command is named. */
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

/** The commands that have a flag, as a clause about it; undefined when none has. */
export const whoHas = (flag: string): string | undefined => {
  const names = Object.entries<Usage>(usages)
    .filter(([, { flags }]) => Object.hasOwn(flags, flag))
    .map(([name]) => `sandramp ${name}`)
  if (names.length === 0) return undefined
  return `${names.join(' and ')} ${names.length > 1 ? 'have' : 'has'} it`
}
