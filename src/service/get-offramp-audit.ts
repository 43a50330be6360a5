import {
  auditDoubts,
  auditPath,
  auditQuery,
  offrampAuditAs,
  showAwaited,
  showOfframp,
} from '../contract/audit.js'
import type { Page } from '../contract/pagination.js'
import { operation } from '../http/operation.js'
import { awaited, type Begun, type Offramp, sinceInitiation } from '../world/offramps.js'
import type { Readings } from '../world/readings.js'
import { transferOf } from '../world/transfers.js'
import type { Tables } from '../world/world.js'
import {
  assertUser,
  auditPage,
  isPast,
  listedIn,
  listedOf,
  noteListed,
  noteTransfer,
} from './audit-page.js'

export const getOfframpAudit = operation({
  id: 'getOfframpAudit',
  method: 'get',
  path: '/payment/api/v1/offramp-audit/{user_id}',
  tag: 'Offramps',
  summary: 'Get offramp audit',
  description: 'Lists a user’s offramp transactions in pages.',
  params: auditPath,
  query: auditQuery,
  queryDoubts: auditDoubts,
  answers: { 200: { description: 'One page', schema: offrampAuditAs, provenance: 'documented' } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { user_id }, query, readings }) => {
    assertUser(tables, readings, user_id)
    noteListed(tables, readings, user_id)
    const { read } = readings
    const show = (offramp: Offramp, began?: Begun['began']) => {
      noteTransfer(tables, readings, transferOf(tables, offramp.transfer_id))
      return showOfframp(tables, offramp, read, began)
    }
    if (!isListedEarly(tables, readings, user_id, query)) {
      const listed = listedIn(tables.offramps, user_id)
      return auditPage(readings, user_id, query, listed, (offramp) => show(offramp))
    }
    const listed = listedOf(sinceInitiation(tables, user_id))
    return auditPage(readings, user_id, query, listed, ({ began, came }) =>
      came ? show(came, began) : showAwaited(tables, began, read),
    )
  },
})

/** Whether offramps are in the audit from their initiation on, which also gives them id and time. */
const isListedEarly = (tables: Tables, readings: Readings, user_id: string, page: Page): boolean =>
  (!isPast(page, tables.offramps.count('user', user_id)) || awaited(tables, user_id).length > 0) &&
  readings.of('offramp.listed') === 'on_initiate'
