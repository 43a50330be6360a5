import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context, Hono } from 'hono'
import { documentsFolder, referenceFolder } from './paths.js'
import { renderReference } from './reference/page.js'

/** Documents and pages: made or read when they are first asked for, then kept. */
export const mountPages = (app: Hono): void => {
  app.get('/', (c) => c.redirect('/reference'))
  app.get('/reference/', (c) => c.redirect('/reference'))
  for (const [path, type, kept] of PAGES) app.get(path, async (c) => answer(c, type, await kept()))
}

/** Scripts and styles come from here alone; Scalar sets styles from script, hence the inline ones. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Kept {
  readonly body: Uint8Array<ArrayBuffer>
  readonly etag: string
  readonly gzipped: boolean
}

/** A failure is not kept: what is missing now may have been built by the next request. */
const keep = (read: () => Promise<Buffer | string>): (() => Promise<Kept>) => {
  let kept: Promise<Kept> | undefined
  return () => {
    kept ??= read().then(
      (content) => keptOf(Buffer.from(content)),
      (error: unknown) => {
        kept = undefined
        throw error
      },
    )
    return kept
  }
}

const keptOf = (bytes: Buffer<ArrayBuffer>): Kept => ({
  body: new Uint8Array(bytes),
  etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  gzipped: bytes[0] === 0x1f && bytes[1] === 0x8b,
})

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'
const ICON = 'image/svg+xml'
const DOCUMENT = 'application/json'

const reference = (name: string) => keep(() => readFile(join(referenceFolder, name)))
const openapi = (name: string) => keep(() => readFile(join(documentsFolder, name)))

const PAGES: readonly (readonly [path: string, type: string, kept: () => Promise<Kept>])[] = [
  ['/openapi.json', DOCUMENT, openapi('service.json')],
  ['/_sandbox/openapi.json', DOCUMENT, openapi('control.json')],
  ['/reference', HTML, keep(async () => (await renderReference()).page)],
  ['/reference/start.js', SCRIPT, keep(async () => (await renderReference()).start)],
  ['/reference/scalar.js', SCRIPT, reference('scalar.js.gz')],
  ['/reference/provenance.js', SCRIPT, reference('provenance.js')],
  ['/reference/style.css', STYLE, reference('style.css')],
  ['/reference/icon.svg', ICON, reference('icon.svg')],
]

/** The hash as etag: a reload costs no transfer and never shows an old page. */
const answer = async (c: Context, type: string, kept: Kept): Promise<Response> => {
  c.header('content-type', type)
  c.header('content-security-policy', POLICY)
  c.header('x-content-type-options', 'nosniff')
  c.header('referrer-policy', 'no-referrer')
  c.header('cache-control', 'no-cache')
  c.header('etag', kept.etag)
  if (kept.gzipped) c.header('vary', 'accept-encoding')
  if (c.req.header('if-none-match') === kept.etag) return c.body(null, 304)
  if (!kept.gzipped) return c.body(kept.body)
  if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? ''))
    return c.body(new Uint8Array(await promisify(gunzip)(kept.body)))
  c.header('content-encoding', 'gzip')
  return c.body(kept.body)
}
