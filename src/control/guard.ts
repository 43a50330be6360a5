import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { assertOwnHost, hostOf } from '../http/own-host.js'
import { WireError } from '../http/wire-error.js'
import { hashSecret } from '../secrets.js'

/**
 * Who may use the control face (a page of another site must never be able to read or reset a sandbox):
 * browsers only from the sandbox's own pages, others by the machine's own name, or with the token.
 */
export const assertAllowed = (c: Context, token: string | undefined): void => {
  assertOwnPage(c)
  if (token === undefined) assertOwnHost(c)
  else assertToken(c, token)
}

/** Refuses what a browser sends on behalf of another site. */
const assertOwnPage = (c: Context): void => {
  const origin = c.req.header('origin')
  const host = hostOf(c)
  const foreign =
    origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`
  const site = c.req.header('sec-fetch-site')
  if (foreign || site === 'cross-site' || site === 'same-site') {
    throw new WireError(
      '4031',
      `the request comes from another site${origin ? `, ${origin}` : ''}; the control face answers only the sandbox’s own pages and programs`,
    )
  }
}

const assertToken = (c: Context, token: string): void => {
  const given = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (given !== undefined && isSame(given, token)) return
  throw new WireError(
    '4011',
    `${given === undefined ? 'no control token' : 'a wrong control token'} came; accepted: the one of --control-token, as authorization: Bearer <token>`,
    { 'www-authenticate': 'Bearer' },
  )
}

/** Compares hashes, so that neither length nor content shows in the time it takes. */
const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(a)), Buffer.from(hashSecret(b)))
