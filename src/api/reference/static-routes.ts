import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { type CachedFile, cacheFile, serveCached } from '../../http/static-file.js'
import { consoleFolder, referenceFolder } from '../../lib/paths.js'
import { renderReference } from './page.js'

/** Documents and pages: made or read when they are first asked for, then kept. */
export const mountPages = (app: Hono): void => {
  app.get('/reference/', (c) => c.redirect('/reference'))
  for (const [path, type, kept] of PAGES) {
    app.get(path, async (c) => serveCached(c, type, POLICY, await kept()))
  }
}

/** Scripts and styles come from here alone; Scalar sets styles from script, hence the inline ones. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'
const ICON = 'image/svg+xml'

const reference = (name: string) => cacheFile(() => readFile(join(referenceFolder, name)))
const ofConsole = (name: string) => cacheFile(() => readFile(join(consoleFolder, name)))

const PAGES: readonly (readonly [path: string, type: string, kept: () => Promise<CachedFile>])[] = [
  ['/reference', HTML, cacheFile(async () => (await renderReference()).page)],
  ['/reference/start.js', SCRIPT, cacheFile(async () => (await renderReference()).start)],
  ['/reference/scalar.js', SCRIPT, reference('scalar.js.gz')],
  ['/reference/provenance.js', SCRIPT, reference('provenance.js')],
  ['/reference/style.css', STYLE, reference('style.css')],
  ['/reference/icon.svg', ICON, reference('icon.svg')],
  ['/console/style.css', STYLE, ofConsole('style.css')],
  ['/console/client.js', SCRIPT, ofConsole('client.js')],
  ['/console/htmx.js', SCRIPT, ofConsole('htmx.js.gz')],
]
