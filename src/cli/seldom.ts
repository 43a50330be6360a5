import { readArguments } from './arguments.js'
import { helpText } from './help.js'
import { readings } from './readings.js'
import { readingsFlags, readReadingsOptions } from './readings-flags.js'
import { run } from './run.js'
import { readRunOptions, runFlags } from './run-flags.js'
import { scenarios } from './scenarios.js'
import { type CommandName, usages } from './usages.js'

/** What is seldom asked for, in one module: each that loads by itself would make a start slower. */

export const runCommand = async (argv: readonly string[]): Promise<number> => {
  const given = readArguments(argv, runFlags, process.env)
  return given.flags.has('help') ? showHelp('run') : run(readRunOptions(given))
}

export const readingsCommand = async (argv: readonly string[]): Promise<number> => {
  const given = readArguments(argv, readingsFlags, process.env)
  return given.flags.has('help') ? showHelp('readings') : readings(readReadingsOptions(given))
}

export const scenariosCommand = async (argv: readonly string[]): Promise<number> => {
  const given = readArguments(argv, usages.scenarios.flags, process.env)
  if (given.flags.has('help')) return showHelp('scenarios')
  return scenarios([...given.words, ...(given.rest ?? [])])
}

export const showHelp = (command: CommandName): number => {
  process.stdout.write(helpText(usages[command]))
  return 0
}
