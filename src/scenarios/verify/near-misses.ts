import { distance } from 'fastest-levenshtein'
import type { Candidate as NearMiss } from '../../../generated/api-types.js'
import { escapeLine, truncate } from '../../lib/text.js'
import { parseDecimal } from '../language/comparison.js'
import { type Conditions, isNested, type Kind } from '../language/conditions.js'
import { listFields } from '../language/expectations.js'
import {
  compileCheck,
  createFieldReader,
  type FieldReader,
  kindIn,
  nameIn,
} from '../language/match.js'
import type { Subject } from './subjects.js'

export type Difference = NearMiss['differs'][number]

interface Comparison {
  readonly held: number
  readonly differs: readonly Difference[]
}

const MAX_NEAR_MISSES = 3

/** Another operation with the expected status is further away than the expected operation. */
const IDENTITY = ['operation', 'path', 'method']

const isOther = ({ differs }: Comparison): boolean =>
  differs.some(({ field }) => IDENTITY.includes(field))

/** Items that meet all conditions say less than those that nearly do, and more than another operation. */
const rank = (it: Comparison): number => (isOther(it) ? 2 : Number(it.differs.length === 0))

type Candidate = Comparison & { readonly subject: Subject; readonly index: number }

const byNearness = (a: Candidate, b: Candidate): number =>
  rank(a) - rank(b) ||
  b.held - a.held ||
  a.differs.length - b.differs.length ||
  (a.subject.noun === 'requests' && !isOther(a)
    ? b.index - a.index
    : measureDistance(a.differs) - measureDistance(b.differs))

/**
 * Most conditions met first, then the nearest values, then the oldest. Of requests the newest instead: the client
 * acted on its response last.
 */
export const nearMisses = (conditions: Conditions, things: readonly Subject[]): NearMiss[] =>
  things
    .map((subject, index) => ({
      subject,
      index,
      ...compare(conditions, subject.reader, listFields(subject.noun)),
    }))
    .sort(byNearness)
    .slice(0, MAX_NEAR_MISSES)
    .map(({ subject, differs }) => createNearMiss(subject, differs))

/** Compares field by field; nested fields by dotted paths. */
const compare = (
  conditions: Conditions,
  reader: FieldReader,
  fields: Kind | undefined,
  prefix = '',
): Comparison => {
  let held = 0
  const differs: Difference[] = []
  for (const [name, condition] of Object.entries(conditions)) {
    const field = `${prefix}${name}`
    const value = reader(nameIn(fields, name))
    const kind = kindIn(fields, name)
    if (
      isNested(condition) &&
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value)
    ) {
      const inner = compare(condition, createFieldReader(value), kind, `${field}.`)
      held += inner.held
      differs.push(...inner.differs)
    } else if (compileCheck(condition, kind)(value)) held++
    else differs.push({ field, wanted: condition, came: truncateValue(value) })
  }
  return { held, differs }
}

const MAX_TEXT = 200

const truncateValue = (value: unknown): unknown => {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_TEXT ? truncate(text, MAX_TEXT) : value
}

/** The found items, if their number or order is wrong. */
export const toNearMisses = (
  things: readonly Subject[],
  differs: (subject: Subject) => readonly Difference[] = () => [],
): NearMiss[] =>
  things.slice(0, MAX_NEAR_MISSES).map((subject) => createNearMiss(subject, differs(subject)))

/** Ids and messages are texts of the client, so they may contain line breaks. */
const createNearMiss = (
  { noun, id, what, detail }: Subject,
  differs: readonly Difference[],
): NearMiss => ({
  noun,
  id,
  what: escapeLine([what, ...(detail?.() ?? [])].join(', ')),
  differs,
})

/** The sum of the distances of all values, each from 0 to 1. */
const measureDistance = (differs: readonly Difference[]): number =>
  differs.reduce((sum, { wanted, came }) => sum + findNearest(wanted, came), 0)

/** The nearest of several expected values counts. */
const findNearest = (wanted: unknown, came: unknown): number => {
  const values = typeof wanted === 'object' && wanted !== null ? Object.values(wanted) : [wanted]
  return Math.min(1, ...values.flat().map((value) => valueDistance(value, came)))
}

const MAX_LENGTH = 200

const valueDistance = (wanted: unknown, came: unknown): number => {
  const [a, b] = [parseDecimal(wanted), parseDecimal(came)]
  if (a && b) {
    const larger = a.abs().gt(b.abs()) ? a.abs() : b.abs()
    return larger.eq(0) ? 0 : Math.min(1, a.minus(b).abs().div(larger).toNumber())
  }
  if (typeof wanted !== 'string' || typeof came !== 'string') return 1
  const longest = Math.max(wanted.length, came.length, 1)
  return longest > MAX_LENGTH ? 1 : distance(wanted, came) / longest
}
