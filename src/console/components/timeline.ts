import type { Prose } from '../../activity/sentences.js'
import type { PageContext } from '../page-context.js'
import { attributes, type Html, html } from './html.js'
import { drawNow, drawText, drawTime } from './text.js'

/** One step of a story: what is possible or planned, now, or what happened. */
export interface Step {
  /** Its mark: `planned`, `now`, `call`, `you`, `lost`, or that of a status. Several are allowed. */
  readonly kind: string
  /** A world time, `now`, or a word such as `or`. */
  readonly at: string
  readonly what: Html
  readonly cause?: Prose | undefined
  /** The amounts that it moved, at the right. */
  readonly money?: Html
  readonly actions?: Html
  /** Evidence, folded under a summary. */
  readonly details?: { readonly summary: string; readonly body: Html } | undefined
  readonly isCurrent?: boolean
}

const isTime = (at: string): boolean => /^\d{4}-/.test(at)

/** Newest first, as the caller orders it. */
export const drawTimeline = (ctx: PageContext, steps: readonly Step[]): Html =>
  html`<ol>${steps.map((it) => drawStep(ctx, it))}</ol>`

const drawStep = (ctx: PageContext, step: Step): Html => {
  const { kind, at, what, cause, money, actions, details, isCurrent } = step
  return html`
    <li class="step ${kind}"${attributes({ 'aria-current': isCurrent && 'step' })}>
      ${at === 'now' ? drawNow(ctx) : isTime(at) ? drawTime(ctx, at) : html`<small>${at}</small>`}
      <div>
        <p><b>${what}</b></p>
        ${cause && html`<p class="cause">${drawText(ctx, cause)}</p>`}
        ${actions && html`<div class="row">${actions}</div>`}
        ${details && html`<details><summary>${details.summary}</summary>${details.body}</details>`}
      </div>
      ${money && html`<div class="money">${money}</div>`}
    </li>`
}
