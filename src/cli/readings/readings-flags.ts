import type { Arguments, Flag } from '../arguments.js'
import { type RunOptions, readJobs, runFlags, toRunOptions } from '../run/run-flags.js'

/** The flags of `sandramp readings`. */
export const readingsFlags = {
  all: { help: 'run every other reading there is, not only of what the first run relied on' },
  jobs: { value: '<number>', help: 'how many commands run at once (as many as there are cores)' },
  junit: runFlags.junit,
  timeout: {
    ...runFlags.timeout,
    help: 'end a command when it takes longer, such as 90s (no limit)',
  },
  'allow-idle': {
    help: 'go on although the first run called nothing, or no rule of a named scenario fired',
  },
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

export const readReadingsOptions = (given: Arguments): ReadingsOptions => ({
  run: toRunOptions(given, FORM),
  isAll: given.flags.has('all'),
  jobs: readJobs(given),
})
