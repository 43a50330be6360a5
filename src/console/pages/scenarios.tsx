import { findRuleActivity } from '../../history/rule-activity.js'
import { notFound } from '../../kernel/refusal.js'
import { quote } from '../../lib/text.js'
import { renderDiagram } from '../../scenarios/docs/diagram.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import {
  findScenario,
  HAPPY_PATH,
  namesIn,
  readSource,
} from '../../scenarios/language/catalogue.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { verifying } from '../../scenarios/verify/verify.js'
import { ActionButton, FoldedForm } from '../components/form.js'
import { Json } from '../components/json.js'
import { SCENARIO_GROUPS, scenarioSentence } from '../control-sentences.js'
import { createMatcher, param } from '../filters.js'
import { escapeBidi } from '../format.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { TextFilter } from './list-page.js'
import { recordPage } from './record-page.js'

const find = ({ sandbox, tables }: PageContext, name: string): Scenario | undefined =>
  findScenario(sandbox.catalogue, tables, name)

export const Scenarios = ({ ctx }: { ctx: PageContext }) => {
  const active = activeNames(ctx.tables)
  const fits = createMatcher(param(ctx, 'text') ?? '')
  const isFiltered = param(ctx, 'text') !== undefined
  const off = namesIn(ctx.sandbox.catalogue, ctx.tables).filter((it) => !active.includes(it))
  const grouped = new Set(SCENARIO_GROUPS.flatMap(([, names]) => names))
  const groups = [
    ['Yours', off.filter((it) => !grouped.has(it))] as const,
    ...SCENARIO_GROUPS.map(
      ([title, names]) => [title, names.filter((it) => off.includes(it))] as const,
    ),
  ]
  const select = (names: readonly string[]) =>
    names.flatMap((name) => find(ctx, name) ?? []).filter((it) => fits([it.name, it.title, it.why]))
  return (
    <section class="section" id="scenarios">
      <header>
        <h2>Scenarios</h2>
        <TextFilter ctx={ctx} label="Filter scenarios" hint="name, situation" />
        <PostForm ctx={ctx} />
      </header>
      <Group ctx={ctx} title="On, first match wins" scenarios={select(active)} isOpen />
      {groups.map(([title, names]) => (
        <Group ctx={ctx} title={title} scenarios={select(names)} isOpen={isFiltered} />
      ))}
    </section>
  )
}

/** With `?from=<name>`, it begins with the file of that scenario. */
const PostForm = ({ ctx }: { ctx: PageContext }) => {
  const from = find(ctx, param(ctx, 'from') ?? '')
  return (
    <FoldedForm
      ctx={ctx}
      operation="postScenario"
      summary="New…"
      submit="Post"
      isOpen={from !== undefined}
      fields={[
        {
          name: 'text',
          label: 'File',
          isMultiline: true,
          value: from ? readSource(ctx.tables, from) : TEMPLATE,
        },
        { name: 'activate', label: 'Turn it on', value: 'true' },
      ]}
    />
  )
}

const TEMPLATE = `name: my-scenario
title: Euro transfers fail
rules:
  - when: transfer.created
    if: { target_currency: EUR }
    then:
      - { after: 5s, move: FAILED, reason: account_closed }
`

const Group = ({
  ctx,
  title,
  scenarios,
  isOpen,
}: {
  ctx: PageContext
  title: string
  scenarios: readonly Scenario[]
  isOpen: boolean
}) =>
  scenarios.length === 0 ? null : (
    <details class="fold" open={isOpen}>
      <summary>
        <b class="grow">{title}</b> <small>{scenarios.length}</small>
      </summary>
      <table aria-label={title}>
        <tbody>
          {scenarios.map(({ name, title }) => (
            <tr>
              <td>
                <a href={ctx.href(`/scenarios/${name}`)}>{escapeBidi(title)}</a>
                <br />
                <code class="note">{name}</code>
              </td>
              <td class="number">
                <Switch ctx={ctx} name={name} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )

/** Turned on, a scenario is first in precedence. */
const Switch = ({ ctx, name }: { ctx: PageContext; name: string }) => {
  if (name === HAPPY_PATH) return <span class="note">always on, last</span>
  const active = activeNames(ctx.tables)
  const isOn = active.includes(name)
  const names = isOn ? active.filter((it) => it !== name) : [name, ...active]
  return (
    <ActionButton
      ctx={ctx}
      operation="activateScenarios"
      given={{ names: names.join('\n') }}
      kind={isOn ? undefined : 'quiet'}
      label={`Turn ${isOn ? 'off' : 'on'} ${name}`}
    >
      Turn {isOn ? 'off' : 'on'}
    </ActionButton>
  )
}

/** Longer journals are not searched for fired rules. */
const MAX_SEARCHED = 2_000

const countFired = ({ live: { journal } }: PageContext, name: string): number | undefined =>
  journal.newest - journal.oldest > MAX_SEARCHED
    ? undefined
    : findRuleActivity(journal.all())
        .fired.filter(({ rule }) => rule.startsWith(`${name}/`))
        .reduce((sum, { times }) => sum + times, 0)

export const scenarioPage: DrawPage = async (ctx, { name = '' }) => {
  const scenario = find(ctx, name)
  if (!scenario) throw notFound('name', `no scenario is named ${quote(name, 64)}`)
  const { title, why, expect = [], rules } = scenario
  const isVerified = param(ctx, 'tab') === 'verify'
  const { results } = isVerified
    ? await ctx.live.readInSlices((world) =>
        verifying(expect, ctx.sandbox.verificationInput(ctx.live, world)),
      )
    : { results: [] }
  return recordPage(ctx, {
    id: name,
    list: { text: 'Faults and time', path: '/control#scenarios' },
    title,
    sentence: scenarioSentence({
      why,
      place: activeNames(ctx.tables).indexOf(name),
      fired: countFired(ctx, name),
    }),
    actions: (
      <>
        <Switch ctx={ctx} name={name} />
        <a class="button" href={ctx.href(`/control?from=${name}#scenarios`)}>
          Edit a copy…
        </a>
      </>
    ),
    tabs: [
      {
        name: 'file',
        text: 'File',
        body: () => (
          <Json
            text={readSource(ctx.tables, scenario) ?? 'The file is not available.'}
            label={`File of ${name}`}
          />
        ),
      },
      {
        name: 'rules',
        text: 'Rules',
        count: rules.length,
        body: () => <Json text={renderDiagram(scenario)} label={`Rules of ${name}`} />,
      },
      {
        name: 'verify',
        text: 'Verify',
        count: expect.length,
        body: () => (
          <ul>
            {results.map(({ ok, sentence, violations = [] }) => (
              <li>
                <span class={`mark ${ok ? 'done' : 'failed'}`}>
                  {escapeBidi([sentence, ...violations].join('; '))}
                </span>
              </li>
            ))}
          </ul>
        ),
      },
    ],
    facts: [['Name', <code>{name}</code>]],
  })
}
