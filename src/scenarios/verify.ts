import { auditing } from '../world/audit.js'
import { atOnce } from '../world/kernel/at-once.js'
import { type Candidate, nearestCandidates, theseCandidates } from './candidates.js'
import type { Conditions } from './conditions.js'
import { isCount, isTooFew } from './counts.js'
import { byValue, unmetDemand } from './demands.js'
import type { Difference } from './differences.js'
import type { Evidence } from './evidence.js'
import { type Counted, type Expectation, fieldsOf, nounOf } from './expectations.js'
import { matcherOf } from './match.js'
import { compareMoments } from './moments.js'
import { disorderOf, type Order, statusesIn, strays } from './order.js'
import { wish } from './sentences.js'
import { type Thing, thingsOf } from './things.js'

/** Whether one expectation is met, and if not, what came near. */
export interface Outcome {
  readonly ok: boolean
  /** As it was given. */
  readonly expectation: object
  /** File and line; null for one that did not come from a file. */
  readonly source: string | null
  readonly sentence: string
  /** How many were found that meet the conditions; for `audit`, how many violations. */
  readonly found: number
  readonly candidates: readonly Candidate[]
  /** What the audit found wrong, in sentences. */
  readonly violations?: readonly string[]
}

export interface Verification {
  readonly ok: boolean
  readonly results: readonly Outcome[]
}

/** Holds expectations against a world and its requests. */
export const verify = (expectations: readonly Expected[], evidence: Evidence): Verification =>
  atOnce(verifying(expectations, evidence))

/** Does what `verify` does, and pauses often. The world must not change meanwhile. */
export function* verifying(
  expectations: readonly Expected[],
  evidence: Evidence,
): Generator<void, Verification> {
  const results: Outcome[] = []
  for (const { source = null, ...expectation } of expectations) {
    yield
    results.push({ expectation, source, ...(yield* judged(expectation, evidence)) })
  }
  return { ok: results.every(({ ok }) => ok), results }
}

type Expected = Expectation & { readonly source?: string }
type Judged = Omit<Outcome, 'expectation' | 'source'>

function* judged(given: Expectation, evidence: Evidence): Generator<void, Judged> {
  if (given.fired !== undefined) return firedOutcome(given, given.fired, evidence)
  const named = nounOf<Counted>(given)
  if (!named) return yield* auditOutcome(evidence)
  const [noun, conditions] = named
  const { reached, distinct } = given
  const things = thingsOf(noun, evidence)
  const matching = meeting(noun, conditions, things)
  const met =
    reached === undefined ? matching : matching.filter(({ hasReached }) => hasReached(reached))
  const found = distinct === undefined ? met.length : byValue(met, noun, distinct).size
  const gone = noun === 'requests' ? evidence.gone : 0
  const sentence = `${wish(given)}, ${found} ${found === 1 ? 'was' : 'were'} found${goneInWords(gone)}`
  const missed = (words: string, candidates: readonly Candidate[]): Judged => ({
    ok: false,
    sentence: `${sentence}${words}`,
    found,
    candidates,
  })
  if (!isCount(found, given.count)) {
    if (!isTooFew(found, given.count)) return missed('', theseCandidates(met))
    const others = without(met, matching)
    if (reached !== undefined && others.length > 0) {
      return missed('', theseCandidates(others, notReached(reached)))
    }
    return missed('', nearestCandidates(conditions, without(met, things)))
  }
  if (!isCount(found, given.count, gone) || (given.unique !== undefined && gone > 0)) {
    return missed(': there may have been more', [])
  }
  const orders = ordersOf(given, evidence)
  const statuses = reached === undefined ? statusesIn(noun, conditions) : [reached]
  const disordered = strays(met, statuses, orders)
  if (disordered.length > 0) {
    const candidates = theseCandidates(disordered, (it) => disorderOf(it, statuses, orders))
    return missed(`, ${disordered.length} of them out of order`, candidates)
  }
  const unmet = unmetDemand(given, noun, met)
  if (unmet) return missed(`, ${unmet.words}`, unmet.candidates)
  return { ok: true, sentence, found, candidates: [] }
}

const notReached =
  (reached: string) =>
  ({ view }: Thing): Difference[] => [
    { field: 'reached', wanted: reached, came: view('status') ?? null },
  ]

const firedOutcome = (given: Expectation, name: string, { fired }: Evidence): Judged => {
  const isAsked = (rule: string) => rule === name || rule.startsWith(`${name}/`)
  const found = fired()
    .filter(({ rule }) => isAsked(rule))
    .reduce((sum, { times }) => sum + times, 0)
  const sentence = `${wish(given)}, ${found} ${found === 1 ? 'was' : 'were'} found`
  return { ok: isCount(found, given.count), sentence, found, candidates: [] }
}

/** What nobody can count any more, so that a small number is not taken for all there were. */
const goneInWords = (gone: number): string => {
  if (gone === 0) return ''
  if (gone === Number.POSITIVE_INFINITY) return ' (the request log is off)'
  return ` (the request log keeps ${gone} older ${gone === 1 ? 'request' : 'requests'} no more)`
}

/** Those that fulfil all conditions. */
const meeting = (noun: Counted, conditions: Conditions, things: readonly Thing[]): Thing[] => {
  const matches = matcherOf(conditions, fieldsOf(noun))
  return things.filter(({ view }) => matches(view))
}

/** The others: there may be a hundred thousand of either. */
const without = (some: readonly Thing[], things: readonly Thing[]): Thing[] => {
  const known = new Set(some)
  return things.filter((thing) => !known.has(thing))
}

const ORDERS = ['before', 'after', 'any_after'] as const

const ordersOf = (given: Expectation, evidence: Evidence): Order[] =>
  ORDERS.flatMap((word) => {
    const named = given[word] && nounOf(given[word])
    if (!named) return []
    const [noun, conditions] = named
    const others = meeting(noun, conditions, thingsOf(noun, evidence))
    const first = firstOf(others, statusesIn(noun, conditions))
    return [{ word, noun, conditions, first }]
  })

/** The one that came first. */
const firstOf = (things: readonly Thing[], statuses: readonly string[]): Thing | undefined => {
  const [first, ...others] = things
  if (!first) return undefined
  const isEarlier = (a: Thing, b: Thing) =>
    compareMoments(a.moment(statuses), b.moment(statuses)) < 0
  return others.reduce((a, b) => (isEarlier(b, a) ? b : a), first)
}

function* auditOutcome({ tables }: Evidence): Generator<void, Judged> {
  const { ok, violations } = yield* auditing(tables)
  const found = violations.length
  const came = ok ? 'it is' : `${found} ${found === 1 ? 'violation was' : 'violations were'} found`
  const sentence = `${wish({ audit: 'clean' })}, ${came}`
  return { ok, sentence, found, candidates: [], ...(ok ? {} : { violations }) }
}
