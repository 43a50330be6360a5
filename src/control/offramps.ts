import * as z from 'zod'
import { offrampTransaction, showOfframp } from '../contract/audit.js'
import { operation } from '../http/operation.js'
import { byUser } from '../http/selection.js'
import { listOf, listPage, pageQuery, userFilter } from './lists.js'

const offramp = offrampTransaction
  .extend({
    user_id: z.uuid(),
    account_id: z.uuid(),
    transfer_id: z.uuid(),
    deposit_address: z.string(),
  })
  .meta({ id: 'SandboxOfframp' })

export const listOfframps = operation({
  id: 'listOfframps',
  method: 'get',
  path: '/_sandbox/offramps',
  tag: 'Offramps',
  summary: 'List offramps',
  description: 'All offramp transactions, the newest first, each with its transfer.',
  query: pageQuery.extend(userFilter),
  answers: { 200: { description: 'One page', schema: listOf(offramp, 'OfframpList') } },
  errors: ['4000'],
  handle: ({ world: { tables }, query }) =>
    listPage(tables.offramps, byUser(query.user_id), query, (record) => ({
      ...showOfframp(tables, record),
      user_id: record.user_id,
      account_id: record.account_id,
      transfer_id: record.transfer_id,
      deposit_address: tables.instructions.get(record.instruction_id)?.address,
    })),
})
