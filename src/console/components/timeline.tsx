import type { Child } from 'hono/jsx'
import type { PageContext } from '../page-context.js'
import type { Prose } from '../sentences.js'
import { Text, Time } from './links.js'

/** One step of a story: what is possible or planned, now, or what happened. */
export interface Step {
  /** Its mark: `planned`, `now`, `call`, `you`, `lost`, or that of a status. Several are allowed. */
  readonly kind: string
  /** A world time, or a word such as `or`. */
  readonly at: string
  readonly what: Child
  readonly cause?: Prose | undefined
  /** The amounts that it moved, at the right. */
  readonly money?: Child
  readonly actions?: Child
  /** Evidence, folded under a summary. */
  readonly details?: { readonly summary: string; readonly body: Child } | undefined
  /** The step that the page is about. */
  readonly isCurrent?: boolean
}

const isTime = (at: string): boolean => /^\d{4}-/.test(at)

/** Newest first, as the caller orders it. */
export const Timeline = ({ ctx, steps }: { ctx: PageContext; steps: readonly Step[] }) => (
  <ol>
    {steps.map(({ kind, at, what, cause, money, actions, details, isCurrent }) => (
      <li class={`step ${kind}`} aria-current={isCurrent ? 'step' : undefined}>
        {isTime(at) ? <Time ctx={ctx} at={at} /> : <small>{at}</small>}
        <div>
          <p>
            <b>{what}</b>
          </p>
          {cause ? (
            <p class="cause">
              <Text ctx={ctx} prose={cause} />
            </p>
          ) : null}
          {actions ? <div class="row">{actions}</div> : null}
          {details ? (
            <details>
              <summary>{details.summary}</summary>
              {details.body}
            </details>
          ) : null}
        </div>
        {money ? <div class="money">{money}</div> : null}
      </li>
    ))}
  </ol>
)
