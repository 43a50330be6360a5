import {
  acceptedLiterals,
  type Condition,
  type Conditions,
  type Fields,
  isNested,
  type Kind,
} from './conditions.js'
import { type EventName, events, findSubject, type Subject } from './events.js'
import { requestFields, subjectFields } from './fields.js'
import { compileCheck, kindIn } from './match.js'
import type { Rule } from './rules.js'
import type { SubjectStep } from './steps.js'

/** A rule that never fires, and the rule above it that matches the same. */
export interface Shadow {
  readonly rule: number
  readonly by: number
}

export const shadowsIn = (rules: readonly Rule[]): Shadow[] =>
  rules.flatMap((rule, i) => {
    const by = rules.slice(0, i).findIndex((above) => shadows(above, rule))
    return by < 0 ? [] : [{ rule: i, by }]
  })

const shadows = (above: Rule, rule: Rule): boolean =>
  above.when === rule.when &&
  isUnbounded(above) &&
  implies(rule.if ?? {}, above.if ?? {}, fieldsOfRule(rule))

/** Whether a rule fires on every match. A patch skips some operations if the rule names none. */
const isUnbounded = ({ skip = 0, limit, chance = 1, during, ...rule }: Rule): boolean =>
  skip === 0 &&
  limit === undefined &&
  chance === 1 &&
  during === undefined &&
  (rule.when !== 'request' ||
    rule.then.every(({ throttle, patch }) => !throttle && (!patch || rule.if?.operation)))

const fieldsOfRule = (rule: Rule): Fields =>
  rule.when === 'request' ? requestFields : subjectFields[findSubject(rule.when).table]

/** Whether the first conditions imply the second ones, as far as the check can see. */
const implies = (given: Conditions, wanted: Conditions, fields: Kind | undefined): boolean =>
  Object.entries(wanted).every(([name, condition]) => {
    const asked = Object.hasOwn(given, name) ? given[name] : undefined
    return asked !== undefined && impliesOne(asked, condition, kindIn(fields, name))
  })

const impliesOne = (given: Condition, wanted: Condition, kind: Kind | undefined): boolean => {
  if (JSON.stringify(given) === JSON.stringify(wanted)) return true
  if (isNested(given) || isNested(wanted)) {
    return isNested(given) && isNested(wanted) && implies(given, wanted, kind)
  }
  const isOneOf = typeof given !== 'object' || given === null || Array.isArray(given)
  const values = isOneOf ? acceptedLiterals(given) : []
  const holds = compileCheck(wanted, kind)
  return values.length > 0 && values.every(({ value }) => holds(value))
}

/** A move that the status table never allows, and the allowed ones. */
export interface UnreachableMove {
  readonly step: number
  readonly message: string
}

/**
 * The first move that is illegal after the earlier steps of the rule. Uses the default readings,
 * because no world has chosen others yet. A move that other readings make illegal is refused when
 * it runs.
 */
export const unreachableMove = (
  event: EventName,
  status: Condition | undefined,
  steps: readonly SubjectStep[],
): UnreachableMove | undefined => {
  const { subject, begins } = events[event] as { subject: Subject; begins?: string }
  const { moves } = subject
  if (!moves) return undefined
  let from = begun(begins, status) ?? Object.keys(moves)
  for (const [step, { move }] of steps.entries()) {
    if (move === undefined) continue
    const legal = [...new Set(from.flatMap((it) => moves[it] ?? []))]
    if (!legal.includes(move)) return { step, message: withMessage(from, legal, moves) }
    from = [move]
  }
  return undefined
}

/** Statuses of the condition, or the first status of the event; undefined for any. */
const begun = (begins: string | undefined, status: Condition | undefined): string[] | undefined => {
  const named = acceptedLiterals(status)
  if (status !== null && named.length > 0) return named.map(({ value }) => String(value))
  return begins === undefined || status !== undefined ? undefined : [begins]
}

const withMessage = (
  from: readonly string[],
  legal: readonly string[],
  moves: Readonly<Record<string, readonly string[]>>,
): string => {
  const [only] = from
  if (from.length !== 1 || only === undefined) return legal.join(', ')
  return legal.length > 0
    ? `${legal.join(', ')}, which can follow ${only}`
    : `no move: ${only} is final${moves[only] ? '' : ' or unknown'}`
}
