import { findRuleActivity } from '../../history/rule-activity.js'
import type { Entry } from '../../kernel/entry.js'
import { notFound } from '../../kernel/refusal.js'
import { quote } from '../../lib/text.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import { findScenario, readSource } from '../../scenarios/language/catalogue.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'
import { LiveRegion, Panel, Scroll } from '../components/panel.js'
import { ruleAnchor } from '../components/rule-link.js'
import { Time } from '../components/time.js'
import { escapeBidi, formatCount, pluralize } from '../format.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { Drawing, Switch } from './scenarios.js'

export const scenarioPage: DrawPage = (ctx, { name = '' }) => {
  const { sandbox, world } = ctx
  const scenario = findScenario(sandbox.catalogue, world.tables, name)
  if (!scenario) throw notFound('name', `no scenario is named ${quote(name, 64)}`)
  const active = activeNames(world.tables).includes(name)
  const text = readSource(ctx.tables, scenario)
  return {
    title: `Scenario ${name}`,
    body: (
      <>
        <h1>{scenario.name}</h1>
        <LiveRegion id="about">
          <p class="lead">{scenario.title}</p>
          {scenario.why ? <p>{scenario.why}</p> : null}
        </LiveRegion>
        <LiveRegion id="switch">
          <div class="switch">
            <span class={active ? 'badge good' : 'badge plain'}>
              {active ? 'active' : 'inactive'}
            </span>{' '}
            <Switch ctx={ctx} name={name} active={active} />
          </div>
        </LiveRegion>
        <LiveRegion id="drawing">
          <Drawing scenario={scenario} />
        </LiveRegion>
        <LiveRegion id="file">
          <Panel
            title="File"
            aside={
              text === undefined ? null : (
                <a href={ctx.href(`/scenarios?from=${encodeURIComponent(name)}`)}>Edit a copy…</a>
              )
            }
          >
            {text === undefined ? (
              <p class="quiet">The file is not available.</p>
            ) : (
              <File ctx={ctx} scenario={scenario} text={text} />
            )}
          </Panel>
        </LiveRegion>
      </>
    ),
  }
}

/** Highlights the lines of fired rules. */
const File = ({ ctx, scenario, text }: { ctx: PageContext; scenario: Scenario; text: string }) => {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const rules = rulesByLine(scenario, lines)
  const { fired, since } = findRuleActivity(ctx.live.journal.all())
  const counts = new Map(fired.map(({ rule, times }) => [rule, times]))
  const countOf = (index: number): number => counts.get(`${scenario.name}/${index}`) ?? 0
  const firedRules = scenario.rules.filter((_, index) => countOf(index) > 0)
  return (
    <>
      <FiredLine ctx={ctx} count={firedRules.length} since={since} />
      <Scroll label={`File of ${scenario.name}`}>
        <ol class="file">
          {lines.map((line, i) => {
            const rule = rules.get(i + 1)
            const count = rule ? countOf(rule.index) : 0
            return (
              <li
                id={rule?.isFirst ? ruleAnchor(rule.index) : undefined}
                class={count > 0 ? 'lit' : undefined}
              >
                <code>{escapeBidi(line)}</code>
                {count > 0 && rule?.isFirst ? (
                  <span class="badge good">fired {pluralize(count, 'time')}</span>
                ) : null}
              </li>
            )
          })}
        </ol>
      </Scroll>
    </>
  )
}

const FiredLine = ({
  ctx,
  count,
  since,
}: {
  ctx: PageContext
  count: number
  since: Entry | undefined
}) => (
  <p class="quiet">
    {count === 0 ? 'No rule has' : count === 1 ? 'One rule has' : `${count} rules have`} fired since{' '}
    {since === undefined ? 'the world began.' : <Since ctx={ctx} entry={since} />}
  </p>
)

const Since = ({ ctx, entry: { seq, at, command } }: { ctx: PageContext; entry: Entry }) => (
  <>
    <Time ctx={ctx} at={at} machine_ms={ctx.live.journal.machineTimeOf(seq)} whole />, entry{' '}
    {formatCount(seq)} of the journal:{' '}
    {command === 'world.fork'
      ? 'this world was forked from a snapshot there.'
      : 'the journal has dropped older entries.'}
  </>
)

/** Maps lines to rules. A rule ends at the next rule or at the next unindented line. */
const rulesByLine = ({ rules }: Scenario, lines: readonly string[]) => {
  const byLine = new Map<number, { index: number; isFirst: boolean }>()
  rules.forEach(({ source }, index) => {
    const first = Number(/:(\d+)$/.exec(source)?.[1])
    const next = Number(/:(\d+)$/.exec(rules[index + 1]?.source ?? '')?.[1] ?? lines.length + 1)
    for (let line = first; line < next; line++) {
      if (line > first && /^\S/.test(lines[line - 1] ?? '')) break
      byLine.set(line, { index, isFirst: line === first })
    }
  })
  return byLine
}
