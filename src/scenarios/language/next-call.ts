import * as z from 'zod'
import type { NextCallInput } from '../../domain/next-calls.js'
import { PAYOUT_STATUSES, TRANSFER_STATUSES, USER_STATUSES } from '../../domain/schema.js'
import { AppError } from '../../lib/app-error.js'
import { yamlProblems } from '../../lib/yaml/issues.js'
import { oneOf, shortText, strict, wholeNumber } from '../../lib/yaml/strict.js'
import { REQUEST_ACTIONS, requestStep } from '../faults/fault.js'
import { duration } from '../faults/timing.js'
import { events } from './events.js'
import { operationIds } from './operations.js'

/** The record that a call creates; for an offramp the transfer of its next deposit. */
const RECORDS: Readonly<Record<string, Noun>> = {
  createPayout: 'payout',
  initiateOfframp: 'transfer',
  createUser: 'user',
}
type Noun = 'payout' | 'transfer' | 'user'

/** Operations whose body or path has a user_id. */
const OF_USERS: readonly string[] = [
  'createPayout',
  'createCustodyWallet',
  'initiateOfframp',
  'getOfframpAudit',
  'getTransferAudit',
  'getCryptoBalance',
]

const ACTIONS = [...REQUEST_ACTIONS, 'move', 'stop'] as const
const ONE_ACTION = `exactly one of ${ACTIONS.join(', ')}`

const stop = z.literal(true, 'true').describe('The record keeps its first status for good')
const besideMove = {
  after: duration.optional().describe('Delay in world time: 500ms, 2s, 30m, 1h, 7d or ISO 8601'),
  reason: shortText.optional().describe('Why it failed, was cancelled or rejected'),
}

/** The scenario language checks what is inside an action. */
const anyStep = strict({
  ...Object.fromEntries(REQUEST_ACTIONS.map((action) => [action, z.unknown().optional()])),
  move: shortText.optional(),
  stop: stop.optional(),
  from: shortText.optional(),
  ...besideMove,
}).superRefine((step, { issues, addIssue }) => {
  const done = ACTIONS.filter((action) => action in step)
  if (done.length !== 1 && issues.length === 0) addIssue({ code: 'custom', message: ONE_ACTION })
  for (const name of ['from', 'after'] as const) {
    if (step[name] !== undefined && step.stop)
      addIssue({ code: 'custom', path: [name], message: 'it only beside move' })
  }
})
type Step = z.output<typeof anyStep>

const TIMES = 'a whole number from 1 to 1000000, or always'
const selection = {
  operation: oneOf(operationIds).optional().describe('Default: any of the eleven'),
  user_id: z
    .string()
    .optional()
    .describe('Only calls whose body or path names this user: an id, or a name of the fixtures'),
  times: z
    .union([wholeNumber(1, 1_000_000), z.literal('always')], { error: () => TIMES })
    .optional()
    .describe('How many calls take it. Default: 1'),
  optional: z.boolean('true or false').optional().describe('Whether no call has to take it'),
}

const call = strict({ ...selection, then: anyStep }).superRefine(
  ({ operation, user_id, then }, { addIssue }) => {
    const refuse = (message: string) => addIssue({ code: 'custom', path: ['operation'], message })
    if (isOfRecord(then) && !RECORDS[operation ?? '']) {
      refuse(`${Object.keys(RECORDS).join(', ')}, whose record then can move or stop`)
    } else if (user_id !== undefined && operation !== undefined && !OF_USERS.includes(operation)) {
      refuse(`${OF_USERS.join(', ')}, which name a user_id`)
    }
  },
)
type Call = z.output<typeof call>

const status = z.enum([...PAYOUT_STATUSES, ...TRANSFER_STATUSES, ...USER_STATUSES])
const FROM = 'Lets it move as usual until it has this status. Default: its first status'

const requestSteps = REQUEST_ACTIONS.map((action) => {
  const field: z.ZodOptional<z.ZodType> = requestStep.shape[action]
  return strict({ [action]: field.unwrap().describe(field.description ?? '') })
})

/** The call as the document shows it. */
export const nextCall = strict({
  ...selection,
  then: z
    .union([
      ...requestSteps,
      strict({ move: status, from: status.optional().describe(FROM), ...besideMove }),
      strict({ stop }),
    ])
    .meta({ id: 'NextStep', description: 'A step about the request, or about its new record' }),
}).meta({ id: 'NextCall', example: { operation: 'createPayout', then: { move: 'PAYOUT_FAILED' } } })

/** Loads the language of scenarios with the first call. */
export const parseNextCall = async (body: object): Promise<NextCallInput> => {
  const { data, error } = call.safeParse(body)
  if (!data) throw invalidCall(error.issues, body)
  const { scenarioFile } = await import('./scenario-file.js')
  const { writeYaml } = await import('../../lib/yaml/write.js')
  const { operation, user_id, times = 1, optional, then } = data
  const user = user_id !== undefined && { user: { id: user_id } }
  const ofCall = { when: 'request', if: { operation: operation ?? { exists: true }, ...user } }
  const noun = isOfRecord(then) ? RECORDS[operation ?? ''] : undefined
  const head = noun ? ofRecord(noun, data) : ofCall
  const steps = [noun ? toRecordStep(noun, then) : then]
  const names = { name: 'next-call', title: `Next call: ${operation ?? 'any operation'}` }
  const parsed = scenarioFile.safeParse({ ...names, rules: [{ ...head, then: steps }] })
  if (!parsed.success) {
    const issues = parsed.error.issues.map((it) => ({ ...it, path: toOwnPath(it.path) }))
    throw invalidCall(issues, body)
  }
  const { rules = [] } = parsed.data
  const read = rules[0]?.then as readonly object[]
  const limit = times !== 'always' && { limit: times }
  return {
    operation: operation ?? null,
    user_id: user_id ?? null,
    times: times === 'always' ? null : times,
    ...(optional && { optional }),
    then: noun ? then : (read[0] ?? {}),
    rules: noun ? [{ ...ofCall, then: [] }, ...rules] : rules,
    yaml: writeYaml({ ...names, rules: [{ ...head, ...limit, then: noun ? steps : read }] }),
  }
}

const isOfRecord = (step: Step): boolean => 'move' in step || 'stop' in step

const ofRecord = (noun: Noun, { user_id, then: { from } }: Call) => {
  const isMoved = from !== undefined && from !== events[`${noun}.created`].begins
  const conditions = {
    ...(noun === 'transfer' && { kind: 'offramp' }),
    ...(user_id !== undefined && { user_id }),
    ...(isMoved && { status: from }),
  }
  const when = `${noun}.${isMoved ? 'moved' : 'created'}`
  return Object.keys(conditions).length > 0 ? { when, if: conditions } : { when }
}

const toRecordStep = (noun: Noun, { from: _, reason, ...step }: Step): object => {
  if (reason === undefined) return step
  return { ...step, ...(noun === 'user' ? { rejection_reasons: [reason] } : { reason }) }
}

/** The field of the call behind `rules.0.…` of its file. */
const toOwnPath = ([, , part, ...rest]: readonly PropertyKey[]): PropertyKey[] => {
  if (part === 'if') return rest[0] === 'status' ? ['then', 'from'] : ['operation']
  const inner = rest.slice(1)
  return ['then', ...(inner[0] === 'rejection_reasons' ? ['reason'] : inner)]
}

const invalidCall = (issues: readonly z.core.$ZodIssue[], body: object) =>
  new AppError('invalid', yamlProblems(issues, body))
