import * as z from 'zod'
import { exactlyOne, oneOf, strict, wholeNumber } from '../../lib/yaml/strict.js'
import { findCollision, findForReads, requestStep } from '../faults/fault.js'
import { REST } from '../faults/respond.js'
import { duration, positiveDuration } from '../faults/timing.js'
import { type Conditions, conditionsOn } from './conditions.js'
import { type EventName, eventNames, findSubject } from './events.js'
import { expectation } from './expectations.js'
import { isField, requestFields, subjectFields } from './fields.js'
import { checkRequest, onlyReads } from './operations.js'
import { unknownPatches } from './patches.js'
import type { EventRule } from './rules.js'
import { subjectStep } from './steps.js'
import { unreachableMove } from './unreachable.js'

const CHANCE = 'a number above 0, up to 1'

const quota = {
  skip: wholeNumber(0, 1_000_000).optional().describe('Skips this many matches first'),
  limit: wholeNumber(1, 1_000_000)
    .optional()
    .describe('Fires on this many matches, then matches no more, so that the next rule can fire'),
  per: z
    .string('the name of a field')
    .min(1, 'the name of a field')
    .optional()
    .describe(
      'Counts skip and limit separately for each value of this field, such as id, operation or body.customer_payout_id',
    ),
  chance: z
    .number(CHANCE)
    .gt(0, CHANCE)
    .max(1, CHANCE)
    .optional()
    .describe('Fires with this probability, derived from the seed of the world'),
  during: strict({
    after: oneOf(['start', 'request', ...eventNames]).describe(
      'Start of the window: the start of the scenario, the first matching request, or an event. An event starts a closed window again',
    ),
    from: duration.optional().describe('Delay before the window opens. Default: none'),
    for: positiveDuration.optional().describe('Length of the window. Default: no end'),
  })
    .optional()
    .describe('Matches only within this window of the world’s time'),
}

const ifSchema = (conditions: z.ZodType<Conditions>) =>
  conditions
    .optional()
    .describe('Conditions that all have to hold. A rule without conditions always matches')

const thenSchema = <S extends z.ZodType>(step: S) =>
  z
    .array(step, STEPS)
    .min(1, STEPS)
    .describe('The steps in order. The delay of a step starts after the step before it')

const whenSchema = <W extends string>(when: W) =>
  z.literal(when).describe('An event of the world, or a request of the service')

const STEPS = 'a list of at least one step'
const END = 'nothing behind stop, after which nothing happens'

const PER = 'the path of a field that if can ask for, such as '

const eventRule = (when: EventName) =>
  strict({
    when: whenSchema(when),
    if: ifSchema(conditionsOn(subjectFields[findSubject(when).table])),
    ...quota,
    then: thenSchema(subjectStep(findSubject(when))),
  }).superRefine((given, context) => {
    const { if: conditions = {}, then: steps, per } = given as unknown as EventRule
    if (per !== undefined && !isField(subjectFields[findSubject(when).table], per)) {
      context.addIssue({ code: 'custom', path: ['per'], message: `${PER}user_id` })
    }
    const end = steps.findIndex(({ stop }) => stop)
    if (end >= 0 && end < steps.length - 1) {
      context.addIssue({ code: 'custom', path: ['then', end + 1], message: END })
    }
    if (context.issues.length > 0) return
    const impossible = unreachableMove(when, conditions.status, steps)
    if (!impossible) return
    const { step, message } = impossible
    context.addIssue({ code: 'custom', path: ['then', step, 'move'], message })
  })

const READS = 'only in a rule whose if names GET operations, such as getTransferStatus'
const RESTS = 'a duration; rest only in a rule with during and its for, or beside a throttle'

const requestRule = strict({
  when: whenSchema('request'),
  if: ifSchema(conditionsOn(requestFields).superRefine(checkRequest)),
  ...quota,
  then: thenSchema(requestStep),
}).superRefine((given, context) => {
  if (given.per !== undefined && !isField(requestFields, given.per)) {
    context.addIssue({ code: 'custom', path: ['per'], message: `${PER}body.customer_payout_id` })
  }
  const collision = findCollision(given.then)
  if (collision !== undefined) {
    context.addIssue({ code: 'custom', path: ['then'], message: collision })
  }
  const forReads = findForReads(given.then)
  if (forReads && !onlyReads(given.if)) {
    const { i, field } = forReads
    context.addIssue({ code: 'custom', path: ['then', i, field], message: `${field} ${READS}` })
  }
  const isTimed = given.during?.for !== undefined || given.then.some((it) => it.throttle)
  for (const [i, { respond }] of given.then.entries()) {
    if (isTimed || respond?.retry_after !== REST) continue
    context.addIssue({
      code: 'custom',
      path: ['then', i, 'respond', 'retry_after'],
      message: RESTS,
    })
  }
  for (const { path, accepted, isKey } of unknownPatches(given.if ?? {}, given.then)) {
    context.addIssue({ code: 'custom', path: [...path], message: accepted, params: { isKey } })
  }
})

const [first, ...more] = eventNames.map(eventRule)
const WHENS = ['request', ...eventNames].join(', ')

const rule = z.discriminatedUnion(
  'when',
  [requestRule, first as ReturnType<typeof eventRule>, ...more],
  { error: (issue) => (issue.code === 'invalid_union' ? WHENS : undefined) },
)

const NAME = 'a name of a-z, 0-9 and -, at most 64 characters'

const RULES = 'a list of at least one rule'
const EITHER = 'rules, expect or both'
const EXPECTATIONS = 'a list of at least one expectation'

export const scenarioFile = strict({
  name: z
    .string(NAME)
    .regex(/^[a-z0-9-]{1,64}$/, NAME)
    .describe('Name of the scenario: a-z, 0-9 and -, at most 64 characters'),
  title: z
    .string()
    .min(1, 'a title')
    .max(120, 'a title of at most 120 characters')
    .describe('The situation in one line'),
  why: z.string().optional().describe('Purpose, in a sentence or two'),
  rules: z
    .array(rule, RULES)
    .min(1, RULES)
    .optional()
    .describe(
      'Each rule has a trigger and steps. For each event and each request the first rule that fires wins',
    ),
  expect: z
    .array(expectation, EXPECTATIONS)
    .min(1, EXPECTATIONS)
    .optional()
    .describe('Statements that must hold at the end; verify checks them'),
})
  .superRefine(({ name, rules, expect = [] }, { issues, addIssue }) => {
    if (!rules && expect.length === 0 && issues.length === 0) {
      addIssue({ code: 'custom', path: ['rules'], message: EITHER })
    }
    const own = (rules ?? []).map((_, i) => `${name}/${i}`)
    for (const [i, { fired }] of expect.entries()) {
      if (fired === undefined || !fired.startsWith(`${name}/`) || own.includes(fired)) continue
      const message = `the name of a scenario, or one of its rules: ${own.join(', ')}`
      addIssue({ code: 'custom', path: ['expect', i, 'fired'], message })
    }
  })
  .meta({ title: 'Sandramp scenario', anyOf: exactlyOne(['rules', 'expect']).oneOf })
