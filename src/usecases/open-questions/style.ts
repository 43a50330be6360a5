/** One column for paper and screens, light or dark. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --faint: #5d6878; --line: #d9dee6; --card: #f6f8fa;
  --high: #b3261e; --medium: #8a5a00; --low: #3d6b4f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --faint: #9aa5b4; --line: #333c49;
  --card: #1a2029; --high: #ff8f85; --medium: #f0bd62; --low: #8fce9f; } }
body { margin: 0 auto; max-width: 46rem; padding: 2.5rem 1.25rem 4rem; color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2.75rem 0 1rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0 0 .35rem; }
.faint { color: var(--faint); font-size: .875rem; margin: 0 0 .75rem; }
article { margin: 0 0 1.75rem; padding-left: 1rem; border-left: 3px solid var(--line); }
article.high { border-color: var(--high); }
article.medium { border-color: var(--medium); }
article.low { border-color: var(--low); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 0 0 .75rem; }
dt { color: var(--faint); }
dd { margin: 0; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
code { color: var(--faint); overflow-wrap: anywhere; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: 0;
  padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
a { color: inherit; }
body:has(table) { max-width: 80rem; }
table { border-collapse: collapse; font-size: .8125rem; line-height: 1.35; }
th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
table + p { margin-top: .75rem; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin: 0 0 .4rem; } }
@media screen and (max-width: 48rem) { th { display: none; } tr, td { display: block; }
  tr:has(td) { border: 1px solid var(--line); margin: 0 0 1rem; } td { border: 0; }
  td::before { content: attr(data-column); display: block; color: var(--faint); } }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } article { break-inside: avoid-page; }
  pre { font-size: 8pt; } h2 { break-after: avoid; } }
`
