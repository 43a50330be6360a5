import type { ConfirmedReading } from '../../assumptions/answers-file.js'
import { RISKS } from '../../assumptions/register/assumption.js'
import { HTML_POLICY, renderHtml } from '../../runtime/questions/html.js'
import {
  answersFile,
  formatCounts,
  formatReliance,
  introduction,
  type NumberedQuestion,
  numberQuestions,
  RISK_TITLES,
  renderBriefMarkdown,
  renderMarkdown,
  SECTIONS,
  TITLE,
} from '../../runtime/questions/markdown.js'
import { type QuestionsReport, reportQuestions } from '../../runtime/questions/report.js'
import { Command } from '../components/command.js'
import { Empty } from '../components/empty.js'
import { DescriptionList, LiveRegion, Panel } from '../components/panel.js'
import { demoCurl } from '../curl.js'
import type { Download } from '../download.js'
import { capitalize, pluralize } from '../format.js'
import type { Page, PageContext } from '../page-context.js'

const buildReport = ({ sandbox, live }: PageContext): Promise<QuestionsReport> =>
  reportQuestions(sandbox, live)

export const questionsPage = async (ctx: PageContext): Promise<Page> => {
  const report = await buildReport(ctx)
  const { settled, unexercised, left_out, requests } = report
  const questions = numberQuestions(report)
  const answers = answersFile(report)
  return {
    title: 'Open questions',
    body: (
      <>
        <h1>{TITLE}</h1>
        <LiveRegion id="report">
          <p class="lead">
            {capitalize(formatCounts(report))}.
            {requests === 0 ? null : ` Based on ${pluralize(requests, 'request')}.`}
          </p>
          {requests === 0 ? null : <p>{introduction(report)}</p>}
          {requests === 0 ? (
            <Empty command={demoCurl(ctx, '/onboarding/api/v1/users/all')}>
              No request has come yet, so nothing was relied on. Send one:
            </Empty>
          ) : null}
          <p class="tools">
            <a href={ctx.href('/assumptions/report.html')} download="open-questions.html">
              Download as HTML
            </a>
            <a href={ctx.href('/assumptions/report.md')} download="open-questions.md">
              Download as Markdown
            </a>
            <a href={ctx.href('/assumptions/brief.html')} download="open-questions-brief.html">
              Download the summary
            </a>
            <a href={ctx.href('/assumptions')}>All assumptions</a>
          </p>
          {RISKS.map((risk) => (
            <QuestionsAtRisk
              ctx={ctx}
              title={RISK_TITLES[risk]}
              questions={questions.filter(({ question }) => question.risk === risk)}
            />
          ))}
          {unexercised.length > 0 ? <UnexercisedPanel ctx={ctx} unexercised={unexercised} /> : null}
          <Panel title={SECTIONS.leftOut.title}>
            <p>{SECTIONS.leftOut.text}</p>
            <DescriptionList
              kind="prose"
              facts={left_out.map(({ topic, question }) => [topic, question])}
            />
          </Panel>
          {settled.length > 0 ? <SettledPanel ctx={ctx} settled={settled} /> : null}
          {answers === '' ? null : (
            <Panel title={SECTIONS.answers.title}>
              <p>{SECTIONS.answers.text}</p>
              <Command text={answers} what="file of answers" />
            </Panel>
          )}
        </LiveRegion>
      </>
    ),
  }
}

const QuestionsAtRisk = ({
  ctx,
  title,
  questions,
}: {
  ctx: PageContext
  title: string
  questions: readonly NumberedQuestion[]
}) =>
  questions.length === 0 ? null : (
    <Panel title={title}>
      {questions.map((it) => (
        <Question ctx={ctx} numbered={it} />
      ))}
    </Panel>
  )

const Question = ({
  ctx,
  numbered: { question: it, number },
}: {
  ctx: PageContext
  numbered: NumberedQuestion
}) => (
  <article class="question" id={it.id}>
    <h3>
      {number}. {it.question}
    </h3>
    <p class="quiet">
      <a href={ctx.href(`/assumptions/${it.id}`)}>{it.id}</a> {formatReliance(it)}
    </p>
    <DescriptionList
      kind="prose"
      facts={[
        ['We assume', it.assumed.description],
        ...it.others.map(({ description }) => ['Or is it', description] as const),
        ...(it.settled ? [['Settled otherwise', <Answer settled={it.settled} />] as const] : []),
        ['If not', it.consequence],
        ...(it.example
          ? [
              [
                'For example',
                <a href={ctx.href(`/requests/${it.example.request_id}`)}>
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

const Answer = ({ settled: { reading, said_by, when } }: { settled: ConfirmedReading }) => (
  <>
    <code>{reading}</code>, says {said_by}, {when}
  </>
)

const UnexercisedPanel = ({
  ctx,
  unexercised,
}: {
  ctx: PageContext
  unexercised: QuestionsReport['unexercised']
}) => (
  <Panel title={SECTIONS.unexercised.title}>
    <p>{SECTIONS.unexercised.text}</p>
    <ul class="lines">
      {unexercised.map(({ id, message, consequence }) => (
        <li>
          <a href={ctx.href(`/assumptions/${id}`)}>{id}</a> {message} If not, {consequence}.
        </li>
      ))}
    </ul>
  </Panel>
)

const SettledPanel = ({
  ctx,
  settled,
}: {
  ctx: PageContext
  settled: QuestionsReport['settled']
}) => (
  <Panel title={SECTIONS.settled.title}>
    <ul class="lines">
      {settled.map(({ id, question, assumed, settled: it }) => (
        <li>
          <a href={ctx.href(`/assumptions/${id}`)}>{id}</a> {question} <Answer settled={it} />
          {assumed.name === it.reading ? null : `; this world uses ${assumed.name}`}
        </li>
      ))}
    </ul>
  </Panel>
)

export const reportFiles: readonly Download[] = [
  {
    path: '/assumptions/report.html',
    type: 'text/html; charset=utf-8',
    name: 'open-questions.html',
    body: async (ctx) => renderHtml(renderMarkdown(await buildReport(ctx))),
    policy: HTML_POLICY,
  },
  {
    path: '/assumptions/report.md',
    type: 'text/markdown; charset=utf-8',
    name: 'open-questions.md',
    body: async (ctx) => renderMarkdown(await buildReport(ctx)),
  },
  {
    path: '/assumptions/brief.html',
    type: 'text/html; charset=utf-8',
    name: 'open-questions-brief.html',
    body: async (ctx) => renderHtml(renderBriefMarkdown(await buildReport(ctx))),
    policy: HTML_POLICY,
  },
]
