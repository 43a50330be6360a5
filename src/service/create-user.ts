import { showUser, user, userRequest } from '../contract/user.js'
import { userDoubts } from '../contract/user-doubts.js'
import { made, operation } from '../http/operation.js'
import { reduceUser } from './reduce-user.js'

export const createUser = operation({
  id: 'createUser',
  method: 'post',
  path: '/onboarding/api/v1/users',
  tag: 'Users',
  summary: 'Create user',
  description:
    'Creates a user with identity, address and documents for verification. The user starts ' +
    '`under_review`; read the list of users to see what became of the review.',
  body: userRequest,
  bodyDoubts: userDoubts,
  answers: {
    201: {
      description: 'The new user, under_review',
      schema: user,
      provenance: 'assumed',
      assumption: 'created.status',
    },
  },
  errors: ['4000', '4004', '4130', '4150'],
  handle: ({ world, body, cause, readings }) => {
    const input = reduceUser(body, readings)
    const shown = showUser(world.run('user.create', input, cause, readings), readings.read)
    return made(readings, 201, shown)
  },
})
