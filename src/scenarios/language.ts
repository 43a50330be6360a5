import * as z from 'zod'
import { DURATION_FORMS, parseDuration } from '../world/kernel/time.js'
import { PAYOUT_STATUSES, type PayoutStatus } from '../world/payouts.js'
import { TRANSFER_STATUSES, type TransferStatus } from '../world/transfers.js'
import { USER_STATUSES, type UserStatus } from '../world/users.js'
import { type EventName, eventNames, subjectOf } from './events.js'

/** The scenario language: what a file in scenarios/ may hold. */

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

const CONDITION_FORMS = 'a string, a number, true, false or null, or a list of at least one of them'

/** One field's condition: the value itself, or a list of which any will do. */
const condition = z.union([scalar, z.array(scalar).min(1, CONDITION_FORMS)], CONDITION_FORMS)

const duration = z
  .string(DURATION_FORMS)
  .refine((text) => parseDuration(text) !== undefined, DURATION_FORMS)

const statuses = {
  users: USER_STATUSES,
  transfers: TRANSFER_STATUSES,
  payouts: PAYOUT_STATUSES,
} as const
export type AnyStatus = UserStatus | TransferStatus | PayoutStatus

const step = z.strictObject({
  /** How long to wait once the step before is done; at once when left out. */
  after: duration.optional(),
  move: z.string(),
  reason: z.string().min(1).max(255).optional(),
})

const rule = z
  .strictObject({
    when: z.enum(eventNames),
    if: z.record(z.string(), condition).optional(),
    then: z.array(step).min(1, 'at least one step'),
  })
  .superRefine((given, context) => {
    const known = statusesAfter(given.when)
    given.then.forEach(({ move }, i) => {
      if (known.includes(move)) return
      context.addIssue({
        code: 'custom',
        path: ['then', i, 'move'],
        message:
          known.length > 0
            ? known.join(', ')
            : `no move: ${given.when} is about a record without a status`,
      })
    })
  })

export const scenarioFile = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,64}$/, 'a name of a-z, 0-9 and -, at most 64 characters'),
  title: z.string().min(1).max(120),
  why: z.string().optional(),
  rules: z.array(rule).min(1, 'at least one rule'),
})
export type ScenarioFile = z.output<typeof scenarioFile>
export type Rule = ScenarioFile['rules'][number]

const statusesAfter = (event: EventName): readonly string[] => {
  const { table } = subjectOf(event)
  return table in statuses ? statuses[table as keyof typeof statuses] : []
}
