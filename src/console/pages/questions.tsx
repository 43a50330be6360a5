import { assumptionIds } from '../../assumptions/ids.js'
import { compareByRisk } from '../../assumptions/register/assumption.js'
import type { LogRecord } from '../../history/log-record.js'
import { toIso } from '../../kernel/time.js'
import { type AssumptionView, viewAssumption } from '../../runtime/assumption-view.js'
import { type QuestionsReport, reportQuestions, toMessage } from '../../runtime/questions/report.js'
import { Chips } from '../components/chips.js'
import { Empty } from '../components/empty.js'
import { Choices, Form } from '../components/form.js'
import { Head } from '../components/head.js'
import { Time } from '../components/links.js'
import { Code } from '../components/status.js'
import { areaName, questionsSentence } from '../control-sentences.js'
import { addressWith, createMatcher, enumParam, param } from '../filters.js'
import { capitalize, escapeBidi, pluralize } from '../format.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { TextFilter } from './list-page.js'

export const readReport = ({ sandbox, live }: PageContext): Promise<QuestionsReport> =>
  reportQuestions(sandbox, live)

const isRelied = ({ hits }: AssumptionView) => hits > 0
const isChanged = (it: AssumptionView) => it.active !== it.default
const isAnswered = ({ confirmed }: AssumptionView) => confirmed !== undefined

export const questionsPage: DrawPage = (ctx) => {
  const all = assumptionIds
    .map((id) => viewAssumption(ctx.sandbox, ctx.live, id))
    .sort((a, b) => compareByRisk(a, b) || b.hits - a.hits)
  const relied = all.filter(isRelied)
  const status = enumParam(ctx, 'status', ['changed', 'answered', 'all'])
  const fits = createMatcher(param(ctx, 'text') ?? '')
  const select = (them: readonly AssumptionView[]) =>
    them.filter(({ id, question, operations }) => fits([id, question, ...operations]))
  const lists = { changed: all.filter(isChanged), answered: all.filter(isAnswered), all }
  const shown = select(status ? lists[status] : relied)
  const rest = status ? [] : select(all.filter((it) => !isRelied(it)))
  const high = relied.filter(({ risk }) => risk === 'high').length
  return {
    title: 'Open questions',
    body: (
      <>
        <Head
          ctx={ctx}
          title="Open questions"
          sentence={questionsSentence(all.length, relied.length, high)}
        >
          <a class="button" href={ctx.href('/questions.html')}>
            Download the report
          </a>
          <a class="button" href={ctx.href('/questions.md')}>
            As Markdown
          </a>
        </Head>
        <search class="row">
          <TextFilter ctx={ctx} label="Filter questions" hint="words, id, operation" />
          <Chips
            ctx={ctx}
            parameter="status"
            label="Questions"
            chips={[
              { text: 'You rely on', count: relied.length },
              { value: 'changed', text: 'Changed by you', count: lists.changed.length },
              { value: 'answered', text: 'Answered', count: lists.answered.length },
              { value: 'all', text: 'All', count: all.length },
            ]}
          />
        </search>
        <div>
          {shown.map((it) => (
            <Question ctx={ctx} view={it} />
          ))}
        </div>
        {shown.length + rest.length === 0 ? <Empty>No question matches.</Empty> : null}
        {rest.length > 0 ? <Untouched ctx={ctx} views={rest} /> : null}
      </>
    ),
  }
}

const Untouched = ({ ctx, views }: { ctx: PageContext; views: readonly AssumptionView[] }) => {
  const areas = [...new Set(views.map(({ id }) => areaName(id)))]
  const opened = param(ctx, 'open')
  return (
    <section class="section">
      <header>
        <h2>Not touched by your requests</h2>
        <small>{views.length}</small>
      </header>
      {areas.map((area) => {
        const own = views.filter(({ id }) => areaName(id) === area)
        const isOpen = param(ctx, 'text') !== undefined || own.some(({ id }) => id === opened)
        return (
          <details class="fold" open={isOpen}>
            <summary>
              <span class="chip">{own.length}</span> <span class="grow">{area}</span>
            </summary>
            {own.map((it) => (
              <Question ctx={ctx} view={it} />
            ))}
          </details>
        )
      })}
    </section>
  )
}

const TONES = { high: 'bad', medium: 'warn', low: '' }

/** The open one is part of the address. Only its card is drawn. */
const Question = ({ ctx, view }: { ctx: PageContext; view: AssumptionView }) => {
  const { id, risk, question, active, hits } = view
  const isOpen = param(ctx, 'open') === id
  const to = addressWith(ctx, { open: id })
  const unfold = isOpen ? {} : { 'hx-get': to, 'hx-trigger': 'toggle once', 'hx-push-url': 'true' }
  return (
    <details class="fold" id={id} open={isOpen} {...unfold}>
      <summary>
        <span class={`chip ${TONES[risk]}`}>{capitalize(risk)}</span>{' '}
        <span class="grow">{question}</span> <code class="minor">{active}</code>{' '}
        {hits > 0 ? <small class="minor">{pluralize(hits, 'request')}</small> : null}
      </summary>
      {isOpen ? <Card ctx={ctx} view={view} /> : <a href={to}>The contract, readings, requests</a>}
    </details>
  )
}

const Card = ({ ctx, view }: { ctx: PageContext; view: AssumptionView }) => {
  const { id, question, active } = view
  return (
    <div class="two">
      <div class="flow">
        <p>
          The contract says: <q>{view.basis}</q>
        </p>
        <p class="sentence">
          <b>If this guess is wrong,</b> {view.consequence}.
        </p>
        <Settled view={view} />
        <Requests ctx={ctx} id={id} />
        <div class="row">
          <button type="button" data-copy={toMessage(id, active)}>
            Copy the question
          </button>
        </div>
      </div>
      <Form ctx={ctx} operation="chooseReading" given={{ id }} kind="flow" label={question}>
        <Choices
          id={`${id}-reading`}
          name="reading"
          legend="This world reads it as"
          chosen={active}
          choices={view.readings.map(({ name, means }) => ({
            value: name,
            text: <code>{name}</code>,
            note: name === view.default ? `${means} (the default)` : means,
          }))}
        />
        <button type="submit">Read it so</button>
      </Form>
    </div>
  )
}

const Settled = ({ view: { confirmed } }: { view: AssumptionView }) =>
  confirmed ? (
    <p class="mark done">
      Answered by <bdi>{escapeBidi(confirmed.said_by)}</bdi>, {confirmed.when}:{' '}
      <code>{confirmed.reading}</code>
    </p>
  ) : null

const MAX_REQUESTS = 8

const Requests = ({ ctx, id }: { ctx: PageContext; id: string }) => {
  const found: LogRecord[] = []
  for (const it of ctx.live.requests.walkBack({}, `${id}=`)) {
    if (it?.assumed.split(', ').some((part) => part.startsWith(`${id}=`))) found.push(it)
    if (found.length === MAX_REQUESTS) break
  }
  if (found.length === 0) return null
  return (
    <>
      <p class="note">Requests of yours that relied on it</p>
      <ul>
        {found.map((it) => (
          <li>
            <Time ctx={ctx} at={toIso(it.at ?? it.started_at)} />{' '}
            <a href={ctx.href(`/?request=${it.id}`)}>{it.operation?.id ?? it.method}</a>{' '}
            <Code status={it.status} isPending={it.pending} />
          </li>
        ))}
      </ul>
    </>
  )
}
