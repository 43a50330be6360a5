import { showUser, userAs, userRequest } from '../contract/user.js'
import { userDoubts } from '../contract/user-doubts.js'
import { createdAnswers, made, operation } from '../http/operation.js'
import { reduceUser } from './reduce-user.js'

export const createUser = operation({
  id: 'createUser',
  method: 'post',
  path: '/onboarding/api/v1/users',
  tag: 'Users',
  summary: 'Create user',
  description:
    'Creates a user, `under_review`, with the identity, address and documents to verify.',
  body: userRequest,
  bodyDoubts: userDoubts,
  answers: createdAnswers(201, 'The new user, under_review', userAs),
  errors: ['4000', '4004'],
  handle: ({ world, body, cause, readings }) => {
    const input = reduceUser(body, readings)
    const shown = showUser(world.run('user.create', input, cause, readings), readings.read)
    return made(readings, 201, shown)
  },
})
