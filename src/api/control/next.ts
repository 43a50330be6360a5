import * as z from 'zod'
import { uuid } from '../../contract/fields.js'
import type { NextCallInput } from '../../domain/next-calls.js'
import { MAX_SCENARIO_BYTES, MAX_SCENARIO_PARTS } from '../../domain/scenario-state.js'
import type { NextCall } from '../../domain/schema.js'
import { assertFewParts } from '../../http/operation/body-limits.js'
import { created, ok, operation } from '../../http/operation/operation.js'
import { parseJson } from '../../http/pipeline/parse-body.js'
import { invalidValue } from '../../lib/app-error.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import { describeUnused } from '../../scenarios/faults/unused-call.js'
import { nextCall, parseNextCall } from '../../scenarios/language/next-call.js'
import { listPage, listSchema, pageQuery } from './lists.js'
import { resolveName } from './names.js'

const times = z.union([z.int(), z.literal('always')])

const item = z
  .object({
    id: z.uuid(),
    rule: z.string().meta({ description: 'Its name in x-sandbox-fault', example: 'next-1/0' }),
    operation: z.string().nullable().meta({ description: 'Null for any' }),
    user_id: z.string().nullable().meta({ description: 'Null for any' }),
    times,
    left: times.meta({ description: 'How many calls may still take it' }),
    optional: z.boolean().meta({ description: 'Whether no call has to take it' }),
    complaint: z.string().nullable().meta({
      description: 'Why a test fails at its end; null if a call has taken it, or it is optional',
      example: 'createPayout loseResponse was never taken; the client called createUser',
    }),
    then: nextCall.shape.then,
    yaml: z.string().meta({ description: 'A scenario file that does the same' }),
  })
  .meta({ id: 'ArmedCall' })

/** Only a list judges whether a call was taken: a new one never was. */
const show = (call: NextCall, complaint: string | null = null) => ({
  id: call.id,
  rule: `${call.scenario.name}/0`,
  operation: call.operation,
  user_id: call.user_id,
  times: call.times ?? 'always',
  left: call.left ?? 'always',
  optional: call.optional ?? false,
  complaint,
  then: call.then,
  yaml: call.yaml,
})

export const listNextCalls = operation({
  id: 'listNextCalls',
  method: 'get',
  path: '/_sandbox/next',
  tag: 'Next call',
  summary: 'List armed calls',
  description: 'The armed calls of this world, newest first. Calls take the oldest one that fits.',
  query: pageQuery,
  answers: { 200: { description: 'One page', schema: listSchema(item, 'ArmedCallList') } },
  handle: async ({ live, world: { tables }, query }) => {
    await live.requests.update()
    const showJudged = (it: NextCall) => show(it, describeUnused(it, live.requests))
    return listPage(tables.next_calls, { index: 'armed', key: '' }, query, showJudged)
  },
})

const read = async (text: string, { fixtures }: Sandbox): Promise<NextCallInput> => {
  assertFewParts(text, MAX_SCENARIO_PARTS)
  const body = text === '' ? undefined : parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidValue('body', body, 'a JSON object')
  const { user_id } = body as { readonly user_id?: unknown }
  if (typeof user_id !== 'string') return parseNextCall(body)
  return parseNextCall({ ...body, user_id: resolveName(fixtures, 'users', 'user_id', user_id) })
}

export const armNextCall = operation({
  id: 'armNextCall',
  method: 'post',
  path: '/_sandbox/next',
  tag: 'Next call',
  summary: 'Arm the next call',
  description:
    '`then` is one step about a request, as in a scenario file; or a move or a stop of the record of createPayout, ' +
    'createUser or initiateOfframp (the transfer of its next deposit). A call takes the oldest armed one that ' +
    'fits, after the checks that come before faults. A step after the operation, or about its record, waits for a ' +
    'call that the operation does not refuse. Armed calls win over scenarios. A reset disarms all.',
  body: z.custom<NextCallInput>(),
  text: { types: ['application/json'], limit: MAX_SCENARIO_BYTES, schema: nextCall, read },
  answers: { 201: { description: 'The armed call', schema: item } },
  errors: ['4040'],
  handle: ({ world, body, cause }) => created(show(world.run('next.arm', body, cause))),
})

export const disarmNextCalls = operation({
  id: 'disarmNextCalls',
  method: 'delete',
  path: '/_sandbox/next',
  tag: 'Next call',
  summary: 'Disarm calls',
  description:
    'Disarms all armed calls, or the one of the `id`. Records of calls that have taken one still follow it.',
  query: z.object({ id: uuid().optional().meta({ description: 'Id of an armed call' }) }),
  answers: {
    200: {
      description: 'How many were disarmed',
      schema: z.object({ disarmed: z.int() }).meta({ id: 'CallsDisarmed' }),
    },
  },
  errors: ['4040'],
  handle: ({ world, query: { id }, cause }) =>
    ok({ disarmed: world.run('next.disarm', id === undefined ? {} : { id }, cause).length }),
})
