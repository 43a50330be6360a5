import { truncate } from '../lib/text.js'
import { ApiError } from './api-error.js'
import type { RequestContext } from './context.js'

const SERVICE_PATH = /^\/(payment|onboarding)(?=\/|$)/
export const MAX_PATH_SHOWN = 200

/** Whether a path is inside the prefixes of the service; the gate is for these alone. */
export const isServicePath = (path: string): boolean => SERVICE_PATH.test(path)

export const whyNothingElsewhere = ({ req }: RequestContext): ApiError =>
  new ApiError(
    '4040',
    `Invalid path: got ${req.method} ${truncate(req.path, MAX_PATH_SHOWN)}. Expected a path of the service, which begins with /payment/ or /onboarding/, or a page of the sandbox`,
  )
