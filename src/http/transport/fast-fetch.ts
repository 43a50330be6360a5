import type { FastFetch } from '../operation/api.js'
import { isPlainTarget, matchEndpoint, PlainRequestView } from './fast-path.js'
import { toResponse } from './fetch-adapter.js'
import type { Endpoint } from './routes.js'

/**
 * Answers plain requests in process, as most tests send them, without the platform's Request: it costs
 * more than most responses do. The pipeline is the same.
 */
export const createFastFetch =
  (endpoints: readonly Endpoint[]): FastFetch =>
  (input, init = {}) => {
    if (typeof input !== 'string' || !isPlainTarget(input) || !hasOnlyPlainFields(init))
      return undefined
    const { method = 'GET', body } = init
    const text = body ?? undefined
    if (text !== undefined && (method === 'GET' || !isPlainText(text))) return undefined
    const headers = readPlainHeaders(init.headers, text)
    const match = headers && matchEndpoint(endpoints, method, input)
    if (!match) return undefined
    const { handle, path, params } = match
    const url = `http://localhost${input}`
    const req = new PlainRequestView(method, url, path, params, headers, text)
    const c = { req, env: undefined }
    return handle(c).then((response) => toResponse(c, response))
  }

const PLAIN_FIELDS = new Set(['method', 'headers', 'body'])

const hasOnlyPlainFields = (init: RequestInit): boolean => {
  for (const field in init) if (!PLAIN_FIELDS.has(field)) return false
  return true
}

/** Whether the platform would send a body unchanged. It replaces lone surrogates. */
const isPlainText = (body: unknown): body is string =>
  typeof body === 'string' && !/\p{Surrogate}/u.test(body)

const NAME = /^[\w-]+$/
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Headers by lower-case name in order, as the platform lists them; undefined if one is not plain. */
const readPlainHeaders = (
  given: RequestInit['headers'],
  body: string | undefined,
): Record<string, string> | undefined => {
  if (given !== undefined && Object.getPrototypeOf(given) !== Object.prototype) return undefined
  const lines = Object.entries(given ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  const isTyped = lines.some(([name]) => name === 'content-type')
  if (body !== undefined && !isTyped) lines.push(['content-type', 'text/plain;charset=UTF-8'])
  const headers: Record<string, string> = {}
  for (const [name = '', value] of lines.sort()) {
    if (!NAME.test(name) || name in headers) return undefined
    if (typeof value !== 'string' || !VALUE.test(value)) return undefined
    headers[name] = value
  }
  return headers
}
