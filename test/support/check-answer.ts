import { format, isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { type AssumptionId, DEFAULT_READINGS, isAssumption } from '../../src/assumptions/ids.js'
import { concerns } from '../../src/assumptions/register/index.js'
import { findPath, misfits } from './openapi-documents.js'

export interface Exchanged {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  /** Undefined when there is none, as for HEAD, and for a stream, which nobody can read to its end. */
  readonly body: unknown
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Which status goes with which code: the contract's table, and the sandbox's own codes. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  '4030': 403,
  '4100': 403,
  '4101': 401,
  '4102': 401,
  '4103': 401,
  '4300': 403,
  '4000': 400,
  '4004': 400,
  '4011': 401,
  '4031': 403,
  '4032': 403,
  '4033': 403,
  '4040': 404,
  '4050': 405,
  '4080': 408,
  '4090': 409,
  '4110': 410,
  '4130': 413,
  '4150': 415,
  '4290': 429,
  '4310': 431,
  '5010': 501,
  '5070': 507,
}

/** Checks a response against everything that both APIs promise of every response. */
export const checkAnswer = (answer: Exchanged): void => {
  const { method, path, status, headers, body } = answer
  const call = `${status} ${method} ${path}`
  // A response that a rule created or altered promises only its mark.
  if (headers.has('x-sandbox-fault')) return
  // 501 is what --strict answers, 507 what a full world does.
  hold(
    status < 500 || status === 501 || status === 507,
    () => `${call} is a bug: ${JSON.stringify(body)}`,
  )
  const id = headers.get('x-request-id') ?? ''
  hold(UUID.test(id), () => `${call} has "${id}" as its x-request-id`)
  const type = typeOf(headers)
  hold(typesDue(answer).includes(type), () => `${call} has "${type}" as its content-type`)
  const foreign = [...headers.keys()].find((name) => name.startsWith('access-control-'))
  hold(foreign === undefined, () => `a page of another site may read ${call}: ${foreign}`)
  const reported = readingsTold(headers)
  // The documents describe the default readings only.
  const isUsual = reported.every(([id = '', reading]) => isDefault(id, reading))
  checkListed(answer, reported)
  if (status >= 400 && method !== 'HEAD') checkError(answer, isUsual)
  if (isUsual) checkDocumented(answer)
}

/** Asked thousands of times: an `expect` for each would take a good part of all tests' time. */
const hold = (holds: boolean, otherwise: () => string): void => {
  if (!holds) expect.fail(otherwise())
}

const readingsTold = (headers: Headers): string[][] =>
  (headers.get('x-sandbox-assumed') ?? '')
    .split(', ')
    .filter(Boolean)
    .map((reported) => reported.split('='))

const isDefault = (id: string, reading: string | undefined): boolean => {
  hold(isAssumption(id), () => `${id} is no assumption`)
  return (DEFAULT_READINGS as Readonly<Record<string, string>>)[id] === reading
}

/** An answer relies on nothing that the register does not list for its operation. */
const checkListed = ({ method, path }: Exchanged, reported: readonly string[][]): void => {
  const operation = operationAt(method, path)?.operationId
  for (const [id = ''] of reported) {
    const isListed = concerns(id as AssumptionId, operation)
    hold(isListed, () => `${operation} relied on ${id}, which is not said to concern it`)
  }
}

const operationAt = (method: string, path: string) =>
  findPath(path)?.operations[method === 'HEAD' ? 'get' : method.toLowerCase()]

/** JSON, unless the document says that this answer is something else, or may be. */
const typesDue = ({ method, path, status }: Exchanged): string[] => {
  const types = Object.keys(operationAt(method, path)?.responses[status]?.content ?? {})
  return types.length > 0 ? types : ['application/json']
}

/** The content type of a response, with the charset for text. */
export const typeOf = (headers: Headers): string =>
  headers.get('content-type')?.replace(/^(text\/(?:html|markdown)); charset=utf-8$/, '$1') ?? ''

/**
 * The error body of the contract: six fields and no more, which agree with the request. The control API adds the
 * problems that its message joins.
 */
const checkError = ({ method, path, status, headers, body }: Exchanged, isUsual: boolean): void => {
  const { code, message, problems } = Object(body) as Record<string, unknown>
  const face = /^\/(payment|onboarding|_sandbox)(?=\/|$)/.exec(path)?.[0] ?? ''
  const due: Record<string, unknown> = {
    code,
    httpMethod: method,
    message,
    path,
    requestId: headers.get('x-request-id'),
    resourcePath: `${face}/{proxy+}`,
    ...(face === '/_sandbox' && problems !== undefined && { problems }),
  }
  hold(isDeepStrictEqual(body, due), () => `${format(body)} came as an error, for ${format(due)}`)
  const isOf = STATUS_OF_CODE[String(code)] === status
  hold(isOf || !isUsual, () => `code ${code} came with status ${status}`)
  hold(typeof message === 'string' && /\S/.test(message), () => `code ${code} has no message`)
  hold(!TRACE.test(String(message)), () => `a stack trace must not get out: ${message}`)
}

const TRACE = /\.[jt]s:\d+|node:internal|\n\s+at /

/** Responses to a path or method that no document knows: authentication errors, 404, 405. */
const ELSEWHERE = [401, 403, 404, 405, 429, 501]

const checkDocumented = ({ method, path, status, headers, body }: Exchanged): void => {
  const found = findPath(path)
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const operation = found?.operations[verb]
  if (!found || !operation) {
    const isDue = ELSEWHERE.includes(status)
    hold(isDue, () => `${status} came of ${method} ${path}, which is not documented`)
    return
  }
  // What --strict answers, or a full world, is no answer of the service.
  if (status === 501 || (status === 507 && !path.startsWith('/_sandbox'))) return
  const { operationId, responses } = operation
  hold(status in responses, () => `${operationId} is not said to answer ${status}`)
  if (method === 'HEAD') {
    hold(body === undefined, () => `HEAD ${path} has a body`)
    return
  }
  if (typeOf(headers) !== 'application/json') return
  const wrong = misfits(found, verb, status, body)
  hold(wrong === '', () => `${operationId} ${status}: ${wrong}`)
}
