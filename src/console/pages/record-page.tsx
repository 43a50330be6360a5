import type { Child } from 'hono/jsx'
import { StatusBadge } from '../components/badge.js'
import { explainRecord, machineTimes, WhyPanel } from '../components/cause-panel.js'
import { Id } from '../components/id.js'
import { JsonView } from '../components/json-view.js'
import { Postings } from '../components/money.js'
import { Moves } from '../components/moves.js'
import { LiveRegion, Panel } from '../components/panel.js'
import { RelatedRequests } from '../components/related-requests.js'
import { StatusTimeline } from '../components/status-timeline.js'
import { capitalize } from '../format.js'
import type { Page, PageContext } from '../page-context.js'
import { findTimers, plannedMoves } from '../planned-moves.js'

export interface RecordPageProps {
  readonly noun: 'transfer' | 'payout'
  readonly record: { readonly id: string; readonly status: string; readonly reason: string | null }
  /** The statuses in order, without failures. */
  readonly happyPath: readonly string[]
  readonly reached: Readonly<Record<string, string | undefined>>
  readonly moves: readonly string[]
  /** The next status of the happy path. */
  readonly next: string | undefined
  /** Where its money comes from and where it goes. */
  readonly sides: Child
  /** The response to a client, and the command that reads it. */
  readonly answer: unknown
  readonly asked?: Child
}

/** The page of a transfer or payout: status, money, causes, and the response to a client. */
export const recordPage = (ctx: PageContext, props: RecordPageProps): Page => {
  const { noun, record, happyPath, reached, moves, next, sides, answer, asked } = props
  const { id, status, reason } = record
  const title = capitalize(noun)
  const why = explainRecord(ctx, `${noun}s`, id)
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
            <LiveRegion id="status">
              <StatusBadge status={status} />
            </LiveRegion>
          }
        >
          <LiveRegion id={noun}>
            <StatusTimeline
              ctx={ctx}
              happyPath={happyPath}
              status={status}
              reached={reached}
              planned={plannedMoves(findTimers(ctx, id))}
              machineTimes={machineTimes(ctx, why)}
            />
            {reason === null ? null : (
              <p>
                Reason: <bdi>{reason}</bdi>
              </p>
            )}
          </LiveRegion>
          <LiveRegion id="moves">
            <h3>Possible moves</h3>
            <Moves ctx={ctx} action={`/console/${noun}s/${id}/move`} moves={moves} next={next} />
          </LiveRegion>
        </Panel>
        <div class="columns">
          <div>
            <LiveRegion id="money">
              <Panel title="Money">
                {sides}
                <Postings ctx={ctx} subject={`${noun}:${id}`} />
              </Panel>
            </LiveRegion>
            <LiveRegion id="related">
              <RelatedRequests ctx={ctx} id={id} />
            </LiveRegion>
          </div>
          <div>
            <LiveRegion id="why">
              <WhyPanel ctx={ctx} answer={why} />
            </LiveRegion>
            <LiveRegion id="answer">
              <Panel title="Response to a client">
                {asked}
                <JsonView text={JSON.stringify(answer)} label="Response" />
              </Panel>
            </LiveRegion>
          </div>
        </div>
      </>
    ),
  }
}
