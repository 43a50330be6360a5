import { Scalar } from '@scalar/hono-api-reference'
import { Hono } from 'hono'
import { assumptionIds } from '../../assumptions/ids.js'
import { assumptions } from '../../assumptions/register/index.js'
import { configuration } from './configuration.js'

/**
 * Scalar's page, as its Hono package renders it, in two files: the policy allows no inline script,
 * so the one that starts Scalar is taken out of the page. Our name and style are put in.
 */
export const renderReference = async (): Promise<{ page: string; start: string }> => {
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
