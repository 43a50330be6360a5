import { inWords } from '../lib/app-error.js'
import { isSameSecret } from '../lib/secrets.js'
import { ApiError } from './api-error.js'
import type { RequestContext } from './context.js'
import { type Access, isFromBrowser } from './host-guard.js'
import { assertSameOrigin } from './origin-guard.js'

/**
 * Who may use the control face (a page of another site must never be able to read or reset a sandbox):
 * browsers only from the sandbox's own pages, others by the machine's own name, or with the token.
 */
export const assertAllowed = (c: RequestContext, { controlToken, assertHost }: Access): void => {
  assertSameOrigin(c, 'control face')
  // A page that reaches the sandbox under another name does not know the token, but may find it.
  if (controlToken === undefined || isFromBrowser(c)) assertHost(c)
  if (controlToken !== undefined) assertToken(c, controlToken)
}

const assertToken = (c: RequestContext, token: string): void => {
  const given = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (given !== undefined && isSameSecret(given, token)) return
  throw new ApiError(
    '4011',
    {
      field: 'control token',
      received: given && inWords('a wrong one'),
      expected: 'that of --control-token, as authorization: Bearer <token>',
    },
    { 'www-authenticate': 'Bearer' },
  )
}
