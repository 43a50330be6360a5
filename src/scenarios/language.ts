import * as z from 'zod'
import { DURATION_FORMS, parseDuration } from '../world/kernel/time.js'
import { PAYOUT_STATUSES, type PayoutStatus } from '../world/payouts.js'
import { TRANSFER_STATUSES, type TransferStatus } from '../world/transfers.js'
import { USER_STATUSES, type UserStatus } from '../world/users.js'
import { type EventName, eventNames, subjectOf } from './events.js'
import { subjectFields } from './subjects.js'

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
    const refuse = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const known = statusesAfter(given.when)
    given.then.forEach(({ move }, i) => {
      if (known.includes(move)) return
      const none = `no move: ${given.when} is about a record without a status`
      refuse(['then', i, 'move'], known.length > 0 ? known.join(', ') : none)
    })
    const { table } = subjectOf(given.when)
    const fields = subjectFields[table as keyof typeof subjectFields]
    for (const [field, wanted] of Object.entries(given.if ?? {})) {
      if (!fields.includes(field))
        refuse(['if', field], `a field of ${table}: ${fields.join(', ')}`)
      else if (field === 'status' && known.length > 0) {
        const strange = [wanted].flat().some((status) => !known.includes(String(status)))
        if (strange) refuse(['if', field], known.join(', '))
      }
    }
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
