import { RISKS } from '../contract/assumptions/stakes.js'
import { showExchange } from '../exchanges/exchange.js'
import { concerns } from '../http/assumptions.js'
import { operationIds } from '../scenarios/operations.js'
import { isoTime } from '../world/kernel/time.js'
import { assumptionIds } from '../world/reading-names.js'
import { RiskBadge } from './badge.js'
import { FilterForm } from './filters.js'
import { Field, Select } from './form.js'
import { LongName } from './long-name.js'
import { DataTable, Empty, Live } from './parts.js'
import { recordingOf } from './recordings.js'
import { idsIn, type Open, openOf } from './register.js'
import { chosen, given } from './selecting.js'
import { Time } from './time.js'
import { demoCurl } from './try.js'
import type { Page, View } from './view.js'

/** Everything that the contract leaves open, and how much this world's answers relied on it. */
export const assumptionsPage = (view: View): Page => {
  const shown = selected(view)
  const relied = shown.filter(({ hits }) => hits > 0).length
  return {
    title: 'Assumptions',
    body: (
      <>
        <h1>Assumptions</h1>
        <p class="lead">
          What the contract leaves open, and how this world reads it.{' '}
          <a href={view.to('/assumptions/report')}>Report of open questions</a>
        </p>
        <Filters view={view} />
        <Live id="list">
          {shown.length === 0 ? <NoneLikeThis view={view} /> : <Register view={view} all={shown} />}
          <p class="count">
            {shown.length} shown, {relied} of them relied on
          </p>
        </Live>
      </>
    ),
  }
}

const selected = (view: View): Open[] => {
  const operation = chosen(view, 'operation', operationIds)
  const relied = chosen(view, 'relied', ['true', 'false'])
  const risk = chosen(view, 'risk', RISKS)
  const request = given(view, 'request')
  const named = request && idsIn(showExchange(recordingOf(view, request)).assumed)
  return assumptionIds
    .filter((id) => concerns(id, operation) && (!named || named.includes(id)))
    .map((id) => openOf(view, id))
    .filter((it) => relied === undefined || relied === String(it.hits > 0))
    .filter((it) => risk === undefined || it.risk === risk)
}

const Filters = ({ view }: { view: View }) => {
  const request = given(view, 'request')
  return (
    <FilterForm view={view}>
      <Field label="Operation">
        <Select
          name="operation"
          values={operationIds}
          value={given(view, 'operation')}
          empty="any"
        />
      </Field>
      <Field label="Relied on">
        <Select
          name="relied"
          values={[
            ['true', 'yes'],
            ['false', 'not yet'],
          ]}
          value={given(view, 'relied')}
          empty="any"
        />
      </Field>
      <Field label="Risk">
        <Select name="risk" values={RISKS} value={given(view, 'risk')} empty="any" />
      </Field>
      {request ? (
        <Field label="By the request">
          <input name="request" value={request} size={20} autocomplete="off" />
        </Field>
      ) : null}
    </FilterForm>
  )
}

const NoneLikeThis = ({ view }: { view: View }) =>
  given(view, 'relied') === 'true' ? (
    <Empty command={demoCurl(view, '/onboarding/api/v1/users/all')}>
      No answer of this world has relied on such a one yet. Send a request:
    </Empty>
  ) : (
    <Empty>None is like this.</Empty>
  )

const Register = ({ view, all }: { view: View; all: readonly Open[] }) => (
  <DataTable
    label="Assumptions"
    columns={[
      'Question',
      'Read as',
      { name: 'Risk', kind: 'minor' },
      { name: 'Answers', kind: 'number' },
      { name: 'Last', kind: 'minor' },
    ]}
  >
    {all.map((it) => (
      <tr>
        <td>
          <a href={view.to(`/assumptions/${it.id}`)}>
            <LongName name={it.id} />
          </a>
          <div class="quiet">{it.question}</div>
        </td>
        <td>
          <code>
            <LongName name={it.active} />
          </code>{' '}
          <ReadingMarks open={it} />
        </td>
        <td class="minor">
          <RiskBadge risk={it.risk} />
        </td>
        <td class="number">{it.hits.toLocaleString('en')}</td>
        <td class="minor">
          {it.last_hit === null ? null : <Time view={view} at={isoTime(it.last_hit)} />}
        </td>
      </tr>
    ))}
  </DataTable>
)

/** Whether a reading was chosen, and whether somebody who knows has answered. */
export const ReadingMarks = ({ open: { active, byDefault, settled } }: { open: Open }) => (
  <>
    {active === byDefault ? null : <span class="badge way">chosen</span>}{' '}
    {settled ? (
      <span
        class={`badge ${settled.reading === active ? 'good' : 'bad'}`}
        title={`${settled.said_by}, ${settled.when}: ${settled.reading}`}
      >
        {settled.reading === active ? 'settled' : 'settled otherwise'}
      </span>
    ) : null}
  </>
)
