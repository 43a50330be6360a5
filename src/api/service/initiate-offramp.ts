import {
  offrampInstruction,
  offrampRequest,
  offrampVariants,
  toDepositAddressResponse,
} from '../../contract/offramp.js'
import { createdAnswers, createdOrOk, operation } from '../../http/operation/operation.js'

export const initiateOfframp = operation({
  id: 'initiateOfframp',
  method: 'post',
  path: '/payment/api/v1/offramp',
  tag: 'Offramps',
  summary: 'Initiate offramp',
  description:
    'Returns a deposit address; crypto that arrives there is converted to fiat and sent to the destination account.',
  body: offrampRequest,
  bodyVariants: offrampVariants,
  answers: createdAnswers(200, 'Where to send which token', offrampInstruction),
  errors: ['4000', '4004', '4040'],
  handle: ({ world, body, cause, readings }) => {
    const shown = toDepositAddressResponse(
      world.run('offramp.initiate', body, cause, readings),
      readings.asReader,
    )
    return createdOrOk(readings, 200, shown)
  },
})
