import type { Conditions } from './conditions.js'
import { events } from './events.js'
import type { EventRule, RequestRule, Rule } from './language.js'
import type { RequestStep, RespondStep, SubjectStep } from './steps.js'
import { conditionWords } from './words.js'

const conditionsInWords = (conditions: Conditions): string => conditionWords(conditions).join(', ')

/** Draws a scenario as text: one line for each rule, time running to the right. */
export const drawingOf = ({ rules }: { readonly rules: readonly Rule[] }): string =>
  rules
    .map((rule, i) =>
      rule.when === 'request' ? drawRequestRule(rule, rules.slice(i + 1)) : drawEventRule(rule),
    )
    .join('\n')

const drawEventRule = (rule: EventRule): string => {
  const { status, ...conditions } = rule.if ?? {}
  const begins = (events[rule.when] as { begins?: string }).begins
  const from =
    typeof status === 'string' ? status : Array.isArray(status) ? status.join('|') : begins
  const asked = typeof status === 'object' && !Array.isArray(status) ? { status } : {}
  const words = inBrackets(conditionsInWords({ ...asked, ...conditions } as Conditions))
  const path = `${from ?? ''}${drawSteps(rule.then)}`.trimStart()
  return `${rule.when}${words}: ${path}${dosageInWords(rule)}`
}

/** The path that the subject takes. */
export const drawSteps = (steps: readonly SubjectStep[]): string =>
  steps.map((step) => (step.stop ? ' ──┤ stays' : ` ${arrow(step)} ${actionOf(step)}`)).join('')

const arrow = ({ after, after_reads: reads }: SubjectStep): string => {
  if (reads !== undefined) return `──${reads} ${reads === 1 ? 'read' : 'reads'}──▶`
  return after === undefined || after === '0s' ? '──▶' : `──${after}──▶`
}

const actionOf = ({ move, reason, credit, deposit, set_key, ...details }: SubjectStep): string => {
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
  return expires_at === '0s' ? 'key expires' : `key good ${goodInWords(expires_at ?? '')}`
}

const goodInWords = (expiry: string): string =>
  /^\d{4}-/.test(expiry) ? `until ${expiry}` : `for ${expiry}`

const drawRequestRule = (rule: RequestRule, below: readonly Rule[]): string => {
  const { operation, ...conditions } = rule.if ?? {}
  const words = inBrackets(conditionsInWords(conditions as Conditions))
  const steps = rule.then.map(drawRequestStep).join(', ')
  const rest = below.some((other) => meets(rule, other)) ? ', then as below' : ', then as usual'
  const then = rule.limit === undefined ? '' : rest
  return `${operationsInWords(operation)}${words}: ${steps}${dosageInWords(rule)}${then}`
}

/** Whether another request rule asks for the same things and may have its turn later. */
const meets = (rule: RequestRule, other: Rule): boolean => {
  if (other.when !== 'request') return false
  const [mine, theirs] = [rule, other].map((it) => [it.if?.operation ?? []].flat().map(String))
  const same =
    conditionsInWords(withoutOperation(rule)) === conditionsInWords(withoutOperation(other))
  return same && (theirs?.length === 0 || theirs?.some((it) => mine?.includes(it)) === true)
}

const withoutOperation = ({ if: { operation: _, ...conditions } = {} }: RequestRule): Conditions =>
  conditions

const MOST_NAMED = 4

const operationsInWords = (given: unknown): string => {
  if (given === undefined) return 'any request'
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    return conditionsInWords({ operation: given } as Conditions)
  }
  const names = [given].flat().map(String)
  if (names.length <= MOST_NAMED) return names.join(', ')
  return `${names.slice(0, MOST_NAMED - 1).join(', ')} and ${names.length - MOST_NAMED + 1} more`
}

const DROPS = {
  before: '✂ cut before anything is done',
  after: '✂ done, then cut without an answer',
  mid_body: '✂ done, then cut in the middle of the answer',
} as const

const MALFORMS = {
  truncated_json: '≈ done, answered with half of the JSON',
  html: '≈ done, answered with a page of HTML',
  wrong_content_type: '≈ done, answered as text/plain',
  empty: '≈ done, answered with nothing',
} as const

const drawRequestStep = (step: RequestStep): string => {
  const { respond, delay_ms: delay, drop, malform, throttle } = step
  if (respond) return drawResponse(respond)
  if (delay !== undefined) return `◷ ${Array.isArray(delay) ? delay.join(' to ') : delay} ms late`
  if (drop) return DROPS[drop]
  if (malform) return MALFORMS[malform]
  return throttle ? `✕ 429 beyond ${throttle.limit} in ${throttle.window}` : ''
}

const drawResponse = ({ status, code, retry_after }: RespondStep): string => {
  const mark = status >= 400 ? '✕' : '✓'
  const wait = retry_after === undefined ? '' : `, retry after ${retry_after}`
  return `${mark} ${status}${code === undefined ? '' : ` ${code}`}${wait}`
}

/** How often it happens, in brackets. */
const dosageInWords = ({ skip = 0, limit, per, chance }: Rule): string => {
  const times = limit === 1 && skip === 0 ? 'time' : `${limit} ${limit === 1 ? 'time' : 'times'}`
  const words = [
    skip > 0 ? `not the first ${skip}` : '',
    limit === undefined ? '' : `${skip > 0 ? 'then' : 'the first'} ${times}`,
    chance === undefined ? '' : `by a chance of ${chance}`,
    per === undefined ? '' : `for each ${per}`,
  ].filter(Boolean)
  return inBrackets(words.join(', '))
}

const inBrackets = (text: string): string => (text ? ` (${text})` : '')
