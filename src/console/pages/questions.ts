import { questionsSentence, reliedNote } from '../../activity/control-sentences.js'
import { groupRequests, toInquiry } from '../../activity/groups.js'
import { noMatch, toPlainText } from '../../activity/record-sentences.js'
import { inquiryTitle } from '../../activity/request-sentences.js'
import { createMatcher } from '../../activity/search.js'
import { assumptionIds } from '../../assumptions/ids.js'
import { compareByRisk } from '../../assumptions/register/assumption.js'
import { capitalize, pluralize } from '../../history/format.js'
import type { LogRecord } from '../../history/log-record.js'
import { toIso } from '../../kernel/time.js'
import { type AssumptionView, viewAssumption } from '../../runtime/assumption-view.js'
import { toMessage } from '../../runtime/questions/report.js'
import { drawForm, drawRadioButtons } from '../components/form.js'
import { attributes, type Html, html } from '../components/html.js'
import { drawEmpty, drawHead } from '../components/parts.js'
import { drawCode, drawTime } from '../components/text.js'
import { addressWith, enumParam, param } from '../filters.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { drawFilterRow } from './list-page.js'

export const questionsPage: DrawPage = (ctx) => {
  const all = assumptionIds
    .map((id) => viewAssumption(ctx.sandbox, ctx.live, id))
    .sort((a, b) => compareByRisk(a, b) || b.hits - a.hits)
  const relied = all.filter(({ hits }) => hits > 0)
  const changed = all.filter((it) => it.active !== it.default)
  const answered = all.filter(({ confirmed }) => confirmed !== undefined)
  const lists = { changed, answered, all }
  const status = enumParam(ctx, 'status', ['changed', 'answered', 'all'])
  const fits = createMatcher(param(ctx, 'text') ?? '')
  const matching = (them: readonly AssumptionView[]) =>
    them.filter(({ id, question, operations }) => fits([id, question, ...operations]))
  const shown = matching(status ? lists[status] : relied)
  const rest = status ? [] : matching(all.filter(({ hits }) => hits === 0))
  const high = relied.filter(({ risk }) => risk === 'high').length
  const head = drawHead(ctx, {
    title: 'Open questions',
    sentence: questionsSentence(all.length, relied.length, high),
  })
  const chips = [
    { text: 'You rely on', count: relied.length },
    { value: 'changed', text: 'Changed by you', count: changed.length },
    { value: 'answered', text: 'Answered', count: answered.length },
    { value: 'all', text: 'All', count: all.length },
  ]
  return {
    title: 'Open questions',
    body: html`
      ${head}
      ${drawFilterRow(ctx, { label: 'questions', hint: 'words, id, operation' }, { status: chips })}
      <div>${shown.map((it) => drawQuestion(ctx, it))}</div>
      ${shown.length + rest.length === 0 && drawEmpty(ctx, noMatch('question'))}
      ${
        rest.length > 0 &&
        html`
        <details${attributes({ open: shown.length === 0 || rest.some(({ id }) => id === param(ctx, 'open')) })}>
          <summary>Not touched by your requests <small>${rest.length}</small></summary>
          ${rest.map((it) => drawQuestion(ctx, it))}
        </details>`
      }`,
  }
}

const TONES = { high: 'bad', medium: 'warn', low: '' }

/** The open one is part of the address. Only its card is drawn. */
const drawQuestion = (ctx: PageContext, view: AssumptionView): Html => {
  const { id, risk, question, active, hits } = view
  const open = param(ctx, 'open') === id
  const to = addressWith(ctx, { open: id })
  const unfold = { 'hx-get': to, 'hx-trigger': 'toggle once', 'hx-push-url': 'true' }
  const requests = hits > 0 && html`<small class="minor">${pluralize(hits, 'request')}</small>`
  return html`
    <details class="fold" id="${id}"${attributes(open ? { open } : unfold)}>
      <summary>
        <span class="chip ${TONES[risk]}">${capitalize(risk)}</span>
        <span class="grow">${question}</span> <code class="minor">${active}</code> ${requests}
      </summary>
      ${open ? drawCard(ctx, view) : html`<a href="${to}">The contract, readings, requests</a>`}
    </details>`
}

const drawCard = (ctx: PageContext, view: AssumptionView): Html => {
  const { id, question, active, confirmed, basis, consequence } = view
  const answer =
    confirmed &&
    html`<p class="mark done">
      Answered by <bdi>${confirmed.said_by}</bdi>, ${confirmed.when}: <code>${confirmed.reading}</code>
      ${confirmed.note && html`<br><bdi>${confirmed.note}</bdi>`}
    </p>`
  const readings = view.readings.map(({ name, means }) => ({
    value: name,
    text: html`<code>${name}</code>`,
    note: name === view.default ? `${means} (the default)` : means,
  }))
  const legend = 'This world reads it as'
  const field = { id: `${id}-reading`, name: 'reading', legend, chosen: active }
  const choice = html`
    ${drawRadioButtons(field, readings)}
    <button type="submit">Read it so</button>`
  const form = { operation: 'chooseReading', given: { id } }
  return html`
    <div class="two">
      <div class="flow">
        <p>The contract says: <q>${basis}</q></p>
        <p class="sentence"><b>If this guess is wrong,</b> ${consequence}.</p>
        ${answer}
        ${drawRequests(ctx, view)}
        <div class="row">
          <button type="button" data-copy="${toMessage(id, active)}">Copy the question</button>
        </div>
      </div>
      ${drawForm(ctx, form, choice, { kind: 'flow', label: question })}
    </div>`
}

const MAX_REQUESTS = 8

/** The log may have evicted some of them. */
const drawRequests = (ctx: PageContext, { id, hits }: AssumptionView): Html => {
  const found: LogRecord[] = []
  const most = Math.min(hits, MAX_REQUESTS)
  for (const it of ctx.live.requests.walkBack({}, `${id}=`)) {
    if (found.length === most) break
    if (it?.assumed.split(', ').some((part) => part.startsWith(`${id}=`))) found.push(it)
  }
  const groups = found.flatMap((it) => groupRequests(ctx, [it]))
  const lines = groups.map((group) => {
    const [it] = group.requests
    const title = toPlainText(inquiryTitle(ctx.tables, toInquiry(group)))
    return html`
      <li>
        ${drawTime(ctx, toIso(it.at ?? it.started_at))}
        <a href="${ctx.href(`/?request=${it.id}`)}"><bdi>${title}</bdi></a> ${drawCode(it.status, it.pending)}
      </li>`
  })
  return (
    lines.length > 0 &&
    html`
    <p class="note">${reliedNote(lines.length, hits)}</p>
    <ul>${lines}</ul>`
  )
}
