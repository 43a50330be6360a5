import type * as z from 'zod'
import { Readings } from '../assumptions/use.js'
import { badRequest } from '../http/operation/api-error.js'
import type { Call, Operation } from '../http/operation/operation.js'
import { issueMessages, joinMessages } from '../lib/zod-errors.js'
import type { PageContext } from './page-context.js'

export interface OperationInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** Validates the input by the operation's schemas, calls its handler and returns the body of the response. */
export const runOperation = async (
  operation: Operation,
  { sandbox, live, scope }: PageContext,
  { params = {}, query = {}, body = {} }: OperationInput,
  { cause, request, once }: Pick<Call<unknown, unknown, unknown>, 'cause' | 'request' | 'once'>,
): Promise<unknown> => {
  const problems: string[] = []
  const parse = (schema: z.ZodType | undefined, input: unknown): unknown => {
    const result = schema?.safeParse(input)
    if (result?.error) problems.push(...issueMessages(result.error.issues, input))
    return result?.data
  }
  const input = {
    params: parse(operation.params, params),
    query: parse(operation.query, query),
    body: parse(operation.body, operation.text ? await operation.text.read(String(body)) : body),
  }
  if (problems.length > 0) throw badRequest(joinMessages(problems))
  const world = live.current()
  const readings = new Readings(world.tables.readings)
  const call = { sandbox, live, scope, world, cause, readings, request, once, ...input }
  const reply = await operation.handle(call as Parameters<Operation['handle']>[0])
  return reply instanceof Response ? undefined : reply.body
}
