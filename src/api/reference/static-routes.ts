import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'
import { lazy } from '../../lib/lazy.js'
import { consoleFolder, referenceFolder } from '../../lib/paths.js'
import { renderReference } from './page.js'
import { staticHeaders } from './static-headers.js'

const FILES: readonly (readonly [path: string, folder: string])[] = [
  ['/reference/scalar.js', referenceFolder],
  ['/reference/provenance.js', referenceFolder],
  ['/reference/style.css', referenceFolder],
  ['/reference/icon.svg', referenceFolder],
  ['/console/style.css', consoleFolder],
  ['/console/client.js', consoleFolder],
  ['/console/htmx.js', consoleFolder],
]

export const mountPages = (app: Hono): void => {
  const reference = lazy(renderReference)
  app.get('/reference/', (c) => c.redirect('/reference'))
  app.get('/reference', staticHeaders, (c) => reference(({ page }) => c.html(page)))
  app.get('/reference/start.js', staticHeaders, (c) =>
    reference(({ start }) =>
      c.body(start, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
    ),
  )
  for (const [path, folder] of FILES) {
    const file = join(folder, path.slice(path.lastIndexOf('/')))
    app.get(path, staticHeaders, serveStatic({ path: file }))
  }
}
