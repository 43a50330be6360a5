import {
  auditPath,
  auditQuery,
  offrampAudit,
  showOfframp,
  showPagination,
} from '../contract/audit.js'
import { ok, operation } from '../http/operation.js'
import { userOf } from '../world/users.js'

export const getOfframpAudit = operation({
  id: 'getOfframpAudit',
  method: 'get',
  path: '/payment/api/v1/offramp-audit/{user_id}',
  tag: 'Offramps',
  summary: 'Get offramp audit',
  description: 'A user’s offramp transactions, page by page.',
  params: auditPath,
  query: auditQuery,
  answers: { 200: { description: 'One page', schema: offrampAudit, provenance: 'documented' } },
  errors: ['4000', '4040'],
  assumptions: [
    'audit.unknown_user',
    'audit.order',
    'audit.past_end',
    'offramp.listed',
    'offramp.below_fee',
    'query.repeated',
  ],
  handle: ({ world: { tables }, params, query }) => {
    const { id } = userOf(tables, params.user_id)
    const { page, size } = query
    return ok({
      user_id: id,
      transactions: tables.offramps
        .page('user', id, page, size)
        .map((offramp) => showOfframp(tables, offramp)),
      pagination: showPagination(query, tables.offramps.count('user', id)),
    })
  },
})
