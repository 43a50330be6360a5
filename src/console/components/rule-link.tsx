import type { Child } from 'hono/jsx'
import { findScenario } from '../../scenarios/language/catalogue.js'
import type { PageContext } from '../page-context.js'

/** Links a rule to its lines in the scenario file. */
export const RuleLink = ({
  ctx,
  scenario,
  rule,
  kind,
  title,
  children,
}: {
  ctx: PageContext
  scenario: string
  rule: number | string
  kind?: string | undefined
  title?: string | undefined
  /** `<scenario>/<rule>` by default. */
  children?: Child
}) => {
  const href = `${ctx.href(`/scenarios/${encodeURIComponent(scenario)}`)}#${ruleAnchor(rule)}`
  // An armed call has no page.
  const hasPage = findScenario(ctx.sandbox.catalogue, ctx.world.tables, scenario)
  return (
    <a class={kind} title={title} href={hasPage && href}>
      {children ?? `${scenario}/${rule}`}
    </a>
  )
}

/** Links a rule by its name, `<scenario>/<rule>`. */
export const NamedRule = ({
  ctx,
  name,
  kind,
  title,
}: {
  ctx: PageContext
  name: string
  kind?: string
  title?: string
}) => {
  const at = name.lastIndexOf('/')
  const place = { scenario: name.slice(0, at), rule: name.slice(at + 1) }
  return <RuleLink ctx={ctx} {...place} kind={kind} title={title} />
}

export const ruleAnchor = (rule: number | string): string => `rule-${rule}`
