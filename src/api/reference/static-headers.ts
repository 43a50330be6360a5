import { every } from 'hono/combine'
import { etag } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'

const NONE = ["'none'"]
const OWN = ["'self'"]

/** Headers of the reference page, of the files that pages load, and of the OpenAPI documents. */
export const staticHeaders = every(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: NONE,
      scriptSrc: OWN,
      // Scalar sets styles from its script.
      styleSrc: [...OWN, "'unsafe-inline'"],
      imgSrc: [...OWN, 'data:'],
      connectSrc: OWN,
      formAction: NONE,
      baseUri: NONE,
      frameAncestors: NONE,
    },
    // The next sandbox at this address may speak plain HTTP.
    strictTransportSecurity: false,
  }),
  etag(),
  async (c, next) => {
    await next()
    // A path with a version never changes its content.
    const isVersioned = c.req.query('v') !== undefined
    c.header('cache-control', isVersioned ? 'max-age=31536000, immutable' : 'no-cache')
  },
)
