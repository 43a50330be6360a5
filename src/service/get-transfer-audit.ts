import { auditPath, auditQuery, showTransferItem, transferAudit } from '../contract/audit.js'
import { operation } from '../http/operation.js'
import { auditPage } from './audit-page.js'

export const getTransferAudit = operation({
  id: 'getTransferAudit',
  method: 'get',
  path: '/payment/api/v1/fx-audit/{user_id}',
  tag: 'Transfers',
  summary: 'Get transfer audit',
  description:
    'A user’s transfers (currency conversions), those of offramps included, page by page.',
  params: auditPath,
  query: auditQuery,
  answers: { 200: { description: 'One page', schema: transferAudit, provenance: 'documented' } },
  errors: ['4000', '4040'],
  assumptions: [
    'audit.unknown_user',
    'audit.order',
    'audit.past_end',
    'transfer_audit.offramps',
    'query.repeated',
  ],
  handle: ({ world: { tables }, params, query }) =>
    auditPage(tables, tables.transfers, params.user_id, query, (record) =>
      showTransferItem(tables, record),
    ),
})
