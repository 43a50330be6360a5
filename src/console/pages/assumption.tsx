import { showExchange } from '../../history/views.js'
import { toIso } from '../../kernel/time.js'
import {
  type AssumptionView,
  parseAssumptionId,
  viewAssumption,
} from '../../runtime/assumption-view.js'
import { type Action, formAction } from '../actions.js'
import { RiskBadge } from '../components/badge.js'
import { ActionButton } from '../components/form.js'
import { DescriptionList, LiveRegion, Panel } from '../components/panel.js'
import { RequestTable } from '../components/request-table.js'
import { Time } from '../components/time.js'
import { pluralize } from '../format.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { ReadingMarks } from './assumptions.js'

const MAX_REQUESTS = 10

export const assumptionPage: DrawPage = (ctx, { id = '' }) => {
  const assumption = viewAssumption(ctx.sandbox, ctx.live, parseAssumptionId(id))
  return {
    title: assumption.id,
    body: (
      <>
        <h1>{assumption.question}</h1>
        <p class="path">{assumption.id}</p>
        <LiveRegion id="facts">
          <AssumptionDetails ctx={ctx} assumption={assumption} />
        </LiveRegion>
        <LiveRegion id="readings">
          <Readings ctx={ctx} assumption={assumption} />
        </LiveRegion>
        <LiveRegion id="requests">
          <ReliedBy ctx={ctx} assumption={assumption} />
        </LiveRegion>
      </>
    ),
  }
}

const AssumptionDetails = ({
  ctx,
  assumption,
}: {
  ctx: PageContext
  assumption: AssumptionView
}) => {
  const { operations, basis, risk, consequence, confirmed, hits, last_hit } = assumption
  return (
    <Panel title="Open question" aside={<RiskBadge risk={risk} />}>
      <DescriptionList
        kind="prose"
        facts={[
          ['Operations', operations.length > 0 ? operations.join(', ') : 'all operations'],
          ['If wrong', consequence],
          ['Basis', basis],
          ['Used by', pluralize(hits, 'answer')],
          ...(last_hit === null
            ? []
            : [['Last', <Time ctx={ctx} at={toIso(last_hit)} whole />] as const]),
          ...(confirmed
            ? ([
                ['Confirmed reading', confirmed.reading],
                ['Confirmed by', `${confirmed.said_by}, ${confirmed.when}`],
                ...(confirmed.link ? [['Link', confirmed.link] as const] : []),
                ...(confirmed.note ? [['Note', confirmed.note] as const] : []),
              ] as const)
            : []),
        ]}
      />
    </Panel>
  )
}

const Readings = ({ ctx, assumption }: { ctx: PageContext; assumption: AssumptionView }) => (
  <Panel title="Readings" aside={<ReadingMarks assumption={assumption} />}>
    <ul class="readings">
      {assumption.readings.map(({ name, means }) => (
        <li aria-current={name === assumption.active ? 'true' : undefined}>
          <span class="what">
            <code>{name}</code> {means}
            {name === assumption.default ? <span class="quiet"> (default)</span> : null}
          </span>
          {name === assumption.active ? (
            <span class="badge good">active</span>
          ) : (
            <ActionButton
              ctx={ctx}
              action={`/console/assumptions/${assumption.id}`}
              fields={{ reading: name }}
            >
              Choose<span class="unseen">: {name}</span>
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
    <p class="quiet">
      The choice applies to this world until its next reset. Existing records do not change.
    </p>
  </Panel>
)

const ReliedBy = ({
  ctx,
  assumption: { id },
}: {
  ctx: PageContext
  assumption: AssumptionView
}) => {
  const told = `${id}=`
  const relied = ctx.live.requests
    .list()
    .filter(({ assumed }) => assumed.startsWith(told) || assumed.includes(`, ${told}`))
  const newest = relied.slice(-MAX_REQUESTS).reverse().map(showExchange)
  return (
    <Panel title="Requests that used it">
      {newest.length === 0 ? (
        <p class="quiet">No logged request.</p>
      ) : (
        <RequestTable ctx={ctx} exchanges={newest} brief />
      )}
    </Panel>
  )
}

const choose = formAction<{ id: string; active: string }>({
  path: '/console/assumptions/:id',
  operation: 'chooseReading',
  conclude: (_, { id, active }) => `${id} now uses the reading ${active}.`,
})

export const assumptionActions: readonly Action[] = [choose]
