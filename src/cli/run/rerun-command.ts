import { basename, relative } from 'node:path'
import { shellQuote, toCommandLine } from '../../lib/shell-quote.js'
import { MAGIC_VALUES } from '../../scenarios/language/catalogue.js'
import type { RunOptions } from './run-flags.js'

/** Every world plays it anyhow, and it expects nothing: it stands in where a run needs a scenario. */
const PLAYED_ANYHOW = [MAGIC_VALUES]

/** The one command that repeats a run exactly, for a POSIX shell. */
export const rerunCommand = ({ scenarios, command, sandbox, given, env }: RunOptions): string => {
  const played = scenarios.length > 0 ? scenarios : PLAYED_ANYHOW
  return [
    ...Object.entries(env).map(([name, value]) => `${name}=${shellQuote(value)}`),
    toCommandLine([...ourName(), 'run', ...played]),
    flagText('seed', sandbox.seed),
    ...given.map(([name, value]) => flagText(name, value)),
    toCommandLine(['--', ...command]),
  ].join(' ')
}

/** Ids depend on how many entries there are: a key of the fixtures would need none. */
const STAND_IN_KEY = 'AnyKeyWillDoHere0000000000000001'

const flagText = (name: string, value: string | true): string => {
  if (value === true) return `--${name}`
  // Reports go where a key should not. The default lets the line run as it stands.
  if (name === 'api-key') return `--api-key "\${SANDRAMP_API_KEY:-${STAND_IN_KEY}}"`
  // A value that looks like a flag has to be tied to its own.
  return toCommandLine(value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value])
}

/** How we were called, as it can be called again. */
const ourName = (): string[] => {
  const [, script = 'sandramp'] = process.argv
  if (/[\\/]node_modules[\\/]/.test(script)) return ['npx', 'sandramp']
  if (basename(script) === 'sandramp') return ['sandramp']
  const near = relative(process.cwd(), script)
  return ['node', near.startsWith('..') ? script : near]
}
