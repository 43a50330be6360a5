import { ruleViolation } from '../kernel/refusal.js'
import type { RuleCount } from '../kernel/rules.js'
import type { ActiveScenarios, Tx, UploadedScenario } from './schema.js'

/** The longest text of a scenario, in characters. */
export const MAX_SCENARIO_BYTES = 1_048_576

/** So many scenarios can be posted to one world. */
export const MAX_UPLOADED = 200

/**
 * Adds a scenario to the world, in place of an earlier one of that name. Its face has checked it. The
 * playlist is written anew, so that the new rules are in force at once where the scenario is played. They
 * count from the beginning: what is counted under their names was counted for other rules.
 */
export const uploadScenario = (
  tx: Tx,
  { id, text, scenario }: { readonly id: string; readonly text: string; readonly scenario: object },
): UploadedScenario => {
  const known = tx.tables.posted.get(id)
  if (!known && tx.tables.posted.size >= MAX_UPLOADED) {
    throw ruleViolation(
      'name',
      `${MAX_UPLOADED} scenarios are posted already; ${id} would be one more`,
    )
  }
  const posted = { id, n: known?.n ?? tx.tables.posted.next, text, scenario }
  if (known) tx.replace('posted', known, posted)
  else tx.add('posted', posted)
  for (const count of tx.tables.rule_counts.all()) {
    if (count.id.startsWith(`${id}/`)) tx.remove('rule_counts', count)
  }
  const played = tx.tables.playlist.get('active')
  if (played) tx.replace('playlist', played, { ...played })
  tx.emit({ type: 'scenario.posted', id })
  return posted
}

/** The id of the count that keeps since when a rule with `during` counts its time. */
export const windowId = (rule: string): string => `${rule}${WINDOW}`
const WINDOW = '~during'

/** Sets which scenarios are played, all others no more. Its face has checked the names. */
export const activateScenarios = (
  tx: Tx,
  { names }: { readonly names: readonly string[] },
): ActiveScenarios => {
  const known = tx.tables.playlist.get('active')
  const playlist = { id: 'active', n: 1, names }
  if (known) tx.replace('playlist', known, playlist)
  else tx.add('playlist', playlist)
  // A scenario that comes or goes begins its windows again.
  const before = known?.names ?? []
  const changed = [...names, ...before].filter((it) => names.includes(it) !== before.includes(it))
  for (const count of tx.tables.rule_counts.all()) {
    const { id } = count
    if (!id.endsWith(WINDOW) || !changed.some((name) => id.startsWith(`${name}/`))) continue
    tx.remove('rule_counts', count)
  }
  tx.emit({ type: 'scenarios.activated', id: playlist.id, names })
  return playlist
}

export interface RuleFiring {
  /** `<scenario>/<rule>`; null when rules only counted and let the request pass. */
  readonly rule: string | null
  readonly source: string | null
  readonly counts: readonly RuleCount[]
}

/** Keeps that a request rule fired, and what the rules counted on the way. */
export const fireRule = (tx: Tx, { rule, source, counts }: RuleFiring): void => {
  for (const count of counts) tx.saveRuleCount(count)
  if (rule !== null) tx.emit({ type: 'rule.fired', id: rule, source })
}
