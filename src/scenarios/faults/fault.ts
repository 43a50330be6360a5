import type * as z from 'zod'
import { exactlyOne, oneOf, strict } from '../../lib/yaml/strict.js'
import { malform, patch } from './alter-body.js'
import { type RespondStep, respond, withRest } from './respond.js'
import { throttle } from './throttle.js'
import { delay_ms, drawDelay, hold, parseMs, stale, trickle } from './timing.js'

const SIDES = ['before', 'after'] as const
const fields = {
  respond,
  delay_ms,
  hold,
  drop: oneOf([...SIDES, 'mid_body'])
    .optional()
    .describe('Drops the connection: before the operation, after it, or in the middle of the body'),
  hang: oneOf(SIDES)
    .optional()
    .describe(
      'Never responds: before or after the operation. Ends when the client leaves, or after five minutes',
    ),
  reset: oneOf(SIDES)
    .optional()
    .describe('Resets the connection (RST): before or after the operation'),
  patch,
  malform,
  trickle,
  stale,
  throttle,
}
export const REQUEST_ACTIONS = Object.keys(fields) as (keyof typeof fields)[]

export const requestStep = strict(fields)
  .superRefine((step, { issues, addIssue }) => {
    const done = REQUEST_ACTIONS.filter((action) => step[action] !== undefined)
    if (done.length === 1 || (done.length === 0 && issues.length > 0)) return
    addIssue({ code: 'custom', message: `exactly one of ${REQUEST_ACTIONS.join(', ')}` })
  })
  .meta(exactlyOne(REQUEST_ACTIONS))
export type RequestStep = z.output<typeof requestStep>

/** Allowed combinations of the steps of a rule. */
export const TOGETHER =
  'delays, and one of respond, drop, hang, reset, patch and malform; a hold before each of commit and answer and one stale, beside neither respond nor drop, hang or reset: before; one trickle, beside neither drop, hang nor reset; a throttle beside nothing but a respond of its own'

export const goTogether = (steps: readonly RequestStep[]): boolean => {
  const count = (...actions: (keyof RequestStep)[]) =>
    steps.filter((step) => actions.some((action) => step[action] !== undefined)).length
  if (count('respond', 'drop', 'hang', 'reset', 'patch', 'malform') > 1) return false
  if ([count('throttle'), count('stale'), count('trickle')].some((it) => it > 1)) return false
  const held = steps.flatMap(({ hold }) => hold?.before ?? [])
  if (new Set(held).size < held.length) return false
  const runsNothing = steps.some(
    ({ respond, drop, hang, reset }) => respond || [drop, hang, reset].includes('before'),
  )
  if (runsNothing && count('hold', 'stale') > 0) return false
  if (count('trickle') > 0 && count('drop', 'hang', 'reset') > 0) return false
  return count('throttle') === 0 || count('throttle', 'respond') === steps.length
}

/** The effects of a rule on one request, after all random decisions. */
export interface Fault extends Pick<RequestStep, 'drop' | 'hang' | 'reset' | 'patch' | 'malform'> {
  /** `<scenario>/<rule>` */
  readonly rule: string
  readonly source: string
  readonly delay_ms: number
  /** Real milliseconds before the command. */
  readonly hold_commit_ms: number
  /** Real milliseconds between the command and the response. */
  readonly hold_answer_ms: number
  /** Real milliseconds for the body of the response; 0 sends it at once. */
  readonly trickle_ms: number
  /** Age of the state that is read, in world time; 0 for the present state. */
  readonly stale_ms: number
  readonly respond: RespondStep | undefined
}

/** `rest_ms` is the rest of the rule's window, and `draw` returns the random number of a step. */
export const createFault = (
  rule: string,
  source: string,
  steps: readonly RequestStep[],
  rest_ms: number | undefined,
  draw: (nth: number) => number,
): Fault => {
  // Only delays and holds can appear more than once.
  const { respond, trickle, stale, drop, hang, reset, patch, malform }: RequestStep = Object.assign(
    {},
    ...steps,
  )
  const heldBefore = (side: 'commit' | 'answer') =>
    parseMs(steps.find(({ hold }) => hold?.before === side)?.hold?.for)
  return {
    ...{ rule, source, drop, hang, reset, patch, malform },
    delay_ms: drawDelay(steps, draw),
    hold_commit_ms: heldBefore('commit'),
    hold_answer_ms: heldBefore('answer'),
    trickle_ms: parseMs(trickle?.over),
    stale_ms: parseMs(stale),
    respond: withRest(respond, rest_ms),
  }
}
