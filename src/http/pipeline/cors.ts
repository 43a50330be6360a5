import { RESPONSE_HEADERS } from '../../contract/header-names.js'
import { NO_HEADERS } from '../../history/headers.js'
import type { JsonResponse } from '../../history/log-record.js'
import type { RequestContext } from '../operation/context.js'

const EXPOSED = Object.values(RESPONSE_HEADERS).join(', ')

const MAX_AGE_S = '600'

/** The headers that let a page of an allowed origin read the response. */
export const corsHeaders = (
  origin: string | undefined,
  origins: readonly string[],
): JsonResponse['headers'] => {
  if (origins.length === 0) return NO_HEADERS
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
      ...corsHeaders(origin, origins),
      'access-control-allow-methods': method,
      ...(headers !== undefined && { 'access-control-allow-headers': headers }),
      ...(isPrivate && { 'access-control-allow-private-network': 'true' }),
      'access-control-max-age': MAX_AGE_S,
    },
  }
}
