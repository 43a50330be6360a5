import { toUserResponse, userAs, userRequest } from '../../contract/user.js'
import { userVariants } from '../../contract/user-variants.js'
import { createdAnswers, createdOrOk, operation } from '../../http/operation/operation.js'
import { digestImages } from './user-images.js'

export const createUser = operation({
  id: 'createUser',
  method: 'post',
  path: '/onboarding/api/v1/users',
  tag: 'Users',
  summary: 'Create user',
  description:
    'Creates a user, `under_review`, with the identity, address and documents to verify.',
  body: userRequest,
  bodyVariants: userVariants,
  answers: createdAnswers(201, 'The new user, under_review', userAs),
  errors: ['4000', '4004'],
  handle: ({ world, body, cause, readings }) => {
    const input = digestImages(body, readings)
    const shown = toUserResponse(
      world.run('user.create', input, cause, readings),
      readings.asReader,
    )
    return createdOrOk(readings, 201, shown)
  },
})
