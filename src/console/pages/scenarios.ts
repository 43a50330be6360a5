import {
  CONTROL_TEXTS,
  SCENARIO_GROUPS,
  scenarioSentence,
} from '../../activity/control-sentences.js'
import { createMatcher } from '../../activity/search.js'
import { findRuleActivity } from '../../history/rule-activity.js'
import { notFound } from '../../kernel/refusal.js'
import { quote } from '../../lib/text.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import {
  findScenario,
  HAPPY_PATH,
  namesIn,
  readSource,
} from '../../scenarios/language/catalogue.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { drawButton, drawFolded } from '../components/form.js'
import { attributes, type Html, html } from '../components/html.js'
import { param } from '../filters.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { drawFilter } from './list-page.js'
import { recordPage } from './record-page.js'

const find = ({ sandbox, tables }: PageContext, name: string): Scenario | undefined =>
  findScenario(sandbox.catalogue, tables, name)

/** Active scenarios come first, in order of precedence, then the others by their lesson. */
export const drawScenarios = (ctx: PageContext): Html => {
  const active = activeNames(ctx.tables)
  const text = param(ctx, 'text')
  const fits = createMatcher(text ?? '')
  const off = namesIn(ctx.sandbox.catalogue, ctx.tables).filter((it) => !active.includes(it))
  const grouped = new Set(SCENARIO_GROUPS.flatMap(([, names]) => names))
  const groups: (readonly [title: string, names: readonly string[]])[] = [
    ['On, first match wins', active],
    ['Yours', off.filter((it) => !grouped.has(it))],
    ...SCENARIO_GROUPS.map(
      ([title, names]) => [title, off.filter((it) => names.includes(it))] as const,
    ),
  ]
  return html`
    <section class="section" id="scenarios">
      <header>
        <h2>Scenarios</h2>
        ${drawFilter(ctx, { label: 'scenarios', hint: 'name, situation' })}
        ${drawPostForm(ctx)}
      </header>
      ${groups.map(([title, names], i) => {
        const found = names.flatMap((name) => find(ctx, name) ?? [])
        const shown = found.filter((it) => fits([it.name, it.title, it.why]))
        return shown.length > 0 && drawGroup(ctx, title, shown, i === 0 || text !== undefined)
      })}
    </section>`
}

const drawPostForm = (ctx: PageContext): Html =>
  drawFolded(ctx, {
    operation: 'postScenario',
    summary: 'New',
    submit: 'Post',
    fields: [
      { name: 'text', label: 'File', isMultiline: true, value: TEMPLATE },
      { name: 'activate', label: 'Turn it on', options: YES_OR_NO },
    ],
  })

const YES_OR_NO = Object.entries({ true: 'yes', false: 'no' })

const TEMPLATE = `name: my-scenario
title: Euro transfers fail
rules:
  - when: transfer.created
    if: { target_currency: EUR }
    then:
      - { after: 5s, move: FAILED, reason: account_closed }
`

const drawGroup = (
  ctx: PageContext,
  title: string,
  scenarios: readonly Scenario[],
  open: boolean,
): Html => html`
  <details class="fold"${attributes({ open })}>
    <summary><b class="grow">${title}</b> <small>${scenarios.length}</small></summary>
    <table aria-label="${title}"><tbody>
      ${scenarios.map(
        ({ name, title }) => html`
        <tr>
          <td><a href="${ctx.href(`/scenarios/${name}`)}">${title}</a><br /><code class="note">${name}</code></td>
          <td class="number">${drawSwitch(ctx, name)}</td>
        </tr>`,
      )}
    </tbody></table>
  </details>`

/** Turned on, a scenario is first in precedence. */
const drawSwitch = (ctx: PageContext, name: string): Html => {
  if (name === HAPPY_PATH) return html`<span class="note">always on, last</span>`
  const active = activeNames(ctx.tables)
  const isOn = active.includes(name)
  const names = isOn ? active.filter((it) => it !== name) : [name, ...active]
  const verb = `Turn ${isOn ? 'off' : 'on'}`
  const given = { names: names.join('\n') }
  const kind = isOn ? undefined : ('quiet' as const)
  const button = { operation: 'activateScenarios', given, kind, label: `${verb} ${name}` }
  return drawButton(ctx, button, verb)
}

/** Longer journals are not searched for fired rules. */
const MAX_SEARCHED = 2_000

const countFired = ({ live: { journal } }: PageContext, name: string): number | undefined =>
  journal.newest - journal.oldest > MAX_SEARCHED
    ? undefined
    : findRuleActivity(journal.all())
        .fired.filter(({ rule }) => rule.startsWith(`${name}/`))
        .reduce((sum, { times }) => sum + times, 0)

export const scenarioPage: DrawPage = (ctx, { name = '' }) => {
  const scenario = find(ctx, name)
  if (!scenario) throw notFound('name', `no scenario is named ${quote(name, 64)}`)
  const { title, why } = scenario
  const file = readSource(ctx.tables, scenario) ?? CONTROL_TEXTS.noFile.join('')
  const place = activeNames(ctx.tables).indexOf(name)
  return recordPage(ctx, {
    id: name,
    list: { text: 'Faults and time', path: '/control#scenarios' },
    title,
    sentence: scenarioSentence(why, place, countFired(ctx, name)),
    actions: drawSwitch(ctx, name),
    tabs: [{ text: 'File', body: () => drawFile(file, Number(param(ctx, 'line'))) }],
    facts: [['Name', html`<code>${name}</code>`]],
  })
}

const drawFile = (file: string, lit: number): Html => html`
  <section class="json" tabindex="0" aria-label="File"><pre>${file
    .split('\n')
    .map((line, i) =>
      i + 1 === lit ? html`<mark id="line-${lit}">${line}</mark>\n` : `${line}\n`,
    )}</pre></section>`
