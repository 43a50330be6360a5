import {
  auditDoubts,
  auditPath,
  auditQuery,
  showTransferItem,
  transferAuditAs,
} from '../contract/audit.js'
import { operation } from '../http/operation.js'
import type { Readings } from '../world/readings.js'
import type { Transfer } from '../world/transfers.js'
import type { Tables } from '../world/world.js'
import {
  assertUser,
  auditPage,
  type Listed,
  listedIn,
  listedOf,
  noteListed,
  noteTransfer,
} from './audit-page.js'

export const getTransferAudit = operation({
  id: 'getTransferAudit',
  method: 'get',
  path: '/payment/api/v1/fx-audit/{user_id}',
  tag: 'Transfers',
  summary: 'Get transfer audit',
  description: 'Lists a user’s transfers (currency conversions) in pages.',
  params: auditPath,
  query: auditQuery,
  queryDoubts: auditDoubts,
  answers: { 200: { description: 'One page', schema: transferAuditAs, provenance: 'documented' } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { user_id }, query, readings }) => {
    assertUser(tables, readings, user_id)
    const { read } = readings
    return auditPage(readings, user_id, query, listedFor(tables, readings, user_id), (record) => {
      noteTransfer(tables, readings, record)
      return showTransferItem(tables, record, read)
    })
  },
})

/** Transfers of a user; those that offramps made may be left out. */
const listedFor = (tables: Tables, readings: Readings, user_id: string): Listed<Transfer> => {
  const { offramps, transfers } = tables
  if (readings.peek('transfer_audit.offramps') === 'listed') noteListed(tables, readings, user_id)
  const hasOfframps = offramps.count('user', user_id) > 0
  if (!hasOfframps || readings.of('transfer_audit.offramps') === 'listed') {
    return listedIn(transfers, user_id)
  }
  return listedOf(transfers.list('user', user_id).filter(({ kind }) => kind !== 'offramp'))
}
