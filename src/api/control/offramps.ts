import * as z from 'zod'
import { offrampTransaction, toOfframpTransaction } from '../../contract/audit.js'
import type { Offramp, Tables } from '../../domain/schema.js'
import { byUser } from '../../domain/selection.js'
import { pageQuery, userFilter } from './lists.js'
import { resource } from './resource.js'

const offramp = offrampTransaction
  .extend({
    user_id: z.uuid(),
    account_id: z.uuid(),
    transfer_id: z.uuid(),
    deposit_address: z.string(),
  })
  .meta({ id: 'SandboxOfframp' })

const show = (record: Offramp, tables: Tables) => ({
  ...toOfframpTransaction(tables, record),
  user_id: record.user_id,
  account_id: record.account_id,
  transfer_id: record.transfer_id,
  deposit_address: tables.instructions.get(record.instruction_id)?.address,
})

export const offramps = resource({
  noun: 'offramp',
  table: (tables) => tables.offramps,
  schema: offramp,
  show,
  query: pageQuery.extend(userFilter),
  select: ({ user_id }) => byUser(user_id),
  listDescription: 'All offramp transactions with their transfers, newest first.',
  readDescription: 'The offramp transaction with its transfer.',
})
