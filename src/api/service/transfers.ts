import {
  auditPath,
  auditQuery,
  clampedIfChosen,
  toTransferItem,
  transferAuditAs,
} from '../../contract/audit.js'
import { toPagination } from '../../contract/pagination.js'
import { toTransferResponse, transferAs, transferPath } from '../../contract/transfer.js'
import { getTransfer, isPollAwaited } from '../../domain/transfers.js'
import { listTransfers } from '../../domain/user-history.js'
import { ok, operation } from '../../http/operation/operation.js'
import type { Cause } from '../../kernel/entry.js'

export const getTransferAudit = operation({
  id: 'getTransferAudit',
  method: 'get',
  path: '/payment/api/v1/fx-audit/{user_id}',
  tag: 'Transfers',
  summary: 'Get transfer audit',
  description: 'Lists a user’s transfers (currency conversions) in pages.',
  params: auditPath,
  query: auditQuery,
  queryOtherwise: clampedIfChosen,
  answers: { 200: { description: 'One page', schema: transferAuditAs, provenance: 'documented' } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { user_id }, query, readings }) => {
    const list = listTransfers(tables, readings, user_id, query)
    const transactions = list.records.map((it) => toTransferItem(tables, it, readings))
    return ok({
      user_id,
      transactions,
      pagination: toPagination(query, list.count, list.totalPages),
    })
  },
})

export const getTransferStatus = operation({
  id: 'getTransferStatus',
  method: 'get',
  path: '/payment/api/v1/fx-audit/status/{transaction_id}',
  tag: 'Transfers',
  summary: 'Get transfer transaction status',
  description: 'Returns one transfer with its status and the times of its stages.',
  params: transferPath,
  answers: { 200: { description: 'The transfer', schema: transferAs, provenance: 'documented' } },
  errors: ['4000', '4040'],
  handle: ({ sandbox, world, params: { transaction_id: id }, cause, readings }) => {
    const { tables } = world
    getTransfer(tables, id)
    if (isPollAwaited(tables, id) && !sandbox.isReadOnly) {
      world.run('transfer.read', { id }, { ...cause, kind: 'read' } as Cause, readings)
    }
    return ok(toTransferResponse(tables, getTransfer(tables, id), readings))
  },
})
