import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { packageFolder } from '../../lib/paths.js'
import { isFile } from '../../lib/read-file.js'
import { staticHeaders } from './static-headers.js'

/** At their paths in the package, so that their links lead to each other. */
export const DOC_PATHS = [
  ...['/llms.txt', '/:page{[A-Z]+\\.md}', '/scenarios/:file{[\\w-]+\\.yaml}'],
  ...['/docs/*', '/fixtures/*', '/openapi/*', '/skills/*', '/examples/*'],
]

/** No name begins with a dot, so that no path leaves the package. */
const DOC = /^(?:\/[\w-]+(?:\.\w+)*)+\.(?<type>md|txt|json|yaml|mjs)$/

const TYPES: Readonly<Record<string, string>> = { md: 'text/markdown', json: 'application/json' }

export const mountDocs = (app: Hono): void => {
  app.get('/docs', (c) => c.redirect('/docs/README.md'))
  for (const path of DOC_PATHS) {
    app.get(path, staticHeaders, async (c, next) => {
      const { type = '' } = DOC.exec(c.req.path)?.groups ?? {}
      const file = join(packageFolder, c.req.path)
      if (type === '' || !isFile(file)) return next()
      const headers = { 'content-type': `${TYPES[type] ?? 'text/plain'}; charset=utf-8` }
      return c.body(await readFile(file, 'utf8'), 200, headers)
    })
  }
}
