import { describeSteps } from '../faults/fault.js'
import type { Conditions } from '../language/conditions.js'
import { events } from '../language/events.js'
import type { During, EventRule, RequestRule, Rule } from '../language/rules.js'
import type { SubjectStep } from '../language/steps.js'
import { formatConditionList, formatItems } from '../verify/format-expectation.js'

const formatConditions = (conditions: Conditions): string =>
  formatConditionList(conditions).join(', ')

/** A text diagram: one line per rule, time to the right. */
export const renderDiagram = ({ rules }: { readonly rules: readonly Rule[] }): string =>
  rules
    .map((rule, i) => {
      const { head, conditions, path } = renderRule(rule, rules.slice(i + 1))
      return `${head}${inBrackets(conditions)}: ${path}`
    })
    .join('\n')

export interface RenderedRule {
  readonly head: string
  readonly conditions: string
  readonly path: string
}

/** `below` are the lower rules, which show what follows once this rule is exhausted. */
export const renderRule = (rule: Rule, below: readonly Rule[] = []): RenderedRule =>
  rule.when === 'request' ? renderRequestRule(rule, below) : renderEventRule(rule)

/** The events or requests that a rule waits for: `createPayout requests with status 503 (not the first 2)` */
export const describeTrigger = ({ limit: _, ...rule }: Rule): string =>
  formatItems(rule.when === 'request' ? 'requests' : rule.when, rule.if ?? {}) + formatQuota(rule)

const renderEventRule = (rule: EventRule): RenderedRule => {
  const { status, ...conditions } = rule.if ?? {}
  const begins = (events[rule.when] as { begins?: string }).begins
  const from =
    typeof status === 'string' ? status : Array.isArray(status) ? status.join('|') : begins
  const asked = typeof status === 'object' && !Array.isArray(status) ? { status } : {}
  const words = formatConditions({ ...asked, ...conditions } as Conditions)
  const path = `${from ?? ''}${drawSteps(rule.then)}`.trimStart()
  return { head: rule.when, conditions: words, path: path + formatQuota(rule) }
}

const renderRequestRule = (rule: RequestRule, below: readonly Rule[]): RenderedRule => {
  const { operation, ...conditions } = rule.if ?? {}
  const words = formatConditions(conditions as Conditions)
  const steps = describeSteps(rule.then)
  const rest = below.some((other) => meets(rule, other)) ? ', then as below' : ', then as usual'
  const then = rule.limit === undefined ? '' : rest
  return {
    head: formatOperations(operation),
    conditions: words,
    path: steps + formatQuota(rule) + then,
  }
}

/** Whether a lower rule matches the same requests. */
const meets = (rule: RequestRule, other: Rule): boolean => {
  if (other.when !== 'request') return false
  const [mine, theirs] = [rule, other].map((it) => [it.if?.operation ?? []].flat().map(String))
  const same =
    formatConditions(withoutOperation(rule)) === formatConditions(withoutOperation(other))
  return same && (theirs?.length === 0 || theirs?.some((it) => mine?.includes(it)) === true)
}

const withoutOperation = ({ if: { operation: _, ...conditions } = {} }: RequestRule): Conditions =>
  conditions

const MAX_NAMED = 4

const formatOperations = (given: unknown): string => {
  if (given === undefined) return 'any request'
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    return formatConditions({ operation: given } as Conditions)
  }
  const names = [given].flat().map(String)
  if (names.length <= MAX_NAMED) return names.join(', ')
  return `${names.slice(0, MAX_NAMED - 1).join(', ')} and ${names.length - MAX_NAMED + 1} more`
}

/** `from 30s after payout.created, for 10m` */
const formatWindow = ({ after, from, for: length }: During): string => {
  const words = `from ${from === undefined ? '' : `${from} after `}${ORIGINS[after] ?? after} on`
  return length === undefined ? words : `${words}, for ${length}`
}

const ORIGINS: Readonly<Record<string, string>> = {
  start: 'the start',
  request: 'the first such request',
}

const formatQuota = ({ skip = 0, limit, per, chance, during }: Rule): string => {
  const times = limit === 1 && skip === 0 ? 'time' : `${limit} ${limit === 1 ? 'time' : 'times'}`
  const words = [
    skip > 0 ? `not the first ${skip}` : '',
    limit === undefined ? '' : `${skip > 0 ? 'then' : 'the first'} ${times}`,
    chance === undefined ? '' : `by a chance of ${chance}`,
    per === undefined ? '' : `for each ${per}`,
    during === undefined ? '' : formatWindow(during),
  ].filter(Boolean)
  return inBrackets(words.join(', '))
}

const drawSteps = (steps: readonly SubjectStep[]): string =>
  steps.map((step) => (step.stop ? ' ──┤ stays' : ` ${arrow(step)} ${formatAction(step)}`)).join('')

const arrow = ({ after, after_reads: reads }: SubjectStep): string => {
  if (reads !== undefined) return `──${reads} ${reads === 1 ? 'read' : 'reads'}──▶`
  return after === undefined || after === '0s' ? '──▶' : `──${after}──▶`
}

const formatAction = ({
  move,
  reason,
  credit,
  deposit,
  set_key,
  ...details
}: SubjectStep): string => {
  if (move !== undefined) {
    const reasons = details.rejection_reasons?.map((it) => it.reason) ?? details.requirements ?? []
    return move + inBrackets([reason, ...reasons].filter(Boolean).join(', '))
  }
  if (credit)
    return credit.amount
      ? `credit of ${credit.amount} ${credit.currency ?? ''}`.trimEnd()
      : 'amount given back'
  if (deposit) {
    const { amount, crypto, chain, address } = deposit
    return [`deposit of ${amount}`, crypto, chain && `on ${chain}`, address && `at ${address}`]
      .filter(Boolean)
      .join(' ')
  }
  const { status, expires_at } = set_key ?? {}
  if (status !== undefined) return `key ${status}`
  return expires_at === '0s' ? 'key expires' : `key good ${formatExpiry(expires_at ?? '')}`
}

const formatExpiry = (expiry: string): string =>
  /^\d{4}-/.test(expiry) ? `until ${expiry}` : `for ${expiry}`

const inBrackets = (text: string): string => (text ? ` (${text})` : '')
