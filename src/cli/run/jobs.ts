import { availableParallelism } from 'node:os'
import { type Arguments, formatUsageError, unusable } from '../arguments.js'

const MAX_JOBS = 256

/** How many commands run at once: as many as there are cores, unless --jobs says otherwise. */
export const readJobs = (given: Arguments): number => {
  const text = formatUsageError(given, 'jobs')
  if (text === undefined) return Math.max(1, availableParallelism())
  const jobs = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (jobs >= 1 && jobs <= MAX_JOBS) return jobs
  throw unusable(given, 'jobs', `a whole number from 1 to ${MAX_JOBS}`)
}
