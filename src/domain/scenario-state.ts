import { ruleViolation } from '../kernel/refusal.js'
import type { RuleCount } from '../kernel/rules.js'
import { takeNextCall } from './next-calls.js'
import type { ActiveScenarios, Tx, UploadedScenario } from './schema.js'

/** Limit of what the YAML library takes time for: more would hold up other requests. */
export const MAX_SCENARIO_PARTS = 10_000
export const MAX_SCENARIO_BYTES = 1_048_576

export const MAX_UPLOADED = 200

/**
 * Replaces an earlier scenario of that name and resets its counts. Also rewrites the list of active
 * scenarios, so that new rules apply at once. The API has validated the scenario.
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

/** The count of a rule with `during`, from the start of its window. */
export const windowId = (rule: string): string => `${rule}${WINDOW}`
const WINDOW = '~during'

/** Replaces the list of active scenarios. The API has validated the names. */
export const activateScenarios = (
  tx: Tx,
  input: { readonly names: readonly string[] },
): ActiveScenarios => {
  const names = [...new Set(input.names)]
  const known = tx.tables.playlist.get('active')
  const playlist = { id: 'active', n: 1, names }
  if (known) tx.replace('playlist', known, playlist)
  else tx.add('playlist', playlist)
  // A scenario that joins or leaves starts its windows again.
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
  /** `<scenario>/<rule>`; null if rules only counted and let the request pass. */
  readonly rule: string | null
  readonly source: string | null
  readonly counts: readonly RuleCount[]
  /** The armed call that the request takes. */
  readonly call?: string
}

/** Records that a request rule fired, and the counts of all rules that matched. */
export const fireRule = (tx: Tx, { rule, source, counts, call }: RuleFiring): void => {
  for (const count of counts) tx.saveRuleCount(count)
  if (rule !== null) tx.emit({ type: 'rule.fired', id: rule, source })
  if (call !== undefined) takeNextCall(tx, call)
}
