import { consentId, consentRequest } from '../../contract/user.js'
import { consentVariants } from '../../contract/user-variants.js'
import { createdAnswers, createdOrOk, operation } from '../../http/operation/operation.js'

export const createConsent = operation({
  id: 'createConsent',
  method: 'post',
  path: '/onboarding/api/v1/tnc',
  tag: 'Users',
  summary: 'Generate user consent',
  description:
    'Records that a user accepted the terms and conditions, and returns the consent id for Create user.',
  body: consentRequest,
  bodyVariants: consentVariants,
  answers: createdAnswers(200, 'The consent id, a bare JSON string', consentId),
  errors: ['4000', '4004'],
  handle: ({ world, body, cause, readings }) => {
    const { id } = world.run('consent.create', body.tnc_data, cause, readings)
    return createdOrOk(readings, 200, id)
  },
})
