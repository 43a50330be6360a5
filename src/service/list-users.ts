import { auditQuery } from '../contract/audit.js'
import { showPagination } from '../contract/pagination.js'
import { isSparse, showUser, userList } from '../contract/user.js'
import { ok, operation } from '../http/operation.js'
import type { Readings } from '../world/readings.js'
import type { User } from '../world/users.js'
import type { Tables } from '../world/world.js'

export const listUsers = operation({
  id: 'listUsers',
  method: 'get',
  path: '/onboarding/api/v1/users/all',
  tag: 'Users',
  summary: 'List users',
  description: 'All users of the account, the newest first.',
  answers: {
    200: {
      description: 'All users',
      schema: userList,
      provenance: 'assumed',
      assumption: 'users.list',
    },
  },
  errors: [],
  handle: ({ world, readings, request }) => {
    const users = listed(world.tables, readings)
    if (readings.of('users.list') === 'array') return ok(shown(users, readings))
    const page = pageOf(request.query())
    const first = page.page * page.size
    return ok({
      users: shown(users.slice(first, first + page.size), readings),
      pagination: showPagination(page, users.length),
    })
  },
})

/** All users; those who are removed from the system may be left out. */
const listed = ({ users }: Tables, readings: Readings): User[] => {
  const all = users.list('all', '')
  if (all.length > 1 && readings.of('users.order') === 'newest_first') all.reverse()
  const isLeftOut =
    users.count('status', 'offboarded') > 0 && readings.of('users.offboarded') === 'left_out'
  return isLeftOut ? all.filter(({ status }) => status !== 'offboarded') : all
}

/** The page asked for, as in the audits; the first one when that cannot be read. */
const pageOf = ({ page, size }: Readonly<Record<string, string>>) => {
  const given = auditQuery.safeParse({
    page: page === undefined ? undefined : Number(page),
    size: size === undefined ? undefined : Number(size),
  })
  return given.success ? given.data : auditQuery.parse({})
}

const shown = (users: readonly User[], readings: Readings): object[] => {
  if (users.some(({ status }) => status !== 'under_review')) readings.of('user.transitions')
  if (users.some(isSparse)) readings.note('user.required', 'minimal')
  const { read } = readings
  return users.map((user) => showUser(user, read))
}
