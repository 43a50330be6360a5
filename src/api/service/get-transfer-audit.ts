import {
  auditPath,
  auditQuery,
  auditVariants,
  toTransferItem,
  transferAuditAs,
} from '../../contract/audit.js'
import { toPagination } from '../../contract/pagination.js'
import { listTransfers } from '../../domain/user-history.js'
import { ok, operation } from '../../http/operation/operation.js'

export const getTransferAudit = operation({
  id: 'getTransferAudit',
  method: 'get',
  path: '/payment/api/v1/fx-audit/{user_id}',
  tag: 'Transfers',
  summary: 'Get transfer audit',
  description: 'Lists a user’s transfers (currency conversions) in pages.',
  params: auditPath,
  query: auditQuery,
  queryVariants: auditVariants,
  answers: { 200: { description: 'One page', schema: transferAuditAs, provenance: 'documented' } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { user_id }, query, readings }) => {
    const list = listTransfers(tables, readings, user_id, query)
    const { asReader } = readings
    const transactions = list.records.map((it) => toTransferItem(tables, it, asReader))
    return ok({
      user_id,
      transactions,
      pagination: toPagination(query, list.count, list.totalPages),
    })
  },
})
