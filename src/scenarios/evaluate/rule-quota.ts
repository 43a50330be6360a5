import type { Tables } from '../../domain/schema.js'
import { DeterministicRandom } from '../../kernel/prng.js'
import type { RuleCount } from '../../kernel/rules.js'
import type { FieldReader } from '../language/match.js'
import { valueIn } from './field-access.js'

/** The quota of the rule `<scenario>/<rule>`. */
export interface RuleQuota {
  readonly name: string
  readonly skip: number
  readonly limit: number
  readonly per: string | undefined
  readonly chance: number
  readonly isCounted: boolean
}

interface QuotaDecision {
  readonly fires: boolean
  readonly count: RuleCount | undefined
}

const FIRES: QuotaDecision = { fires: true, count: undefined }
const EXHAUSTED: QuotaDecision = { fires: false, count: undefined }

/** An exhausted rule matches no more. */
export const isExhausted = ({ name, limit, per }: RuleQuota, tables: Tables): boolean =>
  limit < Number.POSITIVE_INFINITY &&
  per === undefined &&
  (tables.rule_counts.get(name)?.fired ?? 0) >= limit

/** Skips the first matches, fires up to the limit, then matches no more. */
export const applyQuota = (
  quota: RuleQuota,
  reader: FieldReader,
  tables: Tables,
  seed: string,
): QuotaDecision => {
  if (!quota.isCounted) return FIRES
  const { name, skip, limit, per, chance } = quota
  const id = per === undefined ? name : `${name}/${quotaKey(valueIn(reader, per))}`
  const known = tables.rule_counts.get(id) ?? { ...NOTHING, id }
  if (known.fired >= limit) return EXHAUSTED
  const matched = known.matched + 1
  const fires = matched > skip && (chance >= 1 || random(seed, id, matched, 0) < chance)
  return { fires, count: { ...known, matched, fired: known.fired + (fires ? 1 : 0) } }
}

/** Objects differ by their content. */
const quotaKey = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

const NOTHING = { n: 0, matched: 0, fired: 0, window_from: null, passed: 0 }

/** A number from 0 to below 1, derived from seed, rule and number of matches. */
export const random = (seed: string, rule: string, matched: number, nth: number): number => {
  const bytes = new DeterministicRandom(`${seed}/${rule}`).bytes(matched, nth)
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32
}
