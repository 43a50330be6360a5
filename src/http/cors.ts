import { NO_HEADERS } from '../request-log/headers.js'
import { ASSUMED_HEADER, type JsonResponse, REQUEST_ID_HEADER } from '../request-log/log-record.js'
import { FAULT_HEADER } from './api-error.js'
import type { RequestContext } from './context.js'
import { HINT_HEADER } from './hint.js'

/** The response headers that a page may read. */
const EXPOSED = [
  REQUEST_ID_HEADER,
  ASSUMED_HEADER,
  FAULT_HEADER,
  HINT_HEADER,
  'retry-after',
  'allow',
].join(', ')

const MAX_AGE_S = '600'

/** The headers that let a page of an allowed origin read the response. */
export const corsHeaders = (
  c: RequestContext,
  origins: readonly string[],
): JsonResponse['headers'] => {
  if (origins.length === 0) return NO_HEADERS
  const origin = c.req.header('origin')
  if (origin === undefined || !origins.includes(origin)) return { vary: 'origin' }
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    vary: 'origin',
  }
}

/** Answers a preflight of an allowed origin; undefined for all other requests. */
export const answerPreflight = (
  c: RequestContext,
  origins: readonly string[],
): JsonResponse | undefined => {
  if (c.req.method !== 'OPTIONS' || origins.length === 0) return undefined
  const method = c.req.header('access-control-request-method')
  const origin = c.req.header('origin')
  if (method === undefined || origin === undefined || !origins.includes(origin)) return undefined
  const headers = c.req.header('access-control-request-headers')
  const isPrivate = c.req.header('access-control-request-private-network') === 'true'
  return {
    status: 204,
    text: '',
    headers: {
      ...corsHeaders(c, origins),
      'access-control-allow-methods': method,
      ...(headers !== undefined && { 'access-control-allow-headers': headers }),
      ...(isPrivate && { 'access-control-allow-private-network': 'true' }),
      'access-control-max-age': MAX_AGE_S,
    },
  }
}
