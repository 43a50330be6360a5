import {
  auditPath,
  auditQuery,
  clampedIfChosen,
  offrampAuditAs,
  toOfframpTransaction,
} from '../../contract/audit.js'
import {
  offrampInstruction,
  offrampRequest,
  toDepositAddressResponse,
} from '../../contract/offramp.js'
import { toPagination } from '../../contract/pagination.js'
import { listOfframps } from '../../domain/user-history.js'
import { createdAnswers, createdOrOk, ok, operation } from '../../http/operation/operation.js'

export const initiateOfframp = operation({
  id: 'initiateOfframp',
  method: 'post',
  path: '/payment/api/v1/offramp',
  tag: 'Offramps',
  summary: 'Initiate offramp',
  description:
    'Returns a deposit address; crypto that arrives there is converted to fiat and sent to the destination account.',
  body: offrampRequest,
  answers: createdAnswers(200, 'Where to send which token', offrampInstruction),
  errors: ['4000', '4004', '4040'],
  handle: ({ world, body, cause, readings }) => {
    const instruction = world.run('offramp.initiate', body, cause, readings)
    return createdOrOk(readings, 200, toDepositAddressResponse(instruction))
  },
})

export const getOfframpAudit = operation({
  id: 'getOfframpAudit',
  method: 'get',
  path: '/payment/api/v1/offramp-audit/{user_id}',
  tag: 'Offramps',
  summary: 'Get offramp audit',
  description: 'Lists a user’s offramp transactions in pages.',
  params: auditPath,
  query: auditQuery,
  queryOtherwise: clampedIfChosen,
  answers: { 200: { description: 'One page', schema: offrampAuditAs, provenance: 'documented' } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { user_id }, query, readings }) => {
    const list = listOfframps(tables, readings, user_id, query)
    const transactions = list.records.map((it) => toOfframpTransaction(tables, it, readings))
    return ok({
      user_id,
      transactions,
      pagination: toPagination(query, list.count, list.totalPages),
    })
  },
})
