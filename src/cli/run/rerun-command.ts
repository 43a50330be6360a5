import { basename, relative } from 'node:path'
import { shellQuote, toCommandLine } from '../../lib/shell-quote.js'
import type { RunOptions } from './run-flags.js'

/** Builds the POSIX shell command that repeats a run exactly. */
export const rerunCommand = (options: RunOptions): string =>
  repeatCommand(['run', ...options.scenarios], options, [['seed', options.sandbox.seed]])

export const repeatCommand = (
  words: readonly string[],
  { command, repeatedFlags, env }: RunOptions,
  flags: RunOptions['repeatedFlags'],
): string =>
  [
    ...Object.entries(env).map(([name, value]) => `${name}=${shellQuote(value)}`),
    toCommandLine([...ourName(), ...words]),
    ...[...flags, ...repeatedFlags].map(([name, value]) => flagText(name, value)),
    toCommandLine(['--', ...command]),
  ].join(' ')

/** Any key works, but ids depend on whether one was passed. */
const STAND_IN_KEY = 'AnyKeyWillDoHere0000000000000001'

const flagText = (name: string, value: string | true): string => {
  if (value === true) return `--${name}`
  // Reports may be shared, so they contain no key. The default makes the line runnable.
  if (name === 'api-key') return `--api-key "\${SANDRAMP_API_KEY:-${STAND_IN_KEY}}"`
  // A value that looks like a flag needs `=`.
  return toCommandLine(value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value])
}

const ourName = (): string[] => {
  const [, script = 'sandramp'] = process.argv
  if (/[\\/]node_modules[\\/]/.test(script)) return ['npx', 'sandramp']
  if (basename(script) === 'sandramp') return ['sandramp']
  const near = relative(process.cwd(), script)
  return ['node', near.startsWith('..') ? script : near]
}
