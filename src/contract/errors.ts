import * as z from 'zod'
import { documented, observed } from './provenance.js'

/** Contract, Errors, Error body. */
export const errorBodySchema = z
  .object({
    code: documented(
      z.string(),
      'Internal error code; the status and it together distinguish cases',
      '4101',
    ),
    httpMethod: documented(z.string(), 'Method of the request', 'GET'),
    message: documented(z.string(), 'Description of the error', 'API key not found'),
    path: documented(
      z.string(),
      'Path of the request',
      '/payment/api/v1/custody-wallet/total-balances',
    ),
    requestId: documented(z.uuid(), 'Id of the request', '0b9f6d2e-7a54-4f0e-9c1a-5d8e3b2f1a60'),
    resourcePath: observed(
      z.string(),
      'Resource path pattern of the gateway, for example a prefix followed by a proxy placeholder',
      '/payment/{proxy+}',
    ),
  })
  .meta({ id: 'ApiError' })
export type ErrorBody = Readonly<z.output<typeof errorBodySchema>>

/** Status and message word for word (contract, Errors, Error codes). */
export const documentedErrors = {
  '4030': { status: 403, message: 'Missing authentication token' },
  '4100': { status: 403, message: 'Invalid API key format' },
  '4101': { status: 401, message: 'API key not found' },
  '4102': { status: 401, message: 'API key has expired' },
  '4103': { status: 401, message: 'API key is inactive' },
  '4300': { status: 403, message: 'Insufficient permissions to access resource' },
} as const
export type DocumentedCode = keyof typeof documentedErrors

/** Contract, Errors, HTTP status codes used. */
export const documentedStatuses = {
  400: 'Invalid or malformed request',
  401: 'Authentication failed or credentials missing',
  403: 'Forbidden due to permissions',
  404: 'Resource not found',
  429: 'Too many requests; wait and retry',
  500: 'Internal error',
  502: 'Bad gateway',
  503: 'Service unavailable; wait and retry',
} as const

/** Codes that the contract lacks (error.codes). Their messages describe the case. */
export const assumedErrors = {
  '4000': { status: 400, means: 'The request is invalid; the message names the field' },
  '4004': { status: 400, means: 'The body is not well-formed JSON' },
  '4031': { status: 403, means: 'The request is from another site or names another host' },
  '4032': { status: 403, means: 'The request used plain HTTP, but the server expects HTTPS' },
  '4033': {
    status: 403,
    means: 'The named record belongs to another user, or the user is not active',
  },
  '4011': { status: 401, means: 'The control token is missing or wrong' },
  '4040': { status: 404, means: 'A record that the request names does not exist' },
  '4050': { status: 405, means: 'The path does not support this method' },
  '4080': { status: 408, means: 'The request took too long to arrive' },
  '4090': {
    status: 409,
    means: 'The state of the record does not allow this, or the record exists already',
  },
  // 4100 to 4103 are codes of the contract.
  '4110': { status: 410, means: 'The journal no longer has the entries after the cursor' },
  '4130': { status: 413, means: 'The body is larger than the limit' },
  '4150': { status: 415, means: 'The content type is not application/json' },
  '4290': { status: 429, means: 'Too many requests; `retry-after` has the seconds to wait' },
  '4310': { status: 431, means: 'The request line and headers are larger than the limit' },
  '5000': { status: 500, means: 'Internal error' },
  '5010': {
    status: 501,
    means: 'With --strict: the response would depend on an open question of the contract',
  },
  '5020': { status: 502, means: 'Bad gateway' },
  '5030': { status: 503, means: 'Service unavailable; wait and retry' },
  '5070': { status: 507, means: 'The world or its tenant has no room; the message has the sums' },
} as const
export type AssumedCode = keyof typeof assumedErrors

export type ErrorCode = DocumentedCode | AssumedCode

export const statusForCode = (code: ErrorCode): number =>
  code in documentedErrors
    ? documentedErrors[code as DocumentedCode].status
    : assumedErrors[code as AssumedCode].status
