import { availableParallelism } from 'node:os'
import { type Arguments, type Flag, textOf, unusable } from './arguments.js'
import { optionsOf, type RunOptions, runFlags } from './run-flags.js'

/** The flags of `sandramp readings`. */
export const readingsFlags = {
  all: { help: 'run every other reading there is, not only of what the first run relied on' },
  jobs: { value: '<number>', help: 'how many commands run at once (as many as there are cores)' },
  junit: runFlags.junit,
  timeout: {
    ...runFlags.timeout,
    help: 'end a command when it takes longer, such as 90s (no limit)',
  },
  'allow-idle': { help: 'go on although nothing called the service in the first run' },
  seed: runFlags.seed,
  clock: runFlags.clock,
  now: runFlags.now,
  fixtures: runFlags.fixtures,
  reading: { ...runFlags.reading, help: 'how the first run reads something; repeatable' },
  readings: {
    ...runFlags.readings,
    help: 'answers of your team; what is settled is not run otherwise',
  },
  'api-key': runFlags['api-key'],
  help: runFlags.help,
} as const satisfies Record<string, Flag>

export interface ReadingsOptions {
  /** What every run is made of. */
  readonly run: RunOptions
  readonly isAll: boolean
  readonly jobs: number
}

const FORM = 'sandramp readings [<scenario…>] [flags] -- <command…>'
const MOST_JOBS = 256

export const readReadingsOptions = (given: Arguments): ReadingsOptions => ({
  run: optionsOf(given, FORM),
  isAll: given.flags.has('all'),
  jobs: readJobs(given),
})

const readJobs = (given: Arguments): number => {
  const text = textOf(given, 'jobs')
  if (text === undefined) return Math.max(1, availableParallelism())
  const jobs = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (jobs >= 1 && jobs <= MOST_JOBS) return jobs
  throw unusable(given, 'jobs', `a whole number from 1 to ${MOST_JOBS}`)
}
