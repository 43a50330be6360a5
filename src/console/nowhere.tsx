import type { Context } from 'hono'
import type { WireError } from '../http/wire-error.js'
import { withHeaders } from './answer.js'
import { ClosedPage } from './sign-in.js'

/** The page for a browser that comes to a path that does not exist. */
export const nowherePage = (c: Context, { message }: WireError): Response => {
  withHeaders(c)
  return c.html(`<!DOCTYPE html>${<ClosedPage title="Nothing is here" message={message} />}`, 404)
}
