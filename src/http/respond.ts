import type { Readings } from '../assumptions/use.js'
import { documentedErrors, type ErrorBody } from '../contract/errors.js'
import { NO_HEADERS } from '../request-log/headers.js'
import type { JsonResponse } from '../request-log/log-record.js'
import type { HandlerResult } from './api.js'
import { ApiError, SandboxError, toApiError } from './api-error.js'
import type { RequestContext } from './context.js'
import { isDropped } from './dropped-connection.js'

export const jsonResponse = (
  status: number,
  body: unknown,
  headers: JsonResponse['headers'] = NO_HEADERS,
): JsonResponse => ({ status, text: JSON.stringify(body), headers })

/**
 * Whether an answer is a response of the web already. Told by what it has: to ask for its class would load
 * all that Node has for the web, before the first answer.
 */
export const isResponse = (answer: object): answer is Response => 'clone' in answer

/** What goes out, as text; undefined where nothing does, or what has no end. */
export const toJsonResponse = (outcome: HandlerResult): JsonResponse | undefined => {
  if (isResponse(outcome)) return undefined
  return isDropped(outcome) ? outcome.partial : outcome
}

/**
 * The contract's error body for anything thrown. A bug is told to `report`, never to the caller. The
 * service's answers have readings, the control face's codes are the sandbox's own.
 */
export const errorResponse = (
  c: RequestContext,
  thrown: unknown,
  requestId: string,
  report: (bug: unknown) => void,
  readings?: Readings,
): JsonResponse => {
  let error = toApiError(thrown)
  if (!error) {
    report(thrown)
    error = new ApiError(
      '5000',
      `The sandbox has a bug. Its log has the details under ${requestId}.`,
    )
  }
  const { message, status, headers } = error
  const code = resolveErrorCode(error, readings)
  const body = errorBody({ code, message }, c.req.method, requestPath(c), requestId)
  return jsonResponse(status, body, headers)
}

/** The path that was called, as it was written; routes are looked up by one that is decoded in part. */
export const requestPath = ({ req: { path, url } }: RequestContext): string => {
  if (!url.includes('%')) return path
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return url.slice(start).split(/[?#]/, 1)[0] ?? path
}

/** The code as it is read (error.codes). */
export const resolveErrorCode = (error: ApiError, readings: Readings | undefined): string => {
  const { code, status } = error
  // That the sandbox refuses to guess is no guess.
  const isCertain = code in documentedErrors || code === '5010' || error instanceof SandboxError
  if (!readings || isCertain) return code
  return readings.use('error.codes') === 'status' ? String(status) : code
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
  resourcePath: toResourcePath(path),
})

/** `/payment/{proxy+}`: the first segment, and the gateway's placeholder for the rest. */
const toResourcePath = (path: string): string => {
  const prefix = /^\/(payment|onboarding|_sandbox)(?=\/|$)/.exec(path)?.[0] ?? ''
  return `${prefix}/{proxy+}`
}
