import { suitesText } from '../cli/run/junit.js'
import { seconds } from '../cli/run/report.js'
import { attributes, html } from '../console/components/html.js'
import { toCommandLine } from '../lib/shell-quote.js'
import { cellName } from './cells.js'
import { isNote, type Judged, KINDS } from './judge.js'
import {
  groupFindings,
  legendLines,
  markOf,
  type SweepResult,
  sweepConduct,
  tellStory,
  toGrid,
  verdictLine,
} from './report.js'

/** One case for the sweep, and one per finding. */
export const sweepJunitText = (result: SweepResult): string => {
  const { cells, options, duration_ms } = result
  const command = toCommandLine(options.run.command)
  const found = groupFindings(cells).filter(({ kind }) => !isNote(kind))
  const cases = found.map(({ kind, first, where }) => ({
    ...{ classname: 'sandramp.sweep', name: `${kind}: ${command}` },
    failure: {
      message: `${KINDS[kind].does}: ${where.join('; ')}`,
      text: tellStory(result, first).join('\n'),
    },
  }))
  const [time, systemOut] = [seconds(duration_ms), verdictLine(cells)]
  const whole = { classname: 'sandramp.sweep', name: command, time, systemOut }
  const properties = { seed: options.run.sandbox.seed }
  const suite = { name: 'sandramp sweep', duration_ms, properties, cases: [whole, ...cases] }
  return suitesText('sandramp sweep', [suite])
}

/** A page without scripts: the findings, the matrix, and the story of each cell with a finding. */
export const htmlText = (result: SweepResult): string => {
  const { cells, options, notes } = result
  const { calls, rows } = toGrid(result)
  return String(html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>sandramp sweep</title><style>${STYLE}</style>
<h1>${verdictLine(cells)}</h1>
<p><code>${toCommandLine(options.run.command)}</code></p>
<ul>${groupFindings(cells).map(
    ({ kind, where }) =>
      html`<li>${isNote(kind) && 'note: '}<b>${KINDS[kind].does}</b> ${where.join('; ')}</li>`,
  )}</ul>
<table><thead><tr><td></td>${calls.map(({ name }) => html`<th>${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([{ name, does }, row]) =>
      html`<tr><th${attributes({ title: does })}>${name}</th>${row.map(drawCell)}</tr>`,
  )}</tbody></table>
<pre>${[...legendLines(cells), ...notes, '', ...sweepConduct(cells)].join('\n')}</pre>
${cells
  .filter(({ findings }) => findings.length > 0)
  .map(
    (it) => html`<details${attributes({ id: cellName(it.cell) })}>
<summary>${cellName(it.cell)}: ${it.findings[0]?.text}</summary>
<pre>${tellStory(result, it).join('\n')}</pre></details>`,
  )}</html>
`)
}

const drawCell = (judged: Judged | undefined) => {
  if (!judged) return html`<td></td>`
  const [name, mark] = [cellName(judged.cell), markOf(judged)]
  const isLinked = judged.findings.length > 0
  const content = isLinked ? html`<a${attributes({ href: `#${name}` })}>${mark}</a>` : mark
  return html`<td${attributes({ class: judged.verdict, title: name })}>${content}</td>`
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse }
th { font-weight: 400; text-align: left; padding-right: 1rem }
thead th { writing-mode: vertical-rl; padding: .5rem 0 }
tbody td { width: 2.4rem; height: 2rem; text-align: center; border: 1px solid light-dark(#d5dae0, #3a4149) }
.same { background: light-dark(#eaf7ee, #14301d) }
.bad { background: light-dark(#fde0dc, #5a1f19); font-weight: 700 }
.noted, .other, .unreached, .void { background: light-dark(#fff4d6, #3d3412) }
pre { background: light-dark(#f4f5f7, #1d2227); padding: 1rem; overflow: auto }
`
