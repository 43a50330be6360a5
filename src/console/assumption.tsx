import * as z from 'zod'
import { text } from '../contract/fields.js'
import { showExchange } from '../exchanges/exchange.js'
import { assertKnownReading, knownAssumption } from '../http/assumptions.js'
import { isoTime } from '../world/kernel/time.js'
import { type Action, checked } from './actions.js'
import { ReadingMarks } from './assumptions.js'
import { RiskBadge } from './badge.js'
import { ActionButton } from './form.js'
import { Facts, Live, Panel } from './parts.js'
import { type Open, openOf } from './register.js'
import { RequestTable } from './request-table.js'
import { Time } from './time.js'
import type { Page, View } from './view.js'

const MOST_REQUESTS = 10

export const assumptionPage = (view: View, { id = '' }: Readonly<Record<string, string>>): Page => {
  const open = openOf(view, knownAssumption(id))
  return {
    title: open.id,
    body: (
      <>
        <h1>{open.question}</h1>
        <p class="path">{open.id}</p>
        <Live id="facts">
          <FactsOf view={view} open={open} />
        </Live>
        <Live id="readings">
          <Readings view={view} open={open} />
        </Live>
        <Live id="requests">
          <ReliedBy view={view} open={open} />
        </Live>
      </>
    ),
  }
}

const FactsOf = ({ view, open }: { view: View; open: Open }) => {
  const { operations, basis, risk, consequence, settled, hits, last_hit } = open
  return (
    <Panel title="What is open" aside={<RiskBadge risk={risk} />}>
      <Facts
        kind="prose"
        facts={[
          ['Concerns', operations.length > 0 ? operations.join(', ') : 'all operations'],
          ['If otherwise', consequence],
          ['Rests on', basis],
          ['Relied on by', `${hits.toLocaleString('en')} ${hits === 1 ? 'answer' : 'answers'}`],
          ...(last_hit === null
            ? []
            : [['Last', <Time view={view} at={isoTime(last_hit)} whole />] as const]),
          ...(settled
            ? ([
                ['Settled', settled.reading],
                ['Said by', `${settled.said_by}, ${settled.when}`],
                ...(settled.link ? [['Where', settled.link] as const] : []),
                ...(settled.note ? [['Note', settled.note] as const] : []),
              ] as const)
            : []),
        ]}
      />
    </Panel>
  )
}

const Readings = ({ view, open }: { view: View; open: Open }) => (
  <Panel title="How it can be read" aside={<ReadingMarks open={open} />}>
    <ul class="readings">
      {open.readings.map(({ name, means }) => (
        <li aria-current={name === open.active ? 'true' : undefined}>
          <span class="what">
            <code>{name}</code> {means}
            {name === open.byDefault ? <span class="quiet"> (default)</span> : null}
          </span>
          {name === open.active ? (
            <span class="badge good">read so</span>
          ) : (
            <ActionButton
              view={view}
              action={`/console/assumptions/${open.id}`}
              fields={{ reading: name }}
            >
              Read it so<span class="unseen">: {name}</span>
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
    <p class="quiet">
      A choice holds in this world until its next reset. What was made under another reading stays
      as it was made.
    </p>
  </Panel>
)

const ReliedBy = ({ view, open: { id } }: { view: View; open: Open }) => {
  const told = `${id}=`
  const relied = view.line.requests
    .list()
    .filter(({ assumed }) => assumed.startsWith(told) || assumed.includes(`, ${told}`))
  const newest = relied.slice(-MOST_REQUESTS).reverse().map(showExchange)
  return (
    <Panel title="Requests whose answers relied on it">
      {newest.length === 0 ? (
        <p class="quiet">None of those that are kept.</p>
      ) : (
        <RequestTable view={view} exchanges={newest} brief />
      )}
    </Panel>
  )
}

const choose: Action = {
  path: '/console/assumptions/:id',
  operation: 'chooseReading',
  act: ({ view, params, fields, cause }) => {
    const { reading } = checked(z.object({ reading: text() }), fields)
    const id = knownAssumption(params.id ?? '')
    assertKnownReading(id, reading)
    view.world.run('reading.choose', { id, reading }, cause)
    return `${id} is read as ${reading} from now on.`
  },
}

export const assumptionActions: readonly Action[] = [choose]
