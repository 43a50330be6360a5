import type { Inquiry } from '../../activity/groups.js'
import { lostAdvice, lostTitle } from '../../activity/request-sentences.js'
import { indentJson } from '../../history/format.js'
import type { LogRecord } from '../../history/log-record.js'
import { sentTarget } from '../../history/views.js'
import { drawButton, drawFolded } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import { drawText } from '../components/text.js'
import { demoKey, formatCurl, keyWords } from '../curl.js'
import { type PageContext, readingsOf } from '../page-context.js'
import { isRead, sentHeaders } from '../replay.js'
import { keyField } from './money-forms.js'

export const drawLostMark = (): Html => html`<span class="status lost">${lostTitle}</span>`

export const drawLostResponse = (ctx: PageContext, inquiry: Inquiry): Html => {
  const told = lostAdvice(ctx.tables, inquiry, readingsOf(ctx))
  const { service, client, advice, question, clientId } = told
  const { id } = inquiry.newest.exchange
  const request = ctx.live.requests.findAny(id)
  return html`
    <section class="section">
      <div class="two">
        <div class="callout">
          <p class="mark ${service.kind}"><b>${service.title}</b></p>
          <p>${service.text}</p>
        </div>
        <div class="callout bad">
          <p class="mark lost"><b>${client.title}</b></p>
          <p>${drawText(ctx, client.text)}.</p>
        </div>
      </div>
      <h2>What your client should do</h2>
      <ul class="flow">${advice.map(
        ([kind, what, why]) =>
          html`<li><span class="mark ${kind}"><span><b>${what}</b> ${why}</span></span></li>`,
      )}</ul>
      <div class="row">
        ${drawSendAtOnce(ctx, { id }, 'Send it again, same id', 'main')}
        ${request && drawCopyCurl(ctx, request)}
        ${clientId && drawSendAtOnce(ctx, { id, fresh: clientId }, 'See what a new id would do', 'danger')}
      </div>
      <p class="note">${drawText(ctx, question)} <span class="chip open">open question</span></p>
    </section>`
}

/** The request as a form: the user may change its key and its body. */
export const drawSendAgain = (ctx: PageContext, request: LogRecord): Html => {
  const { id, body } = request
  if (typeof body === 'object') return ''
  const typed = { name: 'body', value: indentJson(body ?? ''), isMultiline: true }
  return drawFolded(ctx, {
    operation: 'sendAgain',
    given: { id },
    summary: 'Send again',
    fields: [keyField(ctx), ...(isRead(request) ? [] : [typed])],
  })
}

/** Sends the request at once, or asks for the key first. `fresh` is the id to replace by a new one. */
const drawSendAtOnce = (
  ctx: PageContext,
  request: { readonly id: string; readonly fresh?: string },
  text: string,
  kind: 'main' | 'danger',
): Html => {
  const key = demoKey(ctx)
  const form = { operation: 'sendAgain', given: { ...request, ...(key && { key }) }, kind }
  if (key) return drawButton(ctx, form, text)
  return drawFolded(ctx, { ...form, summary: text, fields: [keyField(ctx)] })
}

export const drawCopyCurl = (ctx: PageContext, request: LogRecord): Html => {
  const { method, body } = request
  if (typeof body === 'object') return ''
  // With `-X HEAD`, curl would wait for a body.
  const words = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]
  const headers = sentHeaders(request).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const command = formatCurl(ctx, sentTarget(request), [
    ...[...words, ...keyWords(ctx), ...headers],
    ...(body === undefined ? [] : ['--data-raw', body]),
  ])
  return html`<button type="button" data-copy="${command}">Copy as curl</button>`
}
