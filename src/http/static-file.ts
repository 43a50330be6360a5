import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context } from 'hono'

/** What is made or read once, and then kept. */
export interface CachedFile {
  readonly body: Uint8Array<ArrayBuffer>
  readonly etag: string
  readonly gzipped: boolean
}

/** Reads something with the first call and keeps it, but for a failure: what is missing may be built by the next call. */
export const cacheFile = (read: () => Promise<Buffer | string>): (() => Promise<CachedFile>) => {
  let kept: Promise<CachedFile> | undefined
  return () => {
    kept ??= read().then(
      (content) => cached(Buffer.from(content)),
      (error: unknown) => {
        kept = undefined
        throw error
      },
    )
    return kept
  }
}

/** Among encodings, unless its weight is zero. */
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

export const cached = (bytes: Buffer<ArrayBuffer>): CachedFile => ({
  body: new Uint8Array(bytes),
  etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  gzipped: bytes[0] === 0x1f && bytes[1] === 0x8b,
})

/** The hash as etag: a reload costs no transfer and never shows an old page. */
export const serveCached = async (
  c: Context,
  type: string,
  policy: string,
  kept: CachedFile,
): Promise<Response> => {
  c.header('content-type', type)
  c.header('content-security-policy', policy)
  c.header('x-content-type-options', 'nosniff')
  c.header('referrer-policy', 'no-referrer')
  // Whoever has opened it in a tab cannot lead it elsewhere later.
  c.header('cross-origin-opener-policy', 'same-origin')
  c.header('cross-origin-resource-policy', 'same-origin')
  // An address that names a version is asked for once.
  const isVersioned = c.req.query('v') !== undefined
  c.header('cache-control', isVersioned ? 'max-age=31536000, immutable' : 'no-cache')
  c.header('etag', kept.etag)
  if (kept.gzipped) c.header('vary', 'accept-encoding')
  if (c.req.header('if-none-match') === kept.etag) return c.body(null, 304)
  if (!kept.gzipped) return c.body(kept.body)
  if (!GZIP.test(c.req.header('accept-encoding') ?? ''))
    return c.body(new Uint8Array(await promisify(gunzip)(kept.body)))
  c.header('content-encoding', 'gzip')
  return c.body(kept.body)
}
