import type { Context } from 'hono'
import type { ApiError } from '../../http/api-error.js'
import { withHeaders } from '../answer.js'
import { ClosedPage } from './login.js'

/** The page for a browser that comes to a path that does not exist. */
export const notFoundPage = (c: Context, { message }: ApiError): Response => {
  withHeaders(c)
  return c.html(`<!DOCTYPE html>${<ClosedPage title="Not found" message={message} />}`, 404)
}
