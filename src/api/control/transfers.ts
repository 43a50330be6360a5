import * as z from 'zod'
import { currency, text } from '../../contract/fields.js'
import type { AsRead } from '../../contract/schema-variants.js'
import { transfer as contractTransfer, toTransferResponse } from '../../contract/transfer.js'
import {
  type Tables,
  TRANSFER_KINDS,
  TRANSFER_STATUSES,
  type Transfer,
} from '../../domain/schema.js'
import { byUserAndStatus } from '../../domain/selection.js'
import { getTransfer, nextStatus, TRANSFER_TRANSITIONS } from '../../domain/transfers.js'
import { noNextStatus } from '../../domain/transitions.js'
import { created, ok, operation } from '../../http/operation/operation.js'
import { invalidValue } from '../../lib/app-error.js'
import { anyAmount, EXAMPLES, fields, idPath } from './fields.js'
import { pageQuery, userFilter } from './lists.js'
import { accountId, userId } from './names.js'
import { resource } from './resource.js'

const transfer = contractTransfer
  .extend({
    kind: z.enum(TRANSFER_KINDS),
    user_id: z.uuid(),
    account_id: z.uuid(),
    offramp_id: z.uuid().nullable(),
    reason: z.string().nullable().meta({ description: 'Why it failed or was cancelled' }),
    reached: z
      .partialRecord(z.enum(TRANSFER_STATUSES), z.iso.datetime())
      .meta({ description: 'When each status was entered' }),
    legal_moves: z.array(z.enum(TRANSFER_STATUSES)).meta({ description: 'Where it could go' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'SandboxTransfer' })

const show = (record: Transfer, tables: Tables): AsRead<z.input<typeof transfer>> => ({
  ...toTransferResponse(tables, record),
  kind: record.kind,
  user_id: record.user_id,
  account_id: record.account_id,
  offramp_id: tables.offramps.first('transfer', record.id)?.id ?? null,
  reason: record.reason,
  reached: record.reached,
  legal_moves: [...TRANSFER_TRANSITIONS[record.status]],
  created_at: record.created_at,
  updated_at: record.updated_at,
})

export const transfers = resource({
  noun: 'transfer',
  table: (tables) => tables.transfers,
  schema: transfer,
  show,
  query: pageQuery.extend({ ...userFilter, status: z.enum(TRANSFER_STATUSES).optional() }),
  select: byUserAndStatus,
  listDescription: 'All transfers, newest first.',
  readDescription: 'The contract’s resource, and what the sandbox knows besides.',
})

export const startTransfer = operation({
  id: 'startTransfer',
  method: 'post',
  path: '/_sandbox/transfers',
  tag: 'Transfers',
  summary: 'Start a bank-to-bank transfer',
  description: 'Starts a transfer from a user’s bank to one of the user’s destination accounts.',
  body: fields({
    user_id: userId(),
    account_id: accountId(),
    source_currency: currency(),
    source_amount: anyAmount(),
  }).meta({
    id: 'TransferStart',
    example: {
      user_id: '11111111-1111-4111-8111-000000000001',
      account_id: '22222222-2222-4222-8222-000000000001',
      source_currency: 'USD',
      source_amount: '500.00',
    },
  }),
  answers: {
    201: {
      description: 'The new transfer, PENDING; FAILED when it is no larger than its fee',
      schema: transfer,
    },
  },
  errors: ['4040', '4090'],
  handle: ({ world, body, cause }) => {
    const { id } = world.run('transfer.start', body, cause)
    return created(show(getTransfer(world.tables, id), world.tables))
  },
})

export const advanceTransfer = operation({
  id: 'advanceTransfer',
  method: 'post',
  path: '/_sandbox/transfers/{id}/advance',
  tag: 'Transfers',
  summary: 'Move a transfer',
  description:
    'Moves a transfer to its next status, or to `to`. FAILED and CANCELLED accept a `reason`. ' +
    'PAYMENT_PROCESSED to FAILED simulates a late return by the receiving bank. With `resume` a held transfer ' +
    'goes on by itself, as in happy-path, in place of its pending steps.',
  params: idPath(EXAMPLES.transfers),
  body: fields({
    to: z.enum(TRANSFER_STATUSES).optional(),
    reason: text().optional(),
    resume: z.literal(true).optional(),
  }).meta({
    id: 'TransferMove',
    example: { to: 'FAILED', reason: 'account_closed' },
  }),
  bodyOptional: true,
  answers: { 200: { description: 'The transfer after it', schema: transfer } },
  errors: ['4040', '4090'],
  handle: ({ world, params: { id }, body: { to, reason, resume }, cause }) => {
    if (resume && (to ?? reason)) throw invalidValue('resume', resume, 'it without to and reason')
    const { status } = getTransfer(world.tables, id, 'id')
    const target = to ?? nextStatus(status)
    if (resume) world.run('transfer.resume', { id }, cause)
    else if (!target) throw noNextStatus(TRANSFER_TRANSITIONS, `transfer ${id}`, status)
    else world.run('transfer.move', { id, to: target, ...(reason ? { reason } : {}) }, cause)
    return ok(show(getTransfer(world.tables, id), world.tables))
  },
})
