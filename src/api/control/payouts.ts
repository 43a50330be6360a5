import * as z from 'zod'
import { text } from '../../contract/fields.js'
import { payout as contractPayout, toPayoutResponse } from '../../contract/payout.js'
import { getPayout, PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import { PAYOUT_STATUSES, type Payout } from '../../domain/schema.js'
import { byUserAndStatus } from '../../domain/selection.js'
import { noNextStatus } from '../../domain/transitions.js'
import { ok, operation } from '../../http/operation/operation.js'
import { EXAMPLES, fields, idPath } from './fields.js'
import { pageQuery, userFilter } from './lists.js'
import { resource } from './resource.js'

const payout = contractPayout
  .extend({
    reason: z.string().nullable().meta({ description: 'Why it failed' }),
    legal_moves: z.array(z.enum(PAYOUT_STATUSES)).meta({ description: 'Where it could go' }),
  })
  .meta({ id: 'SandboxPayout' })

const show = (record: Payout): z.input<typeof payout> => ({
  ...toPayoutResponse(record),
  reason: record.reason,
  legal_moves: [...PAYOUT_TRANSITIONS[record.status]],
})

export const payouts = resource({
  noun: 'payout',
  table: (tables) => tables.payouts,
  schema: payout,
  show,
  query: pageQuery.extend({ ...userFilter, status: z.enum(PAYOUT_STATUSES).optional() }),
  select: byUserAndStatus,
  listDescription: 'All payouts, newest first.',
  readDescription: 'The contract’s resource, and what the sandbox knows besides.',
})

export const advancePayout = operation({
  id: 'advancePayout',
  method: 'post',
  path: '/_sandbox/payouts/{id}/advance',
  tag: 'Payouts',
  summary: 'Move a payout',
  description:
    'Moves a pending payout to PAYOUT_PROCESSED, or to PAYOUT_FAILED with a `reason`, which returns ' +
    'the money. PAYOUT_PROCESSED to PAYOUT_FAILED simulates a late return by the receiving bank, by ' +
    'default with the reason `returned`.',
  params: idPath(EXAMPLES.payouts),
  body: fields({ to: z.enum(PAYOUT_STATUSES).optional(), reason: text().optional() }).meta({
    id: 'PayoutMove',
    example: { to: 'PAYOUT_FAILED', reason: 'account_closed' },
  }),
  bodyOptional: true,
  answers: { 200: { description: 'The payout after it', schema: payout } },
  errors: ['4040', '4090'],
  handle: ({ world, params: { id }, body: { to, reason }, cause }) => {
    const { status } = getPayout(world.tables, id)
    const target = to ?? (status === 'PAYOUT_PENDING' ? 'PAYOUT_PROCESSED' : undefined)
    if (!target) throw noNextStatus(PAYOUT_TRANSITIONS, `payout ${id}`, status)
    world.run('payout.move', { id, to: target, ...(reason ? { reason } : {}) }, cause)
    return ok(show(getPayout(world.tables, id)))
  },
})
