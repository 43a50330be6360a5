import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Hono } from 'hono'
import { documentsFolder, referenceFolder } from './paths.js'

/** Documents and pages: files of the package, read when they are first asked for. */
export const mountPages = (app: Hono): void => {
  app.get('/', (c) => c.redirect('/reference'))
  for (const [path, folder, name] of FILES) app.get(path, (c) => file(c, join(folder, name)))
}

const FILES = [
  ['/openapi.json', documentsFolder, 'service.json'],
  ['/_sandbox/openapi.json', documentsFolder, 'control.json'],
  ['/reference', referenceFolder, 'index.html'],
  ['/reference/scalar.js', referenceFolder, 'scalar.js'],
  ['/reference/start.js', referenceFolder, 'start.js'],
  ['/reference/style.css', referenceFolder, 'style.css'],
  ['/reference/icon.svg', referenceFolder, 'icon.svg'],
] as const

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
}

/** Scripts and styles come from here alone; Scalar sets styles from script, hence the inline ones. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A file with its hash as etag, so that a reload costs no transfer and never shows an old one. */
const file = async (c: Context, path: string): Promise<Response> => {
  const { body, etag } = await load(path)
  const headers = {
    'content-type': TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
    etag,
  }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  return c.body(body, 200, headers)
}

interface Loaded {
  readonly body: Uint8Array<ArrayBuffer>
  readonly etag: string
}

const loaded = new Map<string, Promise<Loaded>>()

const load = (path: string): Promise<Loaded> => {
  const known = loaded.get(path)
  if (known) return known
  const loading = readFile(path).then((bytes) => ({
    body: new Uint8Array(bytes),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  }))
  loaded.set(path, loading)
  return loading
}
