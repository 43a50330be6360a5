import { documentedErrors, type ErrorBody } from '../contract/errors.js'
import { NO_HEADERS, type Sent } from '../exchanges/recording.js'
import type { Readings } from '../world/readings.js'
import { isCut } from './cut.js'
import type { Outcome } from './face.js'
import type { Inbound } from './inbound.js'
import { OwnError, WireError, wireErrorOf } from './wire-error.js'

export const jsonAnswer = (
  status: number,
  body: unknown,
  headers: Sent['headers'] = NO_HEADERS,
): Sent => ({ status, text: JSON.stringify(body), headers })

/**
 * Whether an answer is a response of the web already. Told by what it has: to ask for its class would load
 * all that Node has for the web, before the first answer.
 */
export const isResponse = (answer: object): answer is Response => 'clone' in answer

/** What goes out, as text; undefined where nothing does, or what has no end. */
export const sentOf = (outcome: Outcome): Sent | undefined => {
  if (isResponse(outcome)) return undefined
  return isCut(outcome) ? outcome.within : outcome
}

/**
 * The contract's error body for anything thrown. A bug is told to `report`, never to the caller. The
 * service's answers have readings, the control face's codes are the sandbox's own.
 */
export const errorAnswer = (
  c: Inbound,
  thrown: unknown,
  requestId: string,
  report: (bug: unknown) => void,
  readings?: Readings,
): Sent => {
  let error = wireErrorOf(thrown)
  if (!error) {
    report(thrown)
    error = new WireError('5000', `the sandbox has a bug; its log tells more under ${requestId}`)
  }
  const { message, status, headers } = error
  const code = codeOf(error, readings)
  const body = errorBody({ code, message }, c.req.method, pathCalled(c), requestId)
  return jsonAnswer(status, body, headers)
}

/** The path that was called, as it was written; routes are looked up by one that is decoded in part. */
export const pathCalled = ({ req: { path, url } }: Inbound): string => {
  if (!url.includes('%')) return path
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return url.slice(start).split(/[?#]/, 1)[0] ?? path
}

/** The code as it is read (error.codes). */
export const codeOf = (error: WireError, readings: Readings | undefined): string => {
  const { code, status } = error
  // That the sandbox refuses to guess is no guess.
  const isCertain = code in documentedErrors || code === '5010' || error instanceof OwnError
  if (!readings || isCertain) return code
  return readings.of('error.codes') === 'status' ? String(status) : code
}

/** The contract's error body, with its six fields and no more. */
export const errorBody = (
  { code, message }: { readonly code: string; readonly message: string },
  httpMethod: string,
  path: string,
  requestId: string,
): ErrorBody => ({
  code,
  httpMethod,
  message,
  path,
  requestId,
  resourcePath: resourcePathOf(path),
})

/** `/payment/{proxy+}`: the first segment, and the gateway's placeholder for the rest. */
const resourcePathOf = (path: string): string => {
  const prefix = /^\/(payment|onboarding|_sandbox)(?=\/|$)/.exec(path)?.[0] ?? ''
  return `${prefix}/{proxy+}`
}
