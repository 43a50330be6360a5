import { createHash } from 'node:crypto'
import { TITLE } from './markdown.js'

/** One column for paper and screens, light or dark. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --faint: #5d6878; --line: #d9dee6; --card: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --faint: #9aa5b4; --line: #333c49;
  --card: #1a2029; } }
body { margin: 0 auto; max-width: 46rem; padding: 2.5rem 1.25rem 4rem; color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2.75rem 0 1rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2rem 0 .35rem; }
ul { margin: 0 0 .75rem; padding-left: 1.25rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
code { color: var(--faint); overflow-wrap: anywhere; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: 0;
  padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { color: inherit; }
a { color: inherit; overflow-wrap: anywhere; }
body:has(table) { max-width: 80rem; }
table { border-collapse: collapse; display: block; font-size: .8125rem; line-height: 1.35; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } pre { font-size: 8pt; }
  h2, h3 { break-after: avoid; } }
`

/** Allows the page's one style by its hash: no script, no address. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** A header may contain frame-ancestors; a page may not. */
export const HTML_POLICY = `${POLICY}; frame-ancestors 'none'`

export const renderHtml = async (markdown: string): Promise<string> => {
  const { marked } = await import('marked')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${TITLE}</title>
<style>${STYLE}</style>
</head>
<body>
${marked.parse(markdown, { async: false })}</body>
</html>
`
}
