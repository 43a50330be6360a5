import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { type Block, buildBriefReport, buildFullReport, type Inline, TITLE } from './document.js'
import type { QuestionsReport } from './report.js'
import { STYLE } from './style.js'

/** Allows the page's one style by its hash: no script, no address. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** A header may contain frame-ancestors; a page may not. */
export const HTML_POLICY = `${POLICY}; frame-ancestors 'none'`

/** One page without further files, for screen and paper. */
export const renderHtml = (report: QuestionsReport): string => render(buildFullReport(report))

export const renderBriefHtml = (report: QuestionsReport): string => render(buildBriefReport(report))

const render = (blocks: readonly Block[]): string =>
  `<!doctype html>\n${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{TITLE}</title>
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        <h1>{TITLE}</h1>
        {blocks.map(renderBlock)}
      </body>
    </html>
  )}\n`

const renderBlock = (block: Block): Child => {
  switch (block.kind) {
    case 'heading':
      return <h2>{block.text}</h2>
    case 'paragraph':
      return <p class={block.isFaint ? 'faint' : undefined}>{block.text.map(renderInline)}</p>
    case 'terms':
      return (
        <dl>
          {block.terms.map(({ term, text }) => (
            <>
              <dt>{renderInline(term)}</dt>
              <dd>{text.map(renderInline)}</dd>
            </>
          ))}
        </dl>
      )
    case 'code':
      return <pre>{block.text}</pre>
    case 'question':
      return (
        <article class={block.risk} id={block.id}>
          <h3>{block.title}</h3>
          {block.blocks.map(renderBlock)}
        </article>
      )
    case 'table':
      return (
        <table>
          <tr>
            {block.columns.map((column) => (
              <th>{column}</th>
            ))}
          </tr>
          {block.rows.map((cells) => (
            <tr>
              {cells.map((lines, i) => (
                // Narrow screens show each cell below the name of its column.
                <td data-column={block.columns[i]}>
                  {lines.map((line, at) => [at > 0 && <br />, line])}
                </td>
              ))}
            </tr>
          ))}
        </table>
      )
  }
}

const renderInline = (it: Inline): Child => {
  if (typeof it === 'string') return it
  return 'code' in it ? <code>{it.code}</code> : <a href={it.href}>{it.link}</a>
}
