import { RISKS } from '../contract/assumptions/stakes.js'
import { briefHtml } from '../questions/brief.js'
import { HTML_POLICY, htmlOf } from '../questions/html.js'
import { markdownOf } from '../questions/markdown.js'
import { type QuestionsReport, reportQuestions } from '../questions/report.js'
import {
  ANSWERS,
  ANSWERS_TITLE,
  answersFile,
  countsInWords,
  introduction,
  LEFT_OUT_TITLE,
  LEFT_OUT_WORDS,
  type Numbered,
  numbered,
  RISK_TITLES,
  relyingWords,
  SETTLED_TITLE,
  TITLE,
  UNEXERCISED,
  UNEXERCISED_TITLE,
} from '../questions/words.js'
import type { Settlement } from '../settled.js'
import { capitalized } from './capitalized.js'
import type { Download } from './download.js'
import { Command, Empty, Facts, Live, Panel } from './parts.js'
import { demoCurl } from './try.js'
import type { Page, View } from './view.js'

const reportOf = ({ sandbox, world }: View): QuestionsReport => reportQuestions(sandbox, world)

/** The open questions, with what has been relied on until now. */
export const questionsPage = (view: View): Page => {
  const report = reportOf(view)
  const { settled, unexercised, left_out, requests } = report
  const questions = numbered(report)
  const answers = answersFile(report)
  return {
    title: 'Open questions',
    body: (
      <>
        <h1>{TITLE}</h1>
        <Live id="report">
          <p class="lead">
            {capitalized(countsInWords(report))}.{' '}
            {requests === 1
              ? 'One request is looked at.'
              : `${requests.toLocaleString('en')} requests are looked at.`}
          </p>
          {requests === 0 ? null : <p>{introduction(report)}</p>}
          {requests === 0 ? (
            <Empty command={demoCurl(view, '/onboarding/api/v1/users/all')}>
              No request has come yet, so nothing was relied on. Send one:
            </Empty>
          ) : null}
          <p class="tools">
            <a href={view.to('/assumptions/report.html')} download="open-questions.html">
              Download as HTML
            </a>
            <a href={view.to('/assumptions/report.md')} download="open-questions.md">
              Download as Markdown
            </a>
            <a href={view.to('/assumptions/brief.html')} download="open-questions-brief.html">
              Download the summary
            </a>
            <a href={view.to('/assumptions')}>All assumptions</a>
          </p>
          {RISKS.map((risk) => (
            <QuestionsAtRisk
              view={view}
              title={RISK_TITLES[risk]}
              questions={questions.filter(({ question }) => question.risk === risk)}
            />
          ))}
          {unexercised.length > 0 ? (
            <UnexercisedPanel view={view} unexercised={unexercised} />
          ) : null}
          <Panel title={LEFT_OUT_TITLE}>
            <p>{LEFT_OUT_WORDS}</p>
            <Facts kind="prose" facts={left_out.map(({ topic, question }) => [topic, question])} />
          </Panel>
          {settled.length > 0 ? <SettledPanel view={view} settled={settled} /> : null}
          {answers === '' ? null : (
            <Panel title={ANSWERS_TITLE}>
              <p>{ANSWERS}</p>
              <Command text={answers} what="file of answers" />
            </Panel>
          )}
        </Live>
      </>
    ),
  }
}

const QuestionsAtRisk = ({
  view,
  title,
  questions,
}: {
  view: View
  title: string
  questions: readonly Numbered[]
}) =>
  questions.length === 0 ? null : (
    <Panel title={title}>
      {questions.map((it) => (
        <Question view={view} numbered={it} />
      ))}
    </Panel>
  )

const Question = ({
  view,
  numbered: { question: it, number },
}: {
  view: View
  numbered: Numbered
}) => (
  <article class="question" id={it.id}>
    <h3>
      {number}. {it.question}
    </h3>
    <p class="quiet">
      <a href={view.to(`/assumptions/${it.id}`)}>{it.id}</a> {relyingWords(it)}
    </p>
    <Facts
      kind="prose"
      facts={[
        ['We assume', it.assumed.description],
        ...it.others.map(({ description }) => ['Or is it', description] as const),
        ...(it.settled ? [['Settled otherwise', <Answer settled={it.settled} />] as const] : []),
        ['If otherwise', it.consequence],
        ...(it.example
          ? [
              [
                'For example',
                <a href={view.to(`/requests/${it.example.request_id}`)}>
                  {it.example.method} {it.example.path}
                </a>,
              ] as const,
            ]
          : []),
      ]}
    />
    <Command text={it.message} what={`question ${number}`} />
  </article>
)

const Answer = ({ settled: { reading, said_by, when } }: { settled: Settlement }) => (
  <>
    <code>{reading}</code>, says {said_by}, {when}
  </>
)

const UnexercisedPanel = ({
  view,
  unexercised,
}: {
  view: View
  unexercised: QuestionsReport['unexercised']
}) => (
  <Panel title={UNEXERCISED_TITLE}>
    <p>{UNEXERCISED}</p>
    <ul class="told">
      {unexercised.map(({ id, message, consequence }) => (
        <li>
          <a href={view.to(`/assumptions/${id}`)}>{id}</a> {message} If otherwise, {consequence}.
        </li>
      ))}
    </ul>
  </Panel>
)

const SettledPanel = ({ view, settled }: { view: View; settled: QuestionsReport['settled'] }) => (
  <Panel title={SETTLED_TITLE}>
    <ul class="told">
      {settled.map(({ id, question, assumed, settled: it }) => (
        <li>
          <a href={view.to(`/assumptions/${id}`)}>{id}</a> {question} <Answer settled={it} />
          {assumed.name === it.reading ? null : `; this world reads it as ${assumed.name}`}
        </li>
      ))}
    </ul>
  </Panel>
)

/** The report by itself, to send to whoever runs the service. */
export const reportFiles: readonly Download[] = [
  {
    path: '/assumptions/report.html',
    type: 'text/html; charset=utf-8',
    name: 'open-questions.html',
    body: (view) => htmlOf(reportOf(view)),
    policy: HTML_POLICY,
  },
  {
    path: '/assumptions/report.md',
    type: 'text/markdown; charset=utf-8',
    name: 'open-questions.md',
    body: (view) => markdownOf(reportOf(view)),
  },
  {
    path: '/assumptions/brief.html',
    type: 'text/html; charset=utf-8',
    name: 'open-questions-brief.html',
    body: (view) => briefHtml(reportOf(view)),
    policy: HTML_POLICY,
  },
]
