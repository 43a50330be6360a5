import type { Readings } from '../../assumptions/use.js'
import { toTransferResponse, transferAs, transferPath } from '../../contract/transfer.js'
import { getTransfer, hasFailedFunds, isPollAwaited } from '../../domain/transfers.js'
import { ok, operation } from '../../http/operation.js'
import type { Cause } from '../../kernel/entry.js'
import { Refusal } from '../../kernel/refusal.js'
import { recordTransferAssumptions } from './user-history.js'

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
    if (!tables.transfers.get(id)) throw unknownTransfer(id, readings)
    if (isPollAwaited(tables, id) && !sandbox.isHeld) {
      world.run('transfer.read', { id }, { ...cause, kind: 'read' } as Cause, readings)
    }
    const transfer = getTransfer(tables, id)
    recordTransferAssumptions(tables, readings, transfer)
    // The client that reads how it ended looks for the money next.
    if (hasFailedFunds(transfer)) {
      readings.record('transfer.failed_funds', transfer.failed_funds ?? 'sender')
    }
    return ok(toTransferResponse(tables, transfer, readings.asReader))
  },
})

const unknownTransfer = (id: string, readings: Readings): Refusal => {
  const code = readings.use('resource.unknown') === 'invalid' ? 'rule' : 'unknown'
  return new Refusal(code, `no transfer has the id ${id}`, 'transaction_id')
}
