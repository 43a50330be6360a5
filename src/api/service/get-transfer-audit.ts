import type { Readings } from '../../assumptions/use.js'
import {
  auditPath,
  auditQuery,
  auditVariants,
  toTransferItem,
  transferAuditAs,
} from '../../contract/audit.js'
import type { Tables, Transfer } from '../../domain/schema.js'
import { operation } from '../../http/operation.js'
import {
  assertUser,
  auditPage,
  type Listed,
  pageSource,
  recordListAssumptions,
  recordTransferAssumptions,
  toListed,
} from './user-history.js'

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
    assertUser(tables, readings, user_id)
    const { asReader } = readings
    return auditPage(readings, user_id, query, listedFor(tables, readings, user_id), (record) => {
      recordTransferAssumptions(tables, readings, record)
      return toTransferItem(tables, record, asReader)
    })
  },
})

/** Transfers of a user; those that offramps made may be left out. */
const listedFor = (tables: Tables, readings: Readings, user_id: string): Listed<Transfer> => {
  const { offramps, transfers } = tables
  if (readings.peek('transfer_audit.offramps') === 'listed')
    recordListAssumptions(tables, readings, user_id)
  const hasOfframps = offramps.count('user', user_id) > 0
  if (!hasOfframps || readings.use('transfer_audit.offramps') === 'listed') {
    return pageSource(transfers, user_id)
  }
  return toListed(transfers.list('user', user_id).filter(({ kind }) => kind !== 'offramp'))
}
