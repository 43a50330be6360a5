import { shortened } from '../world/shortened.js'
import type { Inbound } from './inbound.js'
import { WireError } from './wire-error.js'

const SERVICE_PATH = /^\/(payment|onboarding)(?=\/|$)/
export const MAX_PATH_SHOWN = 200

/** Whether a path is inside the prefixes of the service; the gate is for these alone. */
export const isServicePath = (path: string): boolean => SERVICE_PATH.test(path)

export const whyNothingElsewhere = ({ req }: Inbound): WireError =>
  new WireError(
    '4040',
    `Invalid path: got ${req.method} ${shortened(req.path, MAX_PATH_SHOWN)}. Expected a path of the service, which begins with /payment/ or /onboarding/, or a page of the sandbox`,
  )
