import type { Prose } from '../../activity/record-sentences.js'
import { findWayBack } from '../../activity/ways-back.js'
import type { PageContext } from '../page-context.js'
import { attributes, type Html, html } from './html.js'
import { drawNow, drawText, drawTime } from './text.js'

export interface Step {
  /** Its mark: `planned`, `now`, `call`, `you`, `lost`, or that of a status. Several are allowed. */
  readonly kind: string
  /** A world time, `now`, or a word such as `or`. */
  readonly at: string
  readonly what: Html
  readonly cause?: Prose | undefined
  readonly money?: Html
  readonly actions?: Html
  /** Number of its entry, which offers the way back to before it. */
  readonly entry?: number | undefined
  /** Evidence, folded under a summary. */
  readonly details?: { readonly summary: string; readonly body: Html } | undefined
  readonly isCurrent?: boolean
}

const isTime = (at: string): boolean => /^\d{4}-/.test(at)

export const drawTimeline = (ctx: PageContext, steps: readonly Step[]): Html =>
  html`<ol>${steps.map((it) => drawStep(ctx, it))}</ol>`

const drawStep = (ctx: PageContext, step: Step): Html => {
  const { kind, at, what, cause, money, actions, entry, details, isCurrent } = step
  const back = entry !== undefined && drawWayBack(ctx, entry)
  return html`
    <li class="step ${kind}"${attributes({ 'aria-current': isCurrent && 'step' })}>
      ${at === 'now' ? drawNow(ctx) : isTime(at) ? drawTime(ctx, at) : html`<small>${at}</small>`}
      <div>
        <p><b>${what}</b></p>
        ${cause && html`<p class="cause">${drawText(ctx, cause)}</p>`}
        ${(actions || back) && html`<div class="row">${actions} ${back}</div>`}
        ${details && html`<details><summary>${details.summary}</summary>${details.body}</details>`}
      </div>
      ${money && html`<div class="money">${money}</div>`}
    </li>`
}

/** Of the form that the layout draws once. It leads to the list of what an undo takes back. */
export const drawWayBack = (ctx: PageContext, entry: number): Html => {
  const to = findWayBack(ctx, entry)
  return (
    to !== undefined &&
    html`<button form="back" name="to" value="${to}" class="quiet back">Back to before this…</button>`
  )
}
