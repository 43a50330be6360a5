import {
  offrampDoubts,
  offrampInstruction,
  offrampRequest,
  showInstruction,
} from '../contract/offramp.js'
import { made, operation } from '../http/operation.js'

export const initiateOfframp = operation({
  id: 'initiateOfframp',
  method: 'post',
  path: '/payment/api/v1/offramp',
  tag: 'Offramps',
  summary: 'Initiate offramp',
  description:
    'Answers a deposit address for a user’s registered destination account. Crypto that arrives there ' +
    'is converted to fiat and sent on; the audits show it from then on.',
  body: offrampRequest,
  bodyDoubts: offrampDoubts,
  answers: {
    200: {
      description: 'Where to send what',
      schema: offrampInstruction,
      provenance: 'assumed',
      assumption: 'created.status',
    },
  },
  errors: ['4000', '4004', '4040', '4130', '4150'],
  handle: ({ world, body, cause, readings }) => {
    const shown = showInstruction(
      world.run('offramp.initiate', body, cause, readings),
      readings.read,
    )
    return made(readings, 200, shown)
  },
})
