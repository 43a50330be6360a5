import {
  auditDoubts,
  auditPath,
  auditQuery,
  offrampAudit,
  showAwaited,
  showOfframp,
} from '../contract/audit.js'
import { operation } from '../http/operation.js'
import { awaited, type Instruction, type Offramp } from '../world/offramps.js'
import type { Readings } from '../world/readings.js'
import { transferOf } from '../world/transfers.js'
import type { Tables } from '../world/world.js'
import {
  assertUser,
  auditPage,
  type Listed,
  listedIn,
  listedOf,
  noteDeposit,
} from './audit-page.js'

export const getOfframpAudit = operation({
  id: 'getOfframpAudit',
  method: 'get',
  path: '/payment/api/v1/offramp-audit/{user_id}',
  tag: 'Offramps',
  summary: 'Get offramp audit',
  description: 'A user’s offramp transactions, page by page.',
  params: auditPath,
  query: auditQuery,
  queryDoubts: auditDoubts,
  answers: { 200: { description: 'One page', schema: offrampAudit, provenance: 'documented' } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { user_id }, query, readings }) => {
    assertUser(tables, readings, user_id)
    const listed = listedFor(tables, readings, user_id)
    const { read } = readings
    return auditPage(readings, user_id, query, listed, (record) => {
      if (!('transfer_id' in record)) return showAwaited(tables, record, read)
      noteDeposit(tables, readings, transferOf(tables, record.transfer_id))
      return showOfframp(tables, record, read)
    })
  },
})

/** Offramps of a user; those to which nothing has come yet may be among them. */
const listedFor = (
  tables: Tables,
  readings: Readings,
  user_id: string,
): Listed<Offramp | Instruction> => {
  const open = awaited(tables, user_id)
  if (open.length === 0 || readings.of('offramp.listed') === 'on_deposit') {
    return listedIn(tables.offramps, user_id)
  }
  const all = [...tables.offramps.list('user', user_id), ...open]
  return listedOf(all.sort((a, b) => (a.created_at < b.created_at ? -1 : 1)))
}
