import * as z from 'zod'
import { DURATION_HELP, DURATION_PATTERN, durationError, parseDuration } from '../../kernel/time.js'
import { ASSUMED_HEADER, FAULT_HEADER, REQUEST_ID_HEADER } from '../../lib/response-headers.js'
import { oneOf, strict } from '../../lib/yaml/strict.js'
import { duration, text } from './steps.js'

/** Steps of request rules. */

/** Limit of all delays of one request together. */
export const MAX_DELAY_MS = 5 * 60_000
const DELAY = `milliseconds from 0 to ${MAX_DELAY_MS}, or two of them as [least, most]`
const delay = z.int(DELAY).min(0, DELAY).max(MAX_DELAY_MS, DELAY)

const HOLD = `${DURATION_HELP}, at most 5m`
/** Real time. */
const holdTime = duration.refine((text) => (parseDuration(text) ?? 0) <= MAX_DELAY_MS, HOLD)
const TRICKLE = `${DURATION_HELP}, above zero and at most 5m`
const trickleTime = duration.refine((text) => {
  const over_ms = parseDuration(text) ?? 0
  return over_ms > 0 && over_ms <= MAX_DELAY_MS
}, TRICKLE)
const HOLDS = ['commit', 'answer'] as const

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

const headers = z.record(
  z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, HEADER_NAME)
    .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), NOT_OWN),
  z.string(HEADER).regex(/^[\x20-\x7e]{0,1024}$/, HEADER),
)

const MAX_HEADERS = Number.MAX_SAFE_INTEGER
const EXACT = `a whole number from -${MAX_HEADERS} to ${MAX_HEADERS}; a body that is text keeps any`

/** The path of a whole number that is too large to be exact; undefined without one. */
const inexactIn = (value: unknown): PropertyKey[] | undefined => {
  if (Number.isInteger(value)) return Number.isSafeInteger(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const path = inexactIn(inner)
    if (path) return [key, ...path]
  }
  return undefined
}

const exact = z.unknown().superRefine((given, { addIssue }) => {
  const path = inexactIn(given)
  if (path) addIssue({ code: 'custom', path, message: EXACT })
})

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
  message: text.optional().describe('Message in the error body'),
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
export type RespondStep = z.output<typeof response>

const DROPS = ['before', 'after', 'mid_body'] as const
const SIDES = ['before', 'after'] as const

const PATCH = 'an object of fields and what they are in place of it; absent takes one away'
const patch = z
  .record(z.string(), exact, PATCH)
  .refine((given) => Object.keys(given).length > 0, PATCH)

const MALFORMS = ['truncated_json', 'html', 'wrong_content_type', 'empty'] as const

/** A window of zero would let everything pass. */
export const throttleWindow = duration.refine(
  (text) => parseDuration(text) !== 0,
  `${DURATION_HELP}, above zero`,
)

const LIMIT = 'a whole number from 1 to 1000000'
export const REQUEST_ACTIONS = [
  'respond',
  'delay_ms',
  'hold',
  'drop',
  'hang',
  'reset',
  'patch',
  'malform',
  'trickle',
  'stale',
  'throttle',
] as const

export const requestStep = strict({
  respond: response.optional().describe('Responds instead of the operation, which does not run'),
  delay_ms: z
    .union([delay, z.tuple([delay, delay]).refine(([least, most]) => least <= most, DELAY)], DELAY)
    .optional()
    .describe('Delay in real time, at most five minutes: milliseconds, or [min, max]'),
  hold: strict({
    before: oneOf(HOLDS).describe(
      'commit: before the command runs; answer: between the command and the response',
    ),
    for: holdTime.describe('Real time, at most 5m'),
  })
    .optional()
    .describe(
      'Holds the request in real time while others are served: before or after its command',
    ),
  drop: oneOf(DROPS)
    .optional()
    .describe('Drops the connection: before the operation, after it, or in the middle of the body'),
  hang: oneOf(SIDES)
    .optional()
    .describe(
      'Never responds: before or after the operation. Ends when the client leaves, or after five minutes',
    ),
  reset: oneOf(SIDES)
    .optional()
    .describe('Resets the connection (RST): before or after the operation'),
  patch: patch
    .optional()
    .describe(
      'Changes fields of the JSON response, or of each item of a list, after the operation; absent removes a field',
    ),
  malform: oneOf(MALFORMS).optional().describe('Corrupts the response after the operation'),
  trickle: strict({
    over: trickleTime.describe('Real time for the body, above zero and at most 5m'),
  })
    .optional()
    .describe('Sends the headers at once and the body in up to 100 chunks at equal intervals'),
  stale: throttleWindow
    .optional()
    .describe('Responds to a GET operation with an older state, by this duration in world time'),
  throttle: strict({
    limit: z.int(LIMIT).min(1, LIMIT).max(1_000_000, LIMIT).describe('Requests per window'),
    window: throttleWindow.describe(
      'Length of a window in world time; it starts with its first request',
    ),
  })
    .optional()
    .describe(
      'Responds with 429, or with the respond step beside it, beyond a number of requests per window',
    ),
}).superRefine((step, { issues, addIssue }) => {
  const done = REQUEST_ACTIONS.filter((action) => step[action] !== undefined)
  if (done.length === 1 || (done.length === 0 && issues.length > 0)) return
  addIssue({ code: 'custom', message: `exactly one of ${REQUEST_ACTIONS.join(', ')}` })
})
export type RequestStep = z.output<typeof requestStep>
