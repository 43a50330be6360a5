import * as z from 'zod'
import {
  type Group,
  isLogComplete,
  isLost,
  KINDS,
  newestGroups,
  toInquiry,
} from '../../activity/groups.js'
import { toPlainText } from '../../activity/record-sentences.js'
import { inquiryNote, inquiryTitle } from '../../activity/request-sentences.js'
import type { View } from '../../activity/view.js'
import { describePaidTwice } from '../../history/paid-twice.js'
import { ok, operation } from '../../http/operation/operation.js'
import { listSchema, pageQuery, toPage } from './lists.js'

const attempt = z
  .object({
    request: z.uuid().meta({ description: 'The id of the request' }),
    n: z.int().meta({ description: 'Its number in the world' }),
    at: z.iso.datetime().meta({ description: 'The world’s time' }),
    status: z.int().nullable(),
    lost: z.boolean().meta({ description: 'Whether the client has no answer' }),
    fault: z.string().nullable().meta({ description: 'The rule that changed the answer' }),
    effect: z.enum(['made', 'repeated', 'undone']).nullable().meta({
      description: 'Its effect on the record; `undone` if an undo took that back; null for none',
    }),
  })
  .meta({ id: 'Attempt' })

const paidTwice = z
  .object({
    first: z.uuid().meta({ description: 'The payout that paid the bill' }),
    second: z.uuid().meta({ description: 'The payout that paid it again' }),
    payouts: z.array(z.uuid()).meta({ description: 'All payouts that paid it, oldest first' }),
    kind: z.enum(['same_id', 'answer_lost']),
    after_ms: z
      .number()
      .nullable()
      .meta({ description: 'From the loss of the first answer, by the machine’s time' }),
    sentence: z.string().meta({
      example: 'paid twice: 99.99 USD, 7 ms after the answer was lost, with a new id',
    }),
  })
  .meta({ id: 'PaidTwice' })

const groupSchema = z
  .object({
    title: z.string().meta({ example: '1,500.00 NGN to Access Bank for Ada Okafor' }),
    note: z.string().nullable().meta({ description: 'Why it ended so' }),
    noun: z.enum(['payout', 'wallet']).nullable().meta({
      description: 'The record that an id of the client names; null for other requests',
    }),
    client_id: z.string().nullable().meta({ description: 'That id' }),
    payout: z.uuid().nullable().meta({ description: 'The payout, if there is one' }),
    outcome: z.string().nullable().meta({ description: 'The status of the payout' }),
    lost: z.boolean().meta({ description: 'Whether the newest answer was lost' }),
    paid_twice: paidTwice.nullable(),
    earlier: z.boolean().meta({ description: 'Whether a reset has removed its records' }),
    attempts: z.array(attempt).meta({ description: 'Oldest first' }),
  })
  .meta({ id: 'ActivityGroup' })

const showGroup = (group: Group): z.input<typeof groupSchema> => {
  const inquiry = toInquiry(group)
  const { pair, payout } = inquiry
  return {
    title: toPlainText(inquiryTitle(group.view.tables, inquiry)),
    note: inquiryNote(inquiry) ?? null,
    noun: group.client?.noun ?? null,
    client_id: group.client?.id ?? null,
    payout: payout?.id ?? null,
    outcome: payout?.status ?? null,
    lost: isLost(inquiry.newest.exchange),
    earlier: group.isEarlier,
    paid_twice: pair
      ? {
          first: pair.of.id,
          second: pair.payout.id,
          payouts: pair.payouts.map(({ id }) => id),
          kind: pair.kind,
          after_ms: pair.after_ms,
          sentence: describePaidTwice(pair, pair.payouts.length),
        }
      : null,
    attempts: inquiry.attempts.map(({ exchange, effect = null }) => ({
      request: exchange.id,
      n: exchange.n,
      at: exchange.at,
      status: exchange.status,
      lost: isLost(exchange),
      fault: exchange.fault,
      effect,
    })),
  }
}

export const listActivity = operation({
  id: 'listActivity',
  method: 'get',
  path: '/_sandbox/activity',
  tag: 'Requests',
  summary: 'List what clients asked for',
  description:
    'The newest 1,000 requests, grouped: the attempts of one payment or wallet, equal reads in a row, or one other ' +
    'request. Newest first.',
  query: pageQuery.extend({
    kind: z
      .enum(Object.keys(KINDS) as [keyof typeof KINDS])
      .optional()
      .meta({ description: 'Only groups of this kind' }),
  }),
  answers: {
    200: {
      description: 'One page',
      schema: listSchema(groupSchema, 'Activity').extend({
        complete: z.boolean().meta({
          description: 'False if clients changed the world before the log begins',
        }),
      }),
    },
  },
  handle: async ({ sandbox, live, world, query }) => {
    await live.requests.update()
    const view: View = { sandbox, live, tables: world.tables }
    const { kind } = query
    const groups = newestGroups(view).filter(kind ? KINDS[kind] : () => true)
    return ok({ ...toPage(groups, query, showGroup), complete: isLogComplete(view) })
  },
})
