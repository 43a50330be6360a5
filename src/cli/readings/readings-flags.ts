import type { Arguments, Flag } from '../arguments.js'
import {
  junitFlag,
  type RunOptions,
  readJobs,
  runSandboxFlags,
  timeoutFlag,
  toRunOptions,
} from '../run/run-flags.js'
import { helpFlag } from '../start-flags.js'

const { strict: _, ...sandboxFlags } = runSandboxFlags

export const readingsFlags: Readonly<Record<string, Flag>> = {
  all: { help: 'try every other reading, not only of the questions that the first run relied on' },
  jobs: { value: '<number>', help: 'maximum number of parallel runs (number of cores)' },
  junit: junitFlag,
  timeout: timeoutFlag,
  'allow-idle': {
    help: 'continue even if the first run sent no request, or no rule of a named scenario fired',
  },
  ...sandboxFlags,
  help: helpFlag,
}

export interface ReadingsOptions {
  readonly run: RunOptions
  readonly isAll: boolean
  readonly jobs: number
}

const FORM = 'sandramp readings [<scenario…>] [flags] -- <command…>'

export const readReadingsOptions = (args: Arguments): ReadingsOptions => ({
  run: toRunOptions(args, FORM),
  isAll: args.flags.has('all'),
  jobs: readJobs(args),
})
