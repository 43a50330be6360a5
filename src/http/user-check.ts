import * as z from 'zod'
import { concerns } from '../assumptions/register/by-operation.js'
import type { Readings } from '../assumptions/use.js'
import type { Tables } from '../domain/schema.js'
import { getUser, resolveUser } from '../domain/users.js'
import type { RequestContext } from './context.js'
import type { Operation } from './operation.js'

const naming = z.object({ user_id: z.guid().toLowerCase() })

const hasUser = (schema: z.ZodType | undefined): boolean =>
  schema instanceof z.ZodObject && 'user_id' in schema.shape

/**
 * Makes what refuses a malformed request for its unknown user, where users are looked up first
 * (error.order). Undefined for an operation that names none.
 */
export const createUserCheck = ({ id, method, params, body }: Operation) => {
  if (!hasUser(params) && !hasUser(body)) return undefined
  const isOpen = concerns('resource.unknown', id)
  return (c: RequestContext, tables: Tables, given: unknown, readings: Readings): void => {
    const named = naming.safeParse(hasUser(body) ? given : c.req.param())
    if (!named.success || tables.users.get(named.data.user_id)) return
    if (readings.use('error.order') !== 'user_first') return
    if (isOpen && method === 'get' && readings.use('resource.unknown') === 'empty') return
    if (isOpen) resolveUser(tables, named.data.user_id, readings.asReader)
    else getUser(tables, named.data.user_id)
  }
}
