import { consentId, consentRequest } from '../contract/user.js'
import { consentDoubts } from '../contract/user-doubts.js'
import { createdAnswers, made, operation } from '../http/operation.js'

export const createConsent = operation({
  id: 'createConsent',
  method: 'post',
  path: '/onboarding/api/v1/tnc',
  tag: 'Users',
  summary: 'Generate user consent',
  description:
    'Records that a user accepted the terms and conditions, and returns the consent id for Create user.',
  body: consentRequest,
  bodyDoubts: consentDoubts,
  answers: createdAnswers(200, 'The consent id, a bare JSON string', consentId),
  errors: ['4000', '4004'],
  handle: ({ world, body, cause, readings }) => {
    const { id } = world.run('consent.create', body.tnc_data, cause, readings)
    return made(readings, 200, id)
  },
})
