import type { Candidate as NearMiss, Outcome, Verified } from '../../../generated/api-types.js'
import { MAX_SHOWN } from '../../contract/shown.js'
import { auditing } from '../../domain/audit.js'
import { runToEnd } from '../../kernel/run-to-end.js'
import { groupBy } from '../../lib/group-by.js'
import { plural } from '../../lib/text.js'
import { valueIn } from '../evaluate/field-access.js'
import type { Conditions } from '../language/conditions.js'
import { type Counted, type Expectation, findNoun, listFields } from '../language/expectations.js'
import { compileCheck, createMatcher, pathIn } from '../language/match.js'
import { resolveNames } from '../language/record-ids.js'
import { isCount, isTooFew, isUpperBound } from './counts.js'
import { compareOrder } from './creation-order.js'
import { formatExpectation } from './format-expectation.js'
import { type Finding, judgeClient } from './judge-client.js'
import { type Difference, nearMisses, toNearMisses } from './near-misses.js'
import {
  type Order,
  orderViolations,
  satisfiesOrder,
  statusesIn,
  unexpectedStatuses,
} from './ordering.js'
import { listSubjects, type Subject, sumOf, type VerificationInput } from './subjects.js'

export const verify = (expectations: readonly Expected[], input: VerificationInput): Verified =>
  runToEnd(verifying(expectations, input))

/** `verify` in steps. The world must not change meanwhile. */
export function* verifying(
  expectations: readonly Expected[],
  input: VerificationInput,
): Generator<void, Verified> {
  const results: Outcome[] = []
  for (const { source = null, ...expectation } of expectations) {
    yield
    const problems: string[] = []
    const resolved = resolveNames(expectation, input.names, ({ message }) => problems.push(message))
    const [sentence] = problems
    const result =
      sentence === undefined
        ? yield* evaluateExpectation(resolved, input)
        : { ok: false, sentence, found: 0, candidates: [] }
    results.push({ expectation, source, ...result })
  }
  return { ok: results.every(({ ok }) => ok), results }
}

type Expected = Expectation & { readonly source?: string }
type Result = Omit<Outcome, 'expectation' | 'source'>

function* evaluateExpectation(
  given: Expectation,
  input: VerificationInput,
): Generator<void, Result> {
  if (given.fired !== undefined) return firedOutcome(given, given.fired, input)
  const named = findNoun<Counted>(given)
  if (!named) return yield* auditOutcome(input)
  const [noun, conditions] = named
  const { reached, distinct } = given
  const things = listSubjects(noun, conditions, input)
  const matching = filterMatching(noun, conditions, things)
  const reaching =
    reached === undefined ? matching : matching.filter(({ hasReached }) => hasReached(reached))
  const orders = listOrders(given, input)
  const statuses = statusesIn(noun, conditions, reached)
  // "None after the return" says nothing about what came before it.
  const met = isUpperBound(given.count)
    ? reaching.filter((it) => orders.every((order) => satisfiesOrder(it, statuses, order)))
    : reaching
  const found = distinct === undefined ? met.length : byValues(met, noun, [distinct]).size
  const { gone, words } = findGap(noun, conditions, input)
  const sentence = `${formatExpectation(given, found)}${words}`
  const missed = (words: string, nearMisses: readonly NearMiss[]): Result => ({
    ok: false,
    sentence: `${sentence}${words}`,
    found,
    candidates: nearMisses,
  })
  if (!isCount(found, given.count)) {
    if (!isTooFew(found, given.count)) return missed('', toNearMisses(met))
    const others = exclude(met, matching)
    if (reached !== undefined && others.length > 0) {
      return missed('', toNearMisses(others, notReached(reached)))
    }
    return missed('', nearMisses(conditions, things))
  }
  if (
    !isCount(found, given.count, gone) ||
    (gone > 0 && (given.unique !== undefined || given.repaired))
  ) {
    return missed(': there may have been more', [])
  }
  const disordered = unexpectedStatuses(met, statuses, orders)
  if (disordered.length > 0) {
    const nearMisses = toNearMisses(disordered, (it) => orderViolations(it, statuses, orders))
    return missed(`, ${disordered.length} of them out of order`, nearMisses)
  }
  const demands = [...judgeValues(given, noun, met), ...judgeClient(given, met, input)]
  const unmet = demands.find(({ candidates }) => candidates)
  if (unmet) return missed(`, ${unmet.words}`, unmet.candidates ?? [])
  const notes = demands.map(({ words }) => `, ${words}`).join('')
  return { ok: true, sentence: `${sentence}${notes}`, found, candidates: [] }
}

const notReached =
  (reached: string) =>
  ({ reader }: Subject): Difference[] => [
    { field: 'reached', wanted: reached, came: reader('status') ?? null },
  ]

const firedOutcome = (given: Expectation, name: string, { fired }: VerificationInput): Result => {
  const isAsked = (rule: string) => rule === name || rule.startsWith(`${name}/`)
  const found = fired()
    .filter(({ rule }) => isAsked(rule))
    .reduce((sum, { times }) => sum + times, 0)
  const sentence = formatExpectation(given, found)
  return { ok: isCount(found, given.count), sentence, found, candidates: [] }
}

/** How many items the request log may lack, in words too. */
const findGap = (
  noun: Counted,
  { shown }: Conditions,
  { evictedCount, exchanges }: VerificationInput,
) => {
  const gone = noun === 'requests' || shown !== undefined ? evictedCount : 0
  if (shown === undefined || !exchanges().some((it) => it.shown_more))
    return { gone, words: describeEvicted(gone) }
  const words = ` (the request log keeps ${MAX_SHOWN} records of a response)`
  return { gone: Number.POSITIVE_INFINITY, words }
}

/** Mentions evicted items, so that a small number is not taken for the total. */
const describeEvicted = (gone: number): string => {
  if (gone === 0) return ''
  if (gone === Number.POSITIVE_INFINITY) return ' (the request log is off)'
  return ` (the request log keeps ${gone} older ${gone === 1 ? 'request' : 'requests'} no more)`
}

const filterMatching = (
  noun: Counted,
  conditions: Conditions,
  things: readonly Subject[],
): Subject[] => {
  const matches = createMatcher(conditions, listFields(noun))
  return things.filter(({ reader }) => matches(reader))
}

/** Uses a set, because both lists can have 100,000 items. */
const exclude = (some: readonly Subject[], things: readonly Subject[]): Subject[] => {
  const known = new Set(some)
  return things.filter((subject) => !known.has(subject))
}

const ORDERS = ['before', 'after', 'any_after'] as const

const listOrders = (given: Expectation, input: VerificationInput): Order[] =>
  ORDERS.flatMap((word) => {
    const named = given[word] && findNoun(given[word])
    if (!named) return []
    const [noun, conditions] = named
    const others = filterMatching(noun, conditions, listSubjects(noun, conditions, input))
    const first = findFirst(others, statusesIn(noun, conditions))
    return [{ word, noun, conditions, first }]
  })

const findFirst = (
  things: readonly Subject[],
  statuses: readonly string[],
): Subject | undefined => {
  const [first, ...others] = things
  if (!first) return undefined
  const isEarlier = (a: Subject, b: Subject) =>
    compareOrder(a.moment(statuses), b.moment(statuses)) < 0
  return others.reduce((a, b) => (isEarlier(b, a) ? b : a), first)
}

function* auditOutcome({ tables }: VerificationInput): Generator<void, Result> {
  const { ok, violations } = yield* auditing(tables)
  const found = violations.length
  const sentence = formatExpectation(
    { audit: 'clean' },
    ok ? undefined : plural(found, 'violation'),
  )
  return { ok, sentence, found, candidates: [], ...(ok ? {} : { violations }) }
}

/** Items by the values of fields, in words; items without one of the fields are left out. */
const byValues = (
  things: readonly Subject[],
  noun: Counted,
  paths: readonly string[],
): ReadonlyMap<string, readonly Subject[]> => {
  const fields = paths.map((path) => pathIn(listFields(noun), path))
  const valuesOf = ({ reader }: Subject) => fields.map((field) => valueIn(reader, field) ?? null)
  const complete = things.filter((it) => !valuesOf(it).includes(null))
  return groupBy(complete, (it) => {
    const values = valuesOf(it)
    return paths.map((path, i) => `${path} ${JSON.stringify(values[i])}`).join(' and ')
  })
}

/** The failed demands of `unique` and `sum`. */
function* judgeValues(
  { unique, sum = {} }: Expectation,
  noun: Counted,
  things: readonly Subject[],
): Generator<Finding> {
  if (unique !== undefined) {
    const groups = byValues(things, noun, [unique].flat())
    const shared = [...groups].find(([, those]) => those.length > 1)
    if (shared) {
      const [values, those] = shared
      const words = `${those.length} of them have the ${values}`
      yield { words, candidates: toNearMisses(those) }
    }
  }
  for (const [field, wanted] of Object.entries(sum)) {
    const total = sumOf(things, field)
    if (compileCheck(wanted, 'amount')(total)) continue
    yield { words: `their ${field} adds up to ${total}`, candidates: toNearMisses(things) }
  }
}
