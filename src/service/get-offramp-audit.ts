import { auditPath, auditQuery, offrampAudit, showOfframp } from '../contract/audit.js'
import { operation } from '../http/operation.js'
import { auditPage } from './audit-page.js'

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
  handle: ({ world: { tables }, params, query }) =>
    auditPage(tables, tables.offramps, params.user_id, query, (record) =>
      showOfframp(tables, record),
    ),
})
