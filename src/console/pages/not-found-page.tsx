import type { Context } from 'hono'
import type { ApiError } from '../../http/api-error.js'
import { setSecurityHeaders } from '../security-headers.js'
import { ClosedPage } from './login.js'

export const notFoundPage = (c: Context, { message }: ApiError): Response => {
  setSecurityHeaders(c)
  return c.html(`<!DOCTYPE html>${<ClosedPage title="Not found" message={message} />}`, 404)
}
