import type { Tables } from '../../domain/schema.js'
import { DeterministicRandom } from '../../kernel/prng.js'
import type { RuleCount } from '../../kernel/rules.js'
import { valueIn } from './field-access.js'
import type { FieldReader } from './match.js'

/** How often a rule fires; `<scenario>/<rule>` is its name. */
export interface RuleQuota {
  readonly name: string
  readonly skip: number
  readonly limit: number
  readonly per: string | undefined
  readonly chance: number
  /** Whether anything has to be counted for it. */
  readonly isCounted: boolean
}

/** Whether a rule that matched fires, and the count to keep of it. */
export interface QuotaDecision {
  readonly fires: boolean
  readonly count: RuleCount | undefined
}

const FIRES: QuotaDecision = { fires: true, count: undefined }
const EXHAUSTED: QuotaDecision = { fires: false, count: undefined }

/** Whether a rule has fired as often as it may: it matches no more, whatever comes. */
export const isExhausted = ({ name, limit, per }: RuleQuota, tables: Tables): boolean =>
  limit < Number.POSITIVE_INFINITY &&
  per === undefined &&
  (tables.rule_counts.get(name)?.fired ?? 0) >= limit

/** Passes over the first matches, fires on the next as often as it may, and then matches no more. */
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

/** What tells one value of a field from another: an object by all that it holds. */
const quotaKey = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

const NOTHING = { n: 0, matched: 0, fired: 0, window_from: null, passed: 0 }

/** A number from 0 to below 1, drawn from seed, rule and how often the rule has matched. */
export const random = (seed: string, rule: string, matched: number, nth: number): number => {
  const bytes = new DeterministicRandom(`${seed}/${rule}`).bytes(matched, nth)
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32
}
