import type { Readings } from '../../assumptions/use.js'
import { documentedErrors, type ErrorBody } from '../../contract/errors.js'
import { noteShown } from '../../contract/shown.js'
import { NO_HEADERS } from '../../history/headers.js'
import type { JsonResponse } from '../../history/log-record.js'
import { Refusal } from '../../kernel/refusal.js'
import { describeValue } from '../../lib/app-error.js'
import type { DroppedConnection, HandlerResult } from '../operation/api.js'
import { ApiError, SandboxError, toApiError } from '../operation/api-error.js'
import type { RequestContext } from '../operation/context.js'

export const jsonResponse = (
  status: number,
  body: unknown,
  headers: JsonResponse['headers'] = NO_HEADERS,
): JsonResponse => ({ status, text: JSON.stringify(body), headers, body })

/** Whether a response with this status may have a body. */
export const hasText = (status: number): boolean =>
  status !== 204 && status !== 205 && status !== 304

/**
 * Whether a result is a response of the fetch API. It looks for a method: naming the class would load
 * Node's whole fetch code before the first response.
 */
export const isResponse = (answer: object): answer is Response => 'clone' in answer

export const isDropped = (
  outcome: JsonResponse | DroppedConnection,
): outcome is DroppedConnection => 'rule' in outcome

/** The body that is sent, as text; undefined for none and for streams. */
export const toJsonResponse = (outcome: HandlerResult): JsonResponse | undefined => {
  if (isResponse(outcome)) return undefined
  return isDropped(outcome) ? outcome.partial : outcome
}

/**
 * The contract's error body for anything thrown. A bug goes to `report`, never to the caller. The
 * service's responses have readings; the control API's codes are the sandbox's own.
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
  if (thrown instanceof Refusal) noteShown(thrown.record, body)
  const shown = isOfControl(body) ? { ...body, ...showProblems(error) } : body
  return jsonResponse(status, shown, headers)
}

/** Errors of the service have the fields of the contract and no more. */
const isOfControl = ({ path }: ErrorBody): boolean => path.startsWith('/_sandbox/')

/** The faults of the input, for programs. */
const showProblems = ({ problems }: ApiError) =>
  problems.some(({ field }) => field !== undefined) && {
    problems: problems.map(({ field, received, expected, hint, message }) => ({
      field,
      received: received === undefined ? undefined : describeValue(received),
      expected,
      hint,
      message,
    })),
  }

/** The path as it was written; the router matches a partly decoded one. */
export const requestPath = ({ req: { path, url } }: RequestContext): string => {
  if (!url.includes('%')) return path
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return url.slice(start).split(/[?#]/, 1)[0] ?? path
}

/** The error code in these readings (error.codes). */
const resolveErrorCode = (error: ApiError, readings: Readings | undefined): string => {
  const { code, status } = error
  // The refusal to guess is no guess.
  const isCertain = code in documentedErrors || code === '5010' || error instanceof SandboxError
  if (!readings || isCertain) return code
  return readings.error.codes === 'status' ? String(status) : code
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
