import * as z from 'zod'
import type { NextCallInput } from '../../domain/next-calls.js'
import { PAYOUT_STATUSES, TRANSFER_STATUSES, USER_STATUSES } from '../../domain/schema.js'
import { AppError } from '../../lib/app-error.js'
import { yamlProblems } from '../../lib/yaml/issues.js'
import { oneOf, strict, wholeNumber } from '../../lib/yaml/strict.js'
import { REQUEST_ACTIONS, stepFields } from '../faults/fault.js'
import {
  type MovedNoun,
  type MoveStep,
  moveFields,
  moves,
  moveWord,
  RECORDS,
  toMoveFields,
  toRecordSteps,
} from '../faults/moves.js'
import { events } from './events.js'
import { operationIds } from './operations.js'

/** Operations whose body or path has a user_id. */
const OF_USERS: readonly string[] = [
  'createPayout',
  'createCustodyWallet',
  'initiateOfframp',
  'getOfframpAudit',
  'getTransferAudit',
  'getCryptoBalance',
]

const WORDS = moves.map(({ field }) => field)
const OF_RECORD = ['move', 'stop', ...WORDS]
const ONE_ACTION = `exactly one of ${[...REQUEST_ACTIONS, ...OF_RECORD].join(', ')}`
const BESIDE_MOVE = ['from', 'after', 'reason']

/** The scenario language checks what is inside an action about a request. */
const anyStep = strict({
  ...Object.fromEntries(Object.keys(stepFields).map((name) => [name, z.unknown().optional()])),
  ...moveFields,
  ...Object.fromEntries(moves.map((it) => [it.field, moveWord(it).optional()])),
}).superRefine((step, { issues, addIssue }) => {
  const given = Object.keys(step)
  const [action = '', ...more] = given.filter((name) => !BESIDE_MOVE.includes(name))
  if ((action === '' || more.length > 0) && issues.length === 0)
    addIssue({ code: 'custom', message: ONE_ACTION })
  if (action === 'move' || !OF_RECORD.includes(action)) return
  for (const name of given.filter((it) => BESIDE_MOVE.includes(it)))
    addIssue({ code: 'custom', path: [name], message: 'it only beside move' })
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
    const able = operationsWith(then)
    if (able && !able.includes(operation ?? '')) {
      refuse(`${able.join(', ')}, whose record then can ${Object.keys(then)[0]}`)
    } else if (user_id !== undefined && operation !== undefined && !OF_USERS.includes(operation)) {
      refuse(`${OF_USERS.join(', ')}, which name a user_id`)
    }
  },
)

/** Operations whose record can take a step; undefined for a step about the request. */
const operationsWith = (step: Step): string[] | undefined => {
  const action = OF_RECORD.find((name) => name in step)
  if (action === undefined) return undefined
  const move = moves.find(({ field }) => field === action)
  return Object.keys(RECORDS).filter((it) => !move || move.fields[RECORDS[it] as MovedNoun])
}

const status = z.enum([...PAYOUT_STATUSES, ...TRANSFER_STATUSES, ...USER_STATUSES])

const { stop, from, after, reason } = moveFields
const oneField = (name: string, field: z.ZodOptional) =>
  strict({ [name]: (field.unwrap() as z.ZodType).describe(field.description ?? '') })

/** The call as the document shows it. */
export const nextCall = strict({
  ...selection,
  then: z
    .union([
      ...Object.entries(stepFields).map(([name, field]) => oneField(name, field)),
      strict({
        move: status,
        from: status.optional().describe(from.description ?? ''),
        after,
        reason,
      }),
      strict({ stop: stop.unwrap().describe(stop.description ?? '') }),
      ...moves.map((it) => strict({ [it.field]: moveWord(it).describe(it.about) })),
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
  const noun = operationsWith(then) && RECORDS[operation ?? '']
  const step = noun ? toMoveFields(noun, then) : then
  const head = noun ? ofRecord(noun, user_id, step) : ofCall
  const steps = noun ? toRecordSteps(noun, step) : [step]
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
    then: noun ? step : (read[0] ?? {}),
    rules: noun ? [{ ...ofCall, then: [] }, ...rules] : rules,
    yaml: writeYaml({ ...names, rules: [{ ...head, ...limit, then: noun ? steps : read }] }),
  }
}

const ofRecord = (noun: MovedNoun, user_id: string | undefined, { from }: MoveStep) => {
  const isMoved = from !== undefined && from !== events[`${noun}.created`].begins
  const conditions = {
    ...(noun === 'transfer' && { kind: 'offramp' }),
    ...(user_id !== undefined && { user_id }),
    ...(isMoved && { status: from }),
  }
  const when = `${noun}.${isMoved ? 'moved' : 'created'}`
  return Object.keys(conditions).length > 0 ? { when, if: conditions } : { when }
}

/** The field of the call behind `rules.0.…` of its file. */
const toOwnPath = ([, , part, ...rest]: readonly PropertyKey[]): PropertyKey[] => {
  if (part === 'if') return rest[0] === 'status' ? ['then', 'from'] : ['operation']
  const inner = rest.slice(1)
  return ['then', ...(inner[0] === 'rejection_reasons' ? ['reason'] : inner)]
}

const invalidCall = (issues: readonly z.core.$ZodIssue[], body: object) =>
  new AppError('invalid', yamlProblems(issues, body))
