import { createHash } from 'node:crypto'
import type { ConfirmedReading } from '../../assumptions/answers-file.js'
import { RISKS } from '../../assumptions/register/risks.js'
import type { QuestionsReport, SettledQuestion, UnexercisedQuestion } from './report.js'
import {
  ANSWERS,
  ANSWERS_TITLE,
  answersFile,
  countsInWords,
  exampleTitle,
  exchangeText,
  introduction,
  LEFT_OUT_TITLE,
  LEFT_OUT_WORDS,
  type Numbered,
  numbered,
  RISK_TITLES,
  relyingWords,
  requestsInWords,
  SETTLED_TITLE,
  TITLE,
  UNEXERCISED,
  UNEXERCISED_TITLE,
} from './report-text.js'
import { STYLE } from './style.js'

/** Nothing but the one style that is in the page, by its hash: no script, no address is loaded. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The policy for a header, which may say more than a page can of itself. */
export const HTML_POLICY = `${POLICY}; frame-ancestors 'none'`

/** The report as one page that needs nothing else, on a screen or on paper. */
export const renderHtml = (report: QuestionsReport): string => {
  const { settled, unexercised, left_out } = report
  const questions = numbered(report)
  const answers = answersFile(report)
  return renderPage([
    `<p class="faint">${countsInWords(report)}. ${escaped(requestsInWords(report))}.</p>`,
    `<p>${escaped(introduction(report))}</p>`,
    ...RISKS.flatMap((risk) => {
      const these = questions.filter(({ question }) => question.risk === risk)
      return these.length === 0 ? [] : [`<h2>${RISK_TITLES[risk]}</h2>`, ...these.map(article)]
    }),
    ...(unexercised.length > 0
      ? [
          `<h2>${UNEXERCISED_TITLE}</h2>`,
          `<p>${UNEXERCISED}</p>`,
          `<dl>${unexercised.map(unexercisedItem).join('')}</dl>`,
        ]
      : []),
    `<h2>${LEFT_OUT_TITLE}</h2>`,
    `<p>${LEFT_OUT_WORDS}</p>`,
    `<dl>${left_out.map(({ topic, question }) => item(topic, question)).join('')}</dl>`,
    ...(settled.length > 0
      ? [`<h2>${SETTLED_TITLE}</h2>`, `<dl>${settled.map(settledItem).join('')}</dl>`]
      : []),
    ...(answers === ''
      ? []
      : [
          `<h2>${ANSWERS_TITLE}</h2>`,
          `<p>${escaped(ANSWERS)}</p>`,
          `<pre>${escaped(answers)}</pre>`,
        ]),
  ])
}

/** A whole page of the report, from what is below its title. */
export const renderPage = (lines: readonly string[]): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${TITLE}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${TITLE}</h1>`,
    ...lines,
    '</body>',
    '</html>',
    '',
  ].join('\n')

const article = ({ question: it, number, shownAt }: Numbered): string =>
  [
    `<article class="${it.risk}" id="${it.id}">`,
    `<h3>${number}. ${escaped(it.question)}</h3>`,
    `<p class="faint"><code>${it.id}</code> ${escaped(relyingWords(it))}</p>`,
    '<dl>',
    item('We assume', it.assumed.description, it.assumed.name),
    ...it.others.map(({ name, description }) => item('Or is it', description, name)),
    ...(it.settled ? [`<dt>Settled otherwise</dt><dd>${renderAnswer(it.settled)}</dd>`] : []),
    item('If otherwise', it.consequence),
    item('Rests on', it.basis),
    '</dl>',
    ...(it.example ? [`<p class="faint">${escaped(exampleTitle(it.example, shownAt))}</p>`] : []),
    ...(it.example && shownAt === undefined
      ? [`<pre>${escaped(exchangeText(it.example))}</pre>`]
      : []),
    '</article>',
  ].join('\n')

const item = (term: string, text: string, name?: string): string =>
  `<dt>${term}</dt><dd>${escaped(text)}${name === undefined ? '' : ` <code>${escaped(name)}</code>`}</dd>`

const unexercisedItem = ({ id, message, consequence }: UnexercisedQuestion): string =>
  `<dt><code>${id}</code></dt><dd>${escaped(message)} If otherwise, ${escaped(consequence)}.</dd>`

const settledItem = ({ id, question, assumed, settled: confirmed }: SettledQuestion): string => {
  const otherwise =
    assumed.name === confirmed.reading
      ? ''
      : `; this world reads it as <code>${escaped(assumed.name)}</code>`
  return `<dt><code>${id}</code></dt><dd>${escaped(question)} ${renderAnswer(confirmed)}${otherwise}</dd>`
}

/** An answer, and where it is from. */
const renderAnswer = ({ reading, said_by, when, link }: ConfirmedReading): string => {
  const by = escaped(said_by)
  const source = link === undefined ? by : `<a href="${escaped(link)}">${by}</a>`
  return `<code>${escaped(reading)}</code>, says ${source}, ${escaped(when)}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (it) => ENTITIES[it] ?? it)
