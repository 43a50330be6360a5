import { assumedErrors, documentedErrors } from '../contract/errors.js'
import { parseDuration } from '../kernel/time.js'
import { FAULT_HEADER, RETRY_AFTER_HEADER } from '../lib/response-headers.js'
import type { JsonResponse } from '../request-log/log-record.js'
import type { Fault } from '../scenarios/evaluate/request-rules.js'
import { MAX_DELAY_MS } from '../scenarios/language/request-steps.js'
import type { DroppedConnection } from './dropped-connection.js'
import { errorBody } from './respond.js'

/** The parts of a request that a fault needs, and its timer. */
interface FaultContext {
  readonly method: string
  readonly path: string
  readonly requestId: string
  readonly sleep: (ms: number, early?: Promise<void>) => Promise<void>
  /** Resolves when the client leaves. */
  readonly left: Promise<void> | undefined
}

/** Applies a fault: waits, replaces the response of the operation, or garbles it. */
export const applyFault = async (
  fault: Fault,
  affected: FaultContext,
  go: () => Promise<JsonResponse>,
): Promise<JsonResponse | DroppedConnection> => {
  const { rule, delay_ms, drop, hang, reset, malform, trickle_ms } = fault
  const dropped = { rule, partial: undefined, isReset: reset !== undefined }
  if (delay_ms > 0) await affected.sleep(delay_ms)
  // A request that is never answered ends with its client.
  const hangUp = () => affected.sleep(MAX_DELAY_MS, affected.left)
  if (hang === 'before') await hangUp()
  if ([drop, hang, reset].includes('before')) return dropped
  if (fault.hold_commit_ms > 0) await affected.sleep(fault.hold_commit_ms)
  const sent = fault.respond ? respond(fault.respond, affected) : await go()
  if (fault.hold_answer_ms > 0) await affected.sleep(fault.hold_answer_ms)
  if (hang === 'after') await hangUp()
  if ([drop, hang, reset].includes('after')) return dropped
  if (drop === 'mid_body') return { rule, partial: sent }
  const marked = {
    ...sent,
    headers: { ...sent.headers, [FAULT_HEADER]: rule },
    ...(trickle_ms > 0 && { trickle: { over_ms: trickle_ms, sleep: affected.sleep } }),
  }
  if (fault.patch) return { ...marked, text: patched(sent.text, fault.patch) }
  if (malform) return MALFORMED[malform](marked)
  const isOwn = !fault.respond && !(FAULT_HEADER in sent.headers)
  return isOwn ? { ...marked, untouched: true } : marked
}

/** Changes fields of a JSON object and its inner objects, and of each item of a list. */
const patched = (text: string, patch: object): string =>
  JSON.stringify(merged(JSON.parse(text), patch))

const ABSENT = 'absent'

const merged = (body: unknown, patch: object): unknown => {
  if (Array.isArray(body)) return body.map((item) => merged(item, patch))
  if (!isObject(body)) return body
  const all: Record<string, unknown> = { ...body }
  for (const [name, value] of Object.entries(patch)) {
    const known = Object.hasOwn(all, name) ? all[name] : undefined
    if (value === ABSENT) delete all[name]
    else
      all[name] =
        isObject(value) && typeof known === 'object' && known !== null
          ? merged(known, value)
          : value
  }
  return all
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The lowest code of each status. */
const codesByStatus = (errors: Readonly<Record<string, { readonly status: number }>>) =>
  Object.fromEntries(
    Object.entries(errors)
      .reverse()
      .map(([code, { status }]) => [status, code]),
  )

/** The contract's code for the status, if it has one. */
const DEFAULT_CODES: Readonly<Record<number, string>> = {
  ...codesByStatus(assumedErrors),
  ...codesByStatus(documentedErrors),
}

const respond = (step: NonNullable<Fault['respond']>, affected: FaultContext): JsonResponse => {
  const { status, body } = step
  const isText = typeof body === 'string'
  const headers = {
    ...(isText && { 'content-type': 'text/plain' }),
    ...(step.retry_after !== undefined && {
      [RETRY_AFTER_HEADER]: parseRetryAfter(step.retry_after),
    }),
    ...lowerCased(step.headers ?? {}),
  }
  if (isText) return { status, headers, text: body }
  // Null is a valid body.
  const said = body === undefined ? buildBody(step, affected) : body
  return { status, headers, text: JSON.stringify(said) }
}

const buildBody = (
  { status, code = DEFAULT_CODES[status] ?? `${status}0`, message }: NonNullable<Fault['respond']>,
  { method, path, requestId }: FaultContext,
): object =>
  status < 400
    ? {}
    : errorBody({ code, message: message ?? buildMessage(code, status) }, method, path, requestId)

const parseRetryAfter = (duration: string): string =>
  String(Math.ceil((parseDuration(duration) ?? 0) / 1_000))

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const PHRASES: Readonly<Record<number, string>> = {
  429: 'Too many requests; wait and retry',
  500: 'Internal server error',
  502: 'Bad gateway',
  503: 'Service unavailable; wait and retry',
  504: 'Gateway timeout',
}

const buildMessage = (code: string, status: number): string => {
  if (code in documentedErrors)
    return documentedErrors[code as keyof typeof documentedErrors].message
  return PHRASES[status] ?? 'The request failed'
}

const NUMBER = /^-?\d/

/** Ways to garble a body. */
const MALFORMED: Readonly<
  Record<NonNullable<Fault['malform']>, (sent: JsonResponse) => JsonResponse>
> = {
  truncated_json: (sent) => ({
    ...sent,
    // The beginning of a number is a number too.
    text: NUMBER.test(sent.text) ? '' : sent.text.slice(0, Math.ceil(sent.text.length / 2)),
  }),
  html: (sent) => ({
    ...sent,
    headers: { ...sent.headers, 'content-type': 'text/html' },
    text: '<!doctype html><title>Gateway</title><h1>Please wait</h1>',
  }),
  wrong_content_type: (sent) => ({
    ...sent,
    headers: { ...sent.headers, 'content-type': 'text/plain' },
  }),
  empty: (sent) => ({ ...sent, text: '' }),
}
