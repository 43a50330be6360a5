import * as z from 'zod'
import { offrampTransaction, toOfframpTransaction } from '../../contract/audit.js'
import type { Offramp, Tables } from '../../domain/schema.js'
import { byUser } from '../../domain/selection.js'
import { ok, operation } from '../../http/operation/operation.js'
import { EXAMPLES, idPath } from './fields.js'
import { knownRecord } from './find-record.js'
import { listPage, listSchema, pageQuery, userFilter } from './lists.js'

const offramp = offrampTransaction
  .extend({
    user_id: z.uuid(),
    account_id: z.uuid(),
    transfer_id: z.uuid(),
    deposit_address: z.string(),
  })
  .meta({ id: 'SandboxOfframp' })

const show = (tables: Tables, record: Offramp) => ({
  ...toOfframpTransaction(tables, record),
  user_id: record.user_id,
  account_id: record.account_id,
  transfer_id: record.transfer_id,
  deposit_address: tables.instructions.get(record.instruction_id)?.address,
})

export const listOfframps = operation({
  id: 'listOfframps',
  method: 'get',
  path: '/_sandbox/offramps',
  tag: 'Offramps',
  summary: 'List offramps',
  description: 'All offramp transactions with their transfers, newest first.',
  query: pageQuery.extend(userFilter),
  answers: { 200: { description: 'One page', schema: listSchema(offramp, 'OfframpList') } },
  errors: ['4000'],
  handle: ({ world: { tables }, query }) =>
    listPage(tables.offramps, byUser(query.user_id), query, (record) => show(tables, record)),
})

export const readOfframp = operation({
  id: 'readOfframp',
  method: 'get',
  path: '/_sandbox/offramps/{id}',
  tag: 'Offramps',
  summary: 'Read an offramp',
  description: 'The offramp transaction with its transfer.',
  params: idPath(EXAMPLES.offramps),
  answers: { 200: { description: 'The offramp', schema: offramp } },
  errors: ['4000', '4040'],
  handle: ({ world: { tables }, params: { id } }) =>
    ok(show(tables, knownRecord(tables.offramps, id, 'offramp'))),
})
