import * as z from 'zod'
import { assumedErrors, documentedErrors } from '../../contract/errors.js'
import {
  ASSUMED_HEADER,
  FAULT_HEADER,
  REQUEST_ID_HEADER,
  RETRY_AFTER_HEADER,
} from '../../contract/header-names.js'
import type { JsonResponse } from '../../history/log-record.js'
import { DURATION_HELP, DURATION_PATTERN, durationError, parseDuration } from '../../kernel/time.js'
import { shortText, strict } from '../../lib/yaml/strict.js'
import { defineFault, type ErrorBody } from './define.js'
import { exact } from './patch.js'
import { parseMs } from './timing.js'

const HEADER = 'a value of visible characters, without line breaks'
const HEADER_NAME = 'a header name of A-Z, a-z, 0-9 and -'
/** The server or the sandbox sets these headers. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  REQUEST_ID_HEADER,
  ASSUMED_HEADER,
  FAULT_HEADER,
])
const NOT_OWN = `none of ${[...OWN_HEADERS].join(', ')}, which are written for you`
const PLAIN_BODY = 'no content-encoding: the body is sent unencoded'

const headers = z.record(
  z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, HEADER_NAME)
    .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), NOT_OWN)
    .refine((name) => name.toLowerCase() !== 'content-encoding', PLAIN_BODY),
  z.string(HEADER).regex(/^[\x20-\x7e]{0,1024}$/, HEADER),
)

/** From this status on, the default body is the error body. */
const MIN_ERROR_STATUS = 400
const IN_ERROR_BODY = 'it only in an error body: with a status from 400, and no body of your own'

/** The rest of the window of the rule, or of its throttle. */
export const REST = 'rest'
const RETRY = `rest, or ${DURATION_HELP}`
const retryAfter = z
  .string(RETRY)
  .refine((text) => text === REST || parseDuration(text) !== undefined, {
    error: ({ input }) => durationError(String(input), RETRY),
  })
  .meta({ pattern: `${DURATION_PATTERN}|^${REST}$` })

const STATUS = 'an HTTP status from 200 to 599'
const response = strict({
  status: z.int(STATUS).min(200, STATUS).max(599, STATUS).describe('HTTP status'),
  code: z
    .string('a code of four digits such as "5030"')
    .regex(/^\d{4}$/, 'a code of four digits such as "5030"')
    .optional()
    .describe('Code in the error body, such as "5030". Default: by the status'),
  message: shortText.optional().describe('Message in the error body'),
  headers: headers.optional().describe('Additional headers of the response'),
  body: exact.optional().describe('Body instead of the error body; text is sent unchanged'),
  retry_after: retryAfter
    .optional()
    .describe(
      'Wait for the client, sent as retry-after in whole seconds. rest means the rest of the window of during or throttle',
    ),
}).superRefine(({ status, body, ...others }, { addIssue }) => {
  if (body !== undefined && [204, 205, 304].includes(status)) {
    const message = 'no body beside the status 204, 205 or 304'
    addIssue({ code: 'custom', path: ['body'], message })
  }
  for (const detail of ['code', 'message'] as const) {
    if (others[detail] === undefined || (body === undefined && status >= MIN_ERROR_STATUS)) continue
    addIssue({ code: 'custom', path: [detail], message: IN_ERROR_BODY })
  }
})
type RespondStep = z.output<typeof response>

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

const buildResponse = (step: RespondStep, rest_ms: number, errorBody: ErrorBody): JsonResponse => {
  const { status, body, retry_after: wait } = step
  const wait_ms = wait === REST ? rest_ms : parseMs(wait)
  const isText = typeof body === 'string'
  const headers = {
    ...(isText && { 'content-type': 'text/plain' }),
    ...(wait !== undefined && { [RETRY_AFTER_HEADER]: String(Math.ceil(wait_ms / 1_000)) }),
    ...lowerCased(step.headers ?? {}),
  }
  if (isText) return { status, headers, text: body }
  // Null is a valid body.
  const said = body === undefined ? buildBody(step, errorBody) : body
  return { status, headers, text: JSON.stringify(said) }
}

const buildBody = (
  { status, code = DEFAULT_CODES[status] ?? `${status}0`, message }: RespondStep,
  errorBody: ErrorBody,
): object =>
  status < MIN_ERROR_STATUS
    ? {}
    : errorBody({ code, message: message ?? buildMessage(code, status) })

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

export const respond = defineFault({
  field: 'respond',
  schema: response,
  about:
    'Responds instead of the operation, which does not run. Also code, message, headers and body',
  examples: ['{ status: 503, retry_after: 5s }'],
  fills: () => ['before', 'asOf', 'replace', 'after', 'alter'],
  effect: (step, { rest_ms }) => ({
    replace: (errorBody) => buildResponse(step, rest_ms, errorBody),
  }),
  sentence: ({ status, code, retry_after: wait }) => {
    const name = code === undefined ? status : `${status} ${code}`
    const words = wait === undefined ? '' : `, retry after ${wait === REST ? 'the rest' : wait}`
    return `${status >= MIN_ERROR_STATUS ? '✕' : '✓'} ${name}${words}`
  },
  choices: (isPayout) => {
    const nothing = isPayout ? 'Nothing is paid' : 'Nothing is done'
    return [
      [{ status: 503, retry_after: '5s' }, 'gets 503, retry after 5 s', nothing],
      [{ status: 429 }, 'gets 429, too many requests', nothing],
    ]
  },
  words: [{ name: 'respond', about: 'Answers instead of the operation, which does nothing.' }],
})
