import {
  auditPath,
  auditQuery,
  auditVariants,
  offrampAuditAs,
  toOfframpTransaction,
  toPendingTransaction,
} from '../../contract/audit.js'
import { toPagination } from '../../contract/pagination.js'
import { listOfframps } from '../../domain/user-history.js'
import { ok, operation } from '../../http/operation/operation.js'

export const getOfframpAudit = operation({
  id: 'getOfframpAudit',
  method: 'get',
  path: '/payment/api/v1/offramp-audit/{user_id}',
  tag: 'Offramps',
  summary: 'Get offramp audit',
  description: 'Lists a user’s offramp transactions in pages.',
  params: auditPath,
  query: auditQuery,
  queryVariants: auditVariants,
  answers: { 200: { description: 'One page', schema: offrampAuditAs, provenance: 'documented' } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { user_id }, query, readings }) => {
    const list = listOfframps(tables, readings, user_id, query)
    const { asReader } = readings
    const transactions = list.records.map(({ initiation, offramp }) =>
      offramp
        ? toOfframpTransaction(tables, offramp, asReader, initiation)
        : toPendingTransaction(tables, initiation, asReader),
    )
    return ok({
      user_id,
      transactions,
      pagination: toPagination(query, list.count, list.totalPages),
    })
  },
})
