import { showUser, userList } from '../contract/user.js'
import { ok, operation } from '../http/operation.js'

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
  assumptions: ['user.paused', 'user.rejection_reasons', 'user.requirements'],
  handle: ({ world }) => ok(world.tables.users.list('all', '').reverse().map(showUser)),
})
