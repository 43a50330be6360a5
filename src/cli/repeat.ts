import { basename, relative } from 'node:path'
import { commandLine } from '../shell.js'
import type { RunOptions } from './run-flags.js'

/** Every world plays it anyhow, and it expects nothing: it stands in where a run needs a scenario. */
const PLAYED_ANYHOW = ['magic-values']

/** The one command that repeats a run exactly. */
export const repeatLine = ({ scenarios, command, sandbox, given }: RunOptions): string => {
  // A value that looks like a flag has to be tied to its own.
  const flags = [['seed', sandbox.seed] as const, ...given].flatMap(([name, value]) => {
    if (value === true) return [`--${name}`]
    return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value]
  })
  const played = scenarios.length > 0 ? scenarios : PLAYED_ANYHOW
  return commandLine([...ourName(), 'run', ...played, ...flags, '--', ...command])
}

/** How we were called, as it can be called again. */
const ourName = (): string[] => {
  const [, script = 'sandramp'] = process.argv
  if (/[\\/]node_modules[\\/]/.test(script)) return ['npx', 'sandramp']
  if (basename(script) === 'sandramp') return ['sandramp']
  const near = relative(process.cwd(), script)
  return ['node', near.startsWith('..') ? script : near]
}
