import { assumptionIds } from '../../assumptions/ids.js'
import { RISKS } from '../../assumptions/register/assumption.js'
import { concerns } from '../../assumptions/register/index.js'
import { showExchange } from '../../history/views.js'
import { toIso } from '../../kernel/time.js'
import { type AssumptionView, viewAssumption } from '../../runtime/assumption-view.js'
import { operationIds } from '../../scenarios/language/operations.js'
import { RiskBadge } from '../components/badge.js'
import { Empty } from '../components/empty.js'
import { BooleanFilter, FilterForm } from '../components/filters.js'
import { Field, Select } from '../components/form.js'
import { LongName } from '../components/id.js'
import { LiveRegion } from '../components/panel.js'
import { DataTable } from '../components/table.js'
import { Time } from '../components/time.js'
import { demoCurl } from '../curl.js'
import { formatCount } from '../format.js'
import { enumParam, param } from '../list-query.js'
import { findRecord } from '../logged-request.js'
import type { Page, PageContext } from '../page-context.js'

export const assumptionsPage = (ctx: PageContext): Page => {
  const shown = selected(ctx)
  const relied = shown.filter(({ hits }) => hits > 0).length
  return {
    title: 'Assumptions',
    body: (
      <>
        <h1>Assumptions</h1>
        <p class="lead">
          Questions that the contract leaves open, and the reading that this world uses.{' '}
          <a href={ctx.href('/assumptions/report')}>Report of open questions</a>
        </p>
        <Filters ctx={ctx} />
        <LiveRegion id="list">
          {shown.length === 0 ? <NoneLikeThis ctx={ctx} /> : <Register ctx={ctx} all={shown} />}
          <p class="count">
            {shown.length} shown, {relied} used
          </p>
        </LiveRegion>
      </>
    ),
  }
}

/** The ids of the assumptions that an exchange used. */
const idsIn = (assumed: readonly string[]): string[] =>
  assumed.map((it) => it.slice(0, it.indexOf('=')))

const selected = (ctx: PageContext): AssumptionView[] => {
  const operation = enumParam(ctx, 'operation', operationIds)
  const relied = enumParam(ctx, 'relied', ['true', 'false'])
  const risk = enumParam(ctx, 'risk', RISKS)
  const request = param(ctx, 'request')
  const named = request && idsIn(showExchange(findRecord(ctx, request)).assumed)
  return assumptionIds
    .filter((id) => concerns(id, operation) && (!named || named.includes(id)))
    .map((id) => viewAssumption(ctx.sandbox, ctx.live, id))
    .filter((it) => relied === undefined || relied === String(it.hits > 0))
    .filter((it) => risk === undefined || it.risk === risk)
}

const Filters = ({ ctx }: { ctx: PageContext }) => {
  const request = param(ctx, 'request')
  return (
    <FilterForm ctx={ctx}>
      <Field label="Operation">
        <Select
          name="operation"
          values={operationIds}
          value={param(ctx, 'operation')}
          empty="any"
        />
      </Field>
      <BooleanFilter ctx={ctx} label="Used" name="relied" yes="yes" no="not yet" />
      <Field label="Risk">
        <Select name="risk" values={RISKS} value={param(ctx, 'risk')} empty="any" />
      </Field>
      {request ? (
        <Field label="Request">
          <input name="request" value={request} size={20} autocomplete="off" />
        </Field>
      ) : null}
    </FilterForm>
  )
}

const NoneLikeThis = ({ ctx }: { ctx: PageContext }) =>
  param(ctx, 'relied') === 'true' ? (
    <Empty command={demoCurl(ctx, '/onboarding/api/v1/users/all')}>
      No response of this world has used one yet. Send a request:
    </Empty>
  ) : (
    <Empty>No assumption matches.</Empty>
  )

const Register = ({ ctx, all }: { ctx: PageContext; all: readonly AssumptionView[] }) => (
  <DataTable
    label="Assumptions"
    rows={all}
    columns={[
      {
        name: 'Question',
        cell: (it) => (
          <>
            <a href={ctx.href(`/assumptions/${it.id}`)}>
              <LongName name={it.id} />
            </a>
            <div class="quiet">{it.question}</div>
          </>
        ),
      },
      {
        name: 'Active reading',
        cell: (it) => (
          <>
            <code>
              <LongName name={it.active} />
            </code>{' '}
            <ReadingMarks assumption={it} />
          </>
        ),
      },
      { name: 'Risk', kind: 'minor', cell: ({ risk }) => <RiskBadge risk={risk} /> },
      { name: 'Answers', kind: 'number', cell: ({ hits }) => formatCount(hits) },
      {
        name: 'Last',
        kind: 'minor',
        cell: ({ last_hit }) =>
          last_hit === null ? null : <Time ctx={ctx} at={toIso(last_hit)} />,
      },
    ]}
  />
)

/** Badges for a chosen reading and for an answer of the operator. */
export const ReadingMarks = ({
  assumption: { active, default: byDefault, confirmed },
}: {
  assumption: AssumptionView
}) => (
  <>
    {active === byDefault ? null : <span class="badge way">chosen</span>}{' '}
    {confirmed ? (
      <span
        class={`badge ${confirmed.reading === active ? 'good' : 'bad'}`}
        title={`${confirmed.said_by}, ${confirmed.when}: ${confirmed.reading}`}
      >
        {confirmed.reading === active ? 'confirmed' : 'confirmed otherwise'}
      </span>
    ) : null}
  </>
)
