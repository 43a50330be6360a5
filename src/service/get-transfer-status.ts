import { showTransfer, transfer, transferPath } from '../contract/transfer.js'
import { ok, operation } from '../http/operation.js'
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
  handle: ({ world, params }) =>
    ok(showTransfer(world.tables, transferOf(world.tables, params.transaction_id))),
})
