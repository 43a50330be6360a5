import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type ApiReferenceConfiguration, Scalar } from '@scalar/hono-api-reference'
import { Hono } from 'hono'
import { assumptionIds } from '../../assumptions/ids.js'
import { assumptions } from '../../assumptions/register/index.js'
import { lazy } from '../../lib/lazy.js'
import { consoleFolder, referenceFolder } from '../../lib/paths.js'
import { DEMO_KEY } from '../../lib/secrets.js'
import { staticHeaders } from './static-headers.js'

const FILES: readonly (readonly [path: string, folder: string])[] = [
  ['/reference/scalar.js', referenceFolder],
  ['/reference/provenance.js', referenceFolder],
  ['/reference/style.css', referenceFolder],
  ['/reference/icon.svg', referenceFolder],
  ['/console/console.css', consoleFolder],
  ['/console/client.js', consoleFolder],
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

/**
 * Scalar's page, as its Hono package renders it, in two files: the policy allows no inline script,
 * so the one that starts Scalar is taken out of the page. Our name and style are put in.
 */
const renderReference = async (): Promise<{ page: string; start: string }> => {
  const rendered = await new Hono().get('/', Scalar(configuration)).request('/')
  let page = await rendered.text()
  const put = (old: string, replacement: string): void => {
    if (!page.includes(old)) throw new Error(`the reference's page holds no ${old}`)
    page = page.replace(old, () => replacement)
  }
  const start = /<script type="text\/javascript">(.*?)<\/script>/s.exec(page)
  put(start?.[0] ?? 'inline script', START)
  put('<html>', '<html lang="en">')
  put('</head>', `${HEAD}</head>`)
  put('<body>', `<body>${HEADER}`)
  return { page, start: defineQuestions() + (start?.[1] ?? '') }
}

/** The document holds only the ids of the open questions of an operation. */
const defineQuestions = (): string => {
  const questions = assumptionIds.map((id) => {
    const { risk, question } = assumptions[id]
    return [id, { risk, question }]
  })
  return `globalThis.sandrampQuestions = ${JSON.stringify(Object.fromEntries(questions))}\n`
}

const START = `<script src="/reference/provenance.js"></script>
    <script src="/reference/start.js"></script>`

const HEAD = `
    <meta name="description" content="Interactive reference of the Sandramp sandbox" />
    <link rel="icon" href="/reference/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/reference/style.css" />
  `

const HEADER = `
    <header class="banner">
      <a class="brand" href="/">
        <img src="/reference/icon.svg" alt="" width="26" height="26" />Sandramp
      </a>
      <span class="what">API reference</span>
      <a class="what console" href="/">Console</a>
    </header>
    <noscript><p class="noscript">The reference needs JavaScript. Its documents do not:
      <a href="/openapi.json">service</a>, <a href="/_sandbox/openapi.json">control</a>.</p></noscript>`

type ApiReferencePlugin = ReturnType<NonNullable<ApiReferenceConfiguration['plugins']>[number]>

/** Made by provenance.js. Scalar's Hono package passes functions on as their source text. */
declare const sandrampProvenance: () => ApiReferencePlugin

/** Fills in the demo key, so that requests work at once. */
const key = { authentication: { securitySchemes: { apiKey: { value: DEMO_KEY } } } }

const control = { title: 'Sandbox control', slug: 'control', url: '/_sandbox/openapi.json' }

/** Turns off everything in Scalar that contacts other hosts or advertises. */
const configuration: Partial<ApiReferenceConfiguration> = {
  pageTitle: 'Sandramp · API reference',
  cdn: '/reference/scalar.js',
  sources: [
    { title: 'Payments service', slug: 'service', url: '/openapi.json', default: true, ...key },
    // Sixty operations at once take a browser seconds to draw.
    { ...control, ...key, defaultOpenAllTags: false },
  ].map((source) => ({ ...source, agent: { disabled: true } })),
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  hideModels: true,
  showOperationId: true,
  plugins: [() => sandrampProvenance()],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}
