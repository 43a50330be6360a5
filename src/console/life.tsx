import type { Child } from 'hono/jsx'
import { StatusBadge } from './badge.js'
import { capitalized } from './capitalized.js'
import { Id } from './id.js'
import { JsonView } from './json-view.js'
import { Movements } from './money.js'
import { Moves } from './moves.js'
import { Live, Panel } from './parts.js'
import { RelatedRequests } from './related.js'
import { plannedMoves, timersOf } from './timers.js'
import { Track } from './track.js'
import type { Page, View } from './view.js'
import { madeTimes, WhyPanel, whyOf } from './why.js'

/** A record that moves through statuses and moves money on the way. */
export interface Living {
  readonly noun: 'transfer' | 'payout'
  readonly record: { readonly id: string; readonly status: string; readonly reason: string | null }
  /** The statuses of a life in which nothing goes wrong. */
  readonly way: readonly string[]
  readonly reached: Readonly<Record<string, string | undefined>>
  readonly moves: readonly string[]
  /** The move that follows when nothing goes wrong. */
  readonly next: string | undefined
  /** Where its money comes from and where it goes. */
  readonly sides: Child
  /** What a client is answered, and how it asks for it where a read does. */
  readonly answer: unknown
  readonly asked?: Child
}

/** The page of one such record: where it stands, what it moved, why, and what others see of it. */
export const lifePage = (view: View, living: Living): Page => {
  const { noun, record, way, reached, moves, next, sides, answer, asked } = living
  const { id, status, reason } = record
  const title = capitalized(noun)
  const why = whyOf(view, `${noun}s`, id)
  return {
    title: `${title} ${id.slice(0, 8)}`,
    body: (
      <>
        <h1>
          {title} <Id id={id} />
        </h1>
        <Panel
          title="Lifecycle"
          aside={
            <Live id="status">
              <StatusBadge status={status} />
            </Live>
          }
        >
          <Live id={noun}>
            <Track
              view={view}
              way={way}
              status={status}
              reached={reached}
              planned={plannedMoves(timersOf(view, id))}
              made={madeTimes(view, why)}
            />
            {reason === null ? null : (
              <p>
                Reason: <bdi>{reason}</bdi>
              </p>
            )}
          </Live>
          <Live id="moves">
            <h3>Where it could go</h3>
            <Moves view={view} action={`/console/${noun}s/${id}/move`} moves={moves} next={next} />
          </Live>
        </Panel>
        <div class="columns">
          <div>
            <Live id="money">
              <Panel title="Money">
                {sides}
                <Movements view={view} subject={`${noun}:${id}`} />
              </Panel>
            </Live>
            <Live id="related">
              <RelatedRequests view={view} id={id} />
            </Live>
          </div>
          <div>
            <Live id="why">
              <WhyPanel view={view} answer={why} />
            </Live>
            <Live id="answer">
              <Panel title="What a client is answered">
                {asked}
                <JsonView text={JSON.stringify(answer)} label="Answer" />
              </Panel>
            </Live>
          </div>
        </div>
      </>
    ),
  }
}
