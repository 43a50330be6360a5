import { toApiError } from '../../http/operation/api-error.js'
import { renderDiagram } from '../../scenarios/docs/diagram.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import {
  findScenario,
  HAPPY_PATH,
  namesIn,
  readSource,
} from '../../scenarios/language/catalogue.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { type Action, formAction, type Outcome } from '../actions.js'
import { ActionButton } from '../components/form.js'
import { LiveRegion, Panel } from '../components/panel.js'
import { type Draft, PasteForm } from '../components/paste-form.js'
import { param } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'

/** The file of the scenario to copy, by `?from=`. */
const begun = (ctx: PageContext): Draft | undefined => {
  const scenario = findScenario(ctx.sandbox.catalogue, ctx.world.tables, param(ctx, 'from') ?? '')
  const text = scenario && readSource(ctx.tables, scenario)
  return text === undefined ? undefined : { text }
}

export const scenariosPage = (ctx: PageContext, draft: Draft | undefined = begun(ctx)): Page => {
  const { sandbox, world } = ctx
  const active = activeNames(world.tables)
  const all = namesIn(sandbox.catalogue, world.tables)
  const found = (names: readonly string[]) =>
    names.flatMap((name) => findScenario(sandbox.catalogue, world.tables, name) ?? [])
  return {
    title: 'Scenarios',
    status: draft?.problems === undefined ? 200 : 400,
    body: (
      <>
        <h1>Scenarios</h1>
        {draft ? <PasteForm ctx={ctx} draft={draft} /> : null}
        <LiveRegion id="active">
          <Panel title="Active, in order of precedence">
            <ScenarioList ctx={ctx} scenarios={found(active)} active />
          </Panel>
        </LiveRegion>
        {draft ? null : <PasteForm ctx={ctx} />}
        <LiveRegion id="others">
          <Panel title="Inactive">
            <ScenarioList
              ctx={ctx}
              scenarios={found(all.filter((name) => !active.includes(name)))}
            />
          </Panel>
        </LiveRegion>
      </>
    ),
  }
}

const ScenarioList = ({
  ctx,
  scenarios,
  active = false,
}: {
  ctx: PageContext
  scenarios: readonly Scenario[]
  active?: boolean
}) => (
  <ul class="scenarios">
    {scenarios.map((scenario) => (
      <li>
        <div class="head">
          <h3>
            <a href={ctx.href(`/scenarios/${encodeURIComponent(scenario.name)}`)}>
              {scenario.name}
            </a>
          </h3>
          <span>{scenario.title}</span>
          <Switch ctx={ctx} name={scenario.name} active={active} />
        </div>
        <Drawing scenario={scenario} />
      </li>
    ))}
  </ul>
)

/** One line per rule, time to the right. A long line wraps. */
export const Drawing = ({ scenario }: { scenario: Scenario }) => (
  <pre class="drawing">
    {renderDiagram(scenario)
      .split('\n')
      .map((line) => (
        <div>{line}</div>
      ))}
  </pre>
)

export const Switch = ({
  ctx,
  name,
  active,
}: {
  ctx: PageContext
  name: string
  active: boolean
}) => {
  if (name === HAPPY_PATH) return <span class="quiet">always active, last in order</span>
  return (
    <ActionButton
      ctx={ctx}
      action={`/console/scenarios/${active ? 'deactivate' : 'activate'}`}
      fields={{ name }}
    >
      {active ? 'Deactivate' : 'Activate'} <span class="unseen">{name}</span>
    </ActionButton>
  )
}

/** The active scenarios without `name`. The last one is always active. */
const otherActive = ({ world }: PageContext, name: string | undefined): string[] =>
  activeNames(world.tables).filter((it) => it !== name && it !== HAPPY_PATH)

const activate = formAction({
  path: '/console/scenarios/activate',
  operation: 'activateScenarios',
  toInput: ({ ctx, fields: { name } }) => ({ body: { names: [name, ...otherActive(ctx, name)] } }),
  conclude: ({ fields: { name } }) => `${name} is active and comes first.`,
})

const deactivate = formAction({
  path: '/console/scenarios/deactivate',
  operation: 'activateScenarios',
  toInput: ({ ctx, fields: { name } }) => ({ body: { names: otherActive(ctx, name) } }),
  conclude: ({ fields: { name } }) => `${name} is inactive. Its pending timers stay.`,
})

const upload: Action = {
  path: '/console/scenarios/post',
  operation: 'postScenario',
  act: async ({ ctx, fields, run }): Promise<Outcome> => {
    // Browsers send the lines of a text with CRLF.
    const text = (fields.text ?? '').replaceAll('\r\n', '\n')
    const activate = fields.activate === 'true'
    try {
      const query = { activate: String(activate) }
      const { name } = (await run({ query, body: text })) as { name: string }
      return {
        to: ctx.href(`/scenarios/${encodeURIComponent(name)}`),
        message: `${name} is uploaded.`,
      }
    } catch (error) {
      const rejection = toApiError(error)
      if (rejection?.code !== '4000') throw error
      return scenariosPage(ctx, { text, activate, problems: rejection.message })
    }
  },
}

export const scenarioActions: readonly Action[] = [activate, deactivate, upload]
