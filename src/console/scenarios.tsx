import { assertScenario } from '../http/steer.js'
import { drawingOf } from '../scenarios/drawing.js'
import { LAST } from '../scenarios/playbook.js'
import { readPosted } from '../scenarios/posted.js'
import type { Scenario } from '../scenarios/read.js'
import { textOf } from '../scenarios/shipped-text.js'
import type { Action, Call, Outcome } from './actions.js'
import { ActionButton, ActionForm, Field } from './form.js'
import { Live, Panel, Scroll } from './parts.js'
import { given } from './selecting.js'
import type { Page, View } from './view.js'

const EXAMPLE = `name: euro-fails
title: Euro transfers fail
rules:
  - when: transfer.created
    if: { target_currency: EUR }
    then:
      - { after: 5s, move: FAILED, reason: account_closed }
`

/** What was pasted, and why it cannot be used; or what another one begins with. */
interface Draft {
  readonly text: string
  readonly complaints?: string
  /** Whether it was to be played at once; when nobody has chosen yet, it is. */
  readonly activate?: boolean
}

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

const PasteForm = ({ view, draft }: { view: View; draft?: Draft }) => (
  <Panel title="Post a scenario">
    {draft?.complaints === undefined ? null : (
      <Complaints text={draft.text} complaints={draft.complaints} />
    )}
    <details open={draft !== undefined}>
      <summary>Paste a file…</summary>
      <ActionForm
        view={view}
        action="/console/scenarios/post"
        kind="stacked"
        label="Post a scenario"
      >
        <Field label="Scenario, YAML or JSON" hint="The world forgets it with a reset.">
          <textarea name="text" rows={14} required>
            {`\n${draft?.text ?? EXAMPLE}`}
          </textarea>
        </Field>
        <label class="check">
          <input type="checkbox" name="activate" value="true" checked={draft?.activate ?? true} />{' '}
          Play it from now on, before all others
        </label>
        <button type="submit" class="main">
          Post
        </button>
      </ActionForm>
    </details>
  </Panel>
)

/** A complaint names its line and column as `body:3:12: …`. */
const PLACE = /^body(?::(\d+):(\d+))?: (.*)$/s

const Complaints = ({ text, complaints }: { text: string; complaints: string }) => {
  const lines = text.split('\n')
  return (
    <div role="alert">
      <p class="notice error">This file cannot be used.</p>
      <ol class="complaints">
        {complaints.split('\n').map((complaint) => {
          const [, line, column, words] = PLACE.exec(complaint) ?? []
          if (line === undefined) return <li>{words ?? complaint}</li>
          return (
            <li>
              <span class="where">{`line ${line}, column ${column}`}</span>
              <pre class="line">
                <mark>{lines[Number(line) - 1]?.slice(0, 200) ?? ''}</mark>
              </pre>
              {words}
            </li>
          )
        })}
      </ol>
    </div>
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
    const { text = '' } = fields
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
