import * as z from 'zod'
import type { Readings } from '../world/readings.js'
import { userOf } from '../world/users.js'
import type { World } from '../world/world.js'
import type { Operation } from './operation.js'

const naming = z.object({ user_id: z.guid().toLowerCase() })

/** Whether the body of an operation names a user, who may be unknown. */
export const namesUser = ({ body }: Operation): boolean =>
  body instanceof z.ZodObject && 'user_id' in body.shape

/** Refuses a malformed body for its unknown user, where users are looked up first (error.order). */
export const assertUserFirst = (world: World, body: unknown, readings: Readings): void => {
  const named = naming.safeParse(body)
  if (!named.success || world.tables.users.get(named.data.user_id)) return
  if (readings.of('error.order') === 'user_first') userOf(world.tables, named.data.user_id)
}
