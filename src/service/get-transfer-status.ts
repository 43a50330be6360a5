import { showTransfer, transfer, transferPath } from '../contract/transfer.js'
import { ok, operation } from '../http/operation.js'
import type { Cause } from '../world/kernel/journal.js'
import { isReadAwaited } from '../world/reads.js'
import { transferOf } from '../world/transfers.js'

export const getTransferStatus = operation({
  id: 'getTransferStatus',
  method: 'get',
  path: '/payment/api/v1/fx-audit/status/{transaction_id}',
  tag: 'Transfers',
  summary: 'Get transfer transaction status',
  description: 'One transfer in full: where it stands, and when it got there.',
  params: transferPath,
  answers: { 200: { description: 'The transfer', schema: transfer, provenance: 'documented' } },
  errors: ['4000', '4040'],
  assumptions: ['transfer.unknown', 'transfer.transitions'],
  handle: ({ sandbox, world, params: { transaction_id: id }, cause }) => {
    const known = transferOf(world.tables, id)
    if (!isReadAwaited(world.tables, id) || sandbox.isHeld)
      return ok(showTransfer(world.tables, known))
    world.run('transfer.read', { id }, { ...cause, kind: 'read' } as Cause)
    return ok(showTransfer(world.tables, transferOf(world.tables, id)))
  },
})
