import { toTransferResponse, transferAs, transferPath } from '../../contract/transfer.js'
import { recordStatusAssumptions } from '../../domain/transfer-assumptions.js'
import { assertTransfer, getTransfer, isPollAwaited } from '../../domain/transfers.js'
import { ok, operation } from '../../http/operation/operation.js'
import type { Cause } from '../../kernel/entry.js'

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
    assertTransfer(tables, readings, id)
    if (isPollAwaited(tables, id) && !sandbox.isReadOnly) {
      world.run('transfer.read', { id }, { ...cause, kind: 'read' } as Cause, readings)
    }
    const transfer = getTransfer(tables, id)
    recordStatusAssumptions(tables, readings, transfer)
    return ok(toTransferResponse(tables, transfer, readings.asReader))
  },
})
