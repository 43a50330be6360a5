import { auditQuery, auditVariants } from '../../contract/audit.js'
import { toPagination } from '../../contract/pagination.js'
import { toUserResponse, userListAs } from '../../contract/user.js'
import { listUsers as listDomainUsers } from '../../domain/user-history.js'
import { ok, operation } from '../../http/operation/operation.js'

export const listUsers = operation({
  id: 'listUsers',
  method: 'get',
  path: '/onboarding/api/v1/users/all',
  tag: 'Users',
  summary: 'List users',
  description: 'Lists users.',
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
  handle: ({ world: { tables }, query, readings }) => {
    const list = listDomainUsers(tables, readings, query)
    const { asReader } = readings
    const users = list.records.map((user) => toUserResponse(user, asReader))
    return ok(
      'count' in list
        ? { users, pagination: toPagination(query, list.count, list.totalPages) }
        : users,
    )
  },
})
