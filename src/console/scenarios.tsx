import { assertScenario } from '../http/steer.js'
import { LAST } from '../scenarios/catalogue.js'
import { drawingOf } from '../scenarios/drawing.js'
import { readPosted } from '../scenarios/posted.js'
import type { Scenario } from '../scenarios/read.js'
import { textOf } from '../scenarios/shipped-text.js'
import type { Action, Call, Outcome } from './actions.js'
import { ActionButton } from './form.js'
import { Live, Panel, Scroll } from './parts.js'
import { type Draft, PasteForm } from './paste-form.js'
import { given } from './selecting.js'
import type { Page, View } from './view.js'

/** The text of the scenario that the address names, to be changed. */
const begun = (view: View): Draft | undefined => {
  const scenario = view.sandbox.findScenario(view.world, given(view, 'from') ?? '')
  const text = scenario && textOf(view.tables, scenario)
  return text === undefined ? undefined : { text }
}

export const scenariosPage = (
  view: View,
  _params?: object,
  draft: Draft | undefined = begun(view),
): Page => {
  const { sandbox, world } = view
  const active = sandbox.activeScenarios(world)
  const all = sandbox.scenarioNames(world)
  const found = (names: readonly string[]) =>
    names.flatMap((name) => sandbox.findScenario(world, name) ?? [])
  return {
    title: 'Scenarios',
    status: draft?.complaints === undefined ? 200 : 400,
    body: (
      <>
        <h1>Scenarios</h1>
        {draft ? <PasteForm view={view} draft={draft} /> : null}
        <Live id="active">
          <Panel title="Playing, in order of precedence">
            <ScenarioList view={view} scenarios={found(active)} active />
          </Panel>
        </Live>
        {draft ? null : <PasteForm view={view} />}
        <Live id="others">
          <Panel title="Not playing">
            <ScenarioList
              view={view}
              scenarios={found(all.filter((name) => !active.includes(name)))}
            />
          </Panel>
        </Live>
      </>
    ),
  }
}

const ScenarioList = ({
  view,
  scenarios,
  active = false,
}: {
  view: View
  scenarios: readonly Scenario[]
  active?: boolean
}) => (
  <ul class="scenarios">
    {scenarios.map((scenario) => (
      <li>
        <div class="head">
          <h3>
            <a href={view.to(`/scenarios/${encodeURIComponent(scenario.name)}`)}>{scenario.name}</a>
          </h3>
          <span>{scenario.title}</span>
          <Switch view={view} name={scenario.name} active={active} />
        </div>
        <Drawing scenario={scenario} />
      </li>
    ))}
  </ul>
)

/** A scenario as lines: one for each rule, time running to the right. */
export const Drawing = ({ scenario }: { scenario: Scenario }) => (
  <Scroll label={`Drawing of ${scenario.name}`}>
    <pre class="drawing">{drawingOf(scenario)}</pre>
  </Scroll>
)

/** Turns a scenario on or off. The last one is always on. */
export const Switch = ({ view, name, active }: { view: View; name: string; active: boolean }) => {
  if (name === LAST) return <span class="quiet">always played, behind all others</span>
  return (
    <ActionButton
      view={view}
      action={`/console/scenarios/${active ? 'deactivate' : 'activate'}`}
      fields={{ name }}
    >
      {active ? 'Deactivate' : 'Activate'} <span class="unseen">{name}</span>
    </ActionButton>
  )
}

const choose = (
  { view, fields: { name = '' }, cause }: Call,
  change: (active: readonly string[], name: string) => string[],
): string => {
  const { sandbox, world } = view
  assertScenario(sandbox, world, 'name', name)
  const others = sandbox.activeScenarios(world).filter((it) => it !== name && it !== LAST)
  world.run('scenarios.activate', { names: change(others, name) }, cause)
  return name
}

const activate: Action = {
  path: '/console/scenarios/activate',
  operation: 'activateScenarios',
  act: (call) =>
    `${choose(call, (others, name) => [name, ...others])} is played, before all others.`,
}

const deactivate: Action = {
  path: '/console/scenarios/deactivate',
  operation: 'activateScenarios',
  act: (call) =>
    `${choose(call, (others) => [...others])} is played no more. What is on its way stays on its way.`,
}

const post: Action = {
  path: '/console/scenarios/post',
  operation: 'postScenario',
  act: async (call): Promise<Outcome> => {
    const { view, fields, cause } = call
    // Browsers send the lines of a text with CRLF.
    const text = (fields.text ?? '').replaceAll('\r\n', '\n')
    const activate = fields.activate === 'true'
    const posted = await readPosted(text)
    if ('complaints' in posted)
      return scenariosPage(view, {}, { text, activate, complaints: posted.complaints })
    const { scenario } = posted
    const { name } = scenario
    // Reading took its time: the clock has moved on, and a reset may have come between.
    const world = view.line.current()
    world.run('scenario.post', { id: name, text, scenario }, cause)
    if (activate)
      choose({ ...call, view: { ...view, world }, fields: { name } }, (others) => [name, ...others])
    return {
      to: view.to(`/scenarios/${encodeURIComponent(name)}`),
      told: `${name} is posted.`,
    }
  },
}

export const scenarioActions: readonly Action[] = [activate, deactivate, post]
