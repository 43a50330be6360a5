import { expect } from 'vitest'
import { concerns } from '../../src/http/assumptions.js'
import { type AssumptionId, DEFAULTS, isAssumption } from '../../src/world/reading-names.js'
import { findPath, misfits } from './described.js'

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

const ERROR_FIELDS = ['code', 'httpMethod', 'message', 'path', 'requestId', 'resourcePath']

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
  '4060': 406,
  '4080': 408,
  '4090': 409,
  '4110': 410,
  '4130': 413,
  '4150': 415,
  '4290': 429,
  '4310': 431,
  '5010': 501,
}

/** Holds an answer against all that is promised of every answer of the two faces. */
export const checkAnswer = (answer: Exchanged): void => {
  const { method, path, status, headers, body } = answer
  const call = `${status} ${method} ${path}`
  // What a rule made or altered promises nothing else than to say so.
  if (headers.has('x-sandbox-fault')) return
  // 501 is what --strict answers.
  if (status !== 501) expect(status, `${call} is a bug: ${JSON.stringify(body)}`).toBeLessThan(500)
  expect(headers.get('x-request-id'), `x-request-id of ${call}`).toMatch(UUID)
  expect(typesDue(answer), `content-type of ${call}`).toContain(typeOf(headers))
  const foreign = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
  expect(foreign, `no page of another site may read ${call}`).toEqual([])
  const told = readingsTold(headers)
  // The documents tell of the default readings, and no others.
  const isUsual = told.every(([id = '', reading]) => isDefault(id, reading))
  checkListed(answer, told)
  if (status >= 400 && method !== 'HEAD') checkError(answer, isUsual)
  if (isUsual) checkDocumented(answer)
}

const readingsTold = (headers: Headers): string[][] =>
  (headers.get('x-sandbox-assumed') ?? '')
    .split(', ')
    .filter(Boolean)
    .map((told) => told.split('='))

const isDefault = (id: string, reading: string | undefined): boolean => {
  // Asked thousands of times: an `expect` for each would take a good part of all tests' time.
  if (!isAssumption(id)) expect.fail(`${id} is no assumption`)
  return (DEFAULTS as Readonly<Record<string, string>>)[id] === reading
}

/** An answer relies on nothing that the register does not list for its operation. */
const checkListed = ({ method, path }: Exchanged, told: readonly string[][]): void => {
  const operation = operationAt(method, path)?.operationId
  for (const [id = ''] of told) {
    if (!concerns(id as AssumptionId, operation)) {
      expect.fail(`${operation} relied on ${id}, which is not said to concern it`)
    }
  }
}

const operationAt = (method: string, path: string) =>
  findPath(path)?.operations[method === 'HEAD' ? 'get' : method.toLowerCase()]

/** JSON, unless the document says that this answer is something else, or may be. */
const typesDue = ({ method, path, status }: Exchanged): string[] => {
  const types = Object.keys(operationAt(method, path)?.responses[status]?.content ?? {})
  return types.length > 0 ? types : ['application/json']
}

/** The content type of an answer; that of a text tells its letters too. */
export const typeOf = (headers: Headers): string =>
  headers.get('content-type')?.replace(/^(text\/(?:html|markdown)); charset=utf-8$/, '$1') ?? ''

/** The error body of the contract: six fields and no more, which agree with the request. */
const checkError = ({ method, path, status, headers, body }: Exchanged, isUsual: boolean): void => {
  expect(Object.keys(Object(body)).sort()).toEqual(ERROR_FIELDS)
  const { code, message, ...rest } = body as Record<string, unknown>
  if (isUsual) expect(STATUS_OF_CODE[String(code)], `the status of code ${code}`).toBe(status)
  expect(message).toMatch(/\S/)
  expect(message, 'a stack trace must not get out').not.toMatch(
    /\.[jt]s:\d+|node:internal|\n\s+at /,
  )
  const face = /^\/(payment|onboarding|_sandbox)(?=\/|$)/.exec(path)?.[0] ?? ''
  expect(rest).toEqual({
    httpMethod: method,
    path,
    requestId: headers.get('x-request-id'),
    resourcePath: `${face}/{proxy+}`,
  })
}

/** What a path or method that no document knows may answer: the door's errors, 404, 405. */
const ELSEWHERE = [401, 403, 404, 405, 429, 501]

const checkDocumented = ({ method, path, status, headers, body }: Exchanged): void => {
  const found = findPath(path)
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const operation = found?.operations[verb]
  if (!found || !operation) {
    expect(ELSEWHERE, `${status} of ${method} ${path}, which is not documented`).toContain(status)
    return
  }
  expect(Object.keys(operation.responses), `answers of ${operation.operationId}`).toContain(
    String(status),
  )
  if (method === 'HEAD') expect(body, 'HEAD has no body').toBeUndefined()
  else if (typeOf(headers) !== 'application/json') return
  else expect(misfits(found, verb, status, body), `${operation.operationId} ${status}`).toBe('')
}
