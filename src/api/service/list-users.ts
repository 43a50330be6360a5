import type { Readings } from '../../assumptions/use.js'
import { auditQuery, auditVariants } from '../../contract/audit.js'
import { isSparse, toUserResponse, userListAs } from '../../contract/user.js'
import type { Tables, User } from '../../domain/schema.js'
import { ok, operation } from '../../http/operation.js'
import { paginate } from './user-history.js'

export const listUsers = operation({
  id: 'listUsers',
  method: 'get',
  path: '/onboarding/api/v1/users/all',
  tag: 'Users',
  summary: 'List users',
  description: 'Lists the users of the account.',
  query: auditQuery,
  queryIf: (read) => read('users.list') === 'paged',
  queryVariants: auditVariants,
  answers: {
    200: {
      description: 'The users',
      schema: userListAs,
      provenance: 'assumed',
      assumption: 'users.list',
    },
  },
  errors: [],
  handle: ({ world, query, readings }) => {
    const users = listed(world.tables, readings)
    if (readings.use('users.list') === 'array') return ok(shown(users, readings))
    const pagination = paginate(readings, query, users.length)
    const first = query.page * query.size
    return ok({ users: shown(users.slice(first, first + query.size), readings), pagination })
  },
})

const listed = ({ users }: Tables, readings: Readings): User[] => {
  const all = users.list('all', '')
  if (all.length > 1 && readings.use('list.order') === 'newest_first') all.reverse()
  return all
}

const shown = (users: readonly User[], readings: Readings): object[] => {
  if (users.some(isSparse)) readings.record('user.required', 'minimal')
  const { asReader } = readings
  return users.map((user) => toUserResponse(user, asReader))
}
