import * as z from 'zod'
import { documented, observed } from './provenance.js'

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
