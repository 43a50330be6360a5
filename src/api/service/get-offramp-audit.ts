import type { Readings } from '../../assumptions/use.js'
import {
  auditPath,
  auditQuery,
  auditVariants,
  offrampAuditAs,
  toAwaitedTransaction,
  toOfframpTransaction,
} from '../../contract/audit.js'
import type { Page } from '../../contract/pagination.js'
import { listFromInitiation, type OfframpListing, pendingAddresses } from '../../domain/offramps.js'
import type { Offramp, Tables } from '../../domain/schema.js'
import { getTransfer } from '../../domain/transfers.js'
import { operation } from '../../http/operation.js'
import {
  assertUser,
  auditPage,
  isPast,
  pageSource,
  recordListAssumptions,
  recordTransferAssumptions,
  toListed,
} from './user-history.js'

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
    assertUser(tables, readings, user_id)
    recordListAssumptions(tables, readings, user_id)
    const { asReader } = readings
    const show = (offramp: Offramp, began?: OfframpListing['began']) => {
      recordTransferAssumptions(tables, readings, getTransfer(tables, offramp.transfer_id))
      return toOfframpTransaction(tables, offramp, asReader, began)
    }
    if (!isListedEarly(tables, readings, user_id, query)) {
      const listed = pageSource(tables.offramps, user_id)
      return auditPage(readings, user_id, query, listed, (offramp) => show(offramp))
    }
    const listed = toListed(listFromInitiation(tables, user_id))
    return auditPage(readings, user_id, query, listed, ({ began, came }) =>
      came ? show(came, began) : toAwaitedTransaction(tables, began, asReader),
    )
  },
})

/** Whether offramps are in the audit from their initiation on, which also gives them id and time. */
const isListedEarly = (tables: Tables, readings: Readings, user_id: string, page: Page): boolean =>
  (!isPast(page, tables.offramps.count('user', user_id)) ||
    pendingAddresses(tables, user_id).length > 0) &&
  readings.use('offramp.listed') === 'on_initiate'
