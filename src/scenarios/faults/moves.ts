import * as z from 'zod'
import { shortText, strict } from '../../lib/yaml/strict.js'
import { duration } from './timing.js'

export type MovedNoun = 'payout' | 'transfer' | 'user'

/** The record that a call creates; for an offramp the transfer of its next deposit. */
export const RECORDS: Readonly<Record<string, MovedNoun>> = {
  createPayout: 'payout',
  initiateOfframp: 'transfer',
  createUser: 'user',
}

const after = duration
  .optional()
  .describe('Delay in world time: 500ms, 2s, 30m, 1h, 7d or ISO 8601')
const reason = shortText.optional().describe('Why it failed, was cancelled or rejected')

/** The fields of a move, in their order. */
export const moveFields = {
  move: shortText.optional(),
  stop: z.literal(true, 'true').optional().describe('The record keeps its first status for good'),
  from: shortText
    .optional()
    .describe('Lets it move as usual until it has this status. Default: its first status'),
  after,
  reason,
}
type MoveFields = z.output<z.ZodObject<typeof moveFields>>
/** A step in fields, or in words. */
export type MoveStep = MoveFields & Readonly<Record<string, unknown>>

/** A word for what becomes of the new record of a call. */
export interface Move {
  /** The word in snake case, as a step has it. */
  readonly field: string
  readonly about: string
  /** Its arguments. The test kit takes the `leads` first, without a name. */
  readonly schema: z.ZodObject
  readonly leads?: readonly string[]
  /** The fields that it stands for. */
  readonly fields: Partial<Record<MovedNoun, MoveFields>>
}

const FAILED = { move: 'FAILED' }
const PAYOUT_FAILED = { move: 'PAYOUT_FAILED' }
const STOP = { stop: true } as const

/** All words, in the order of documents. Arguments have the order of the fields. */
export const moves: readonly Move[] = [
  {
    field: 'fail',
    about: 'The new record fails, or is rejected: at once, or after a time.',
    schema: strict({ after, reason }),
    leads: ['reason'],
    fields: { payout: PAYOUT_FAILED, transfer: FAILED, user: { move: 'rejected' } },
  },
  {
    field: 'return',
    about: 'The payment is processed, and the receiving bank returns it later.',
    schema: strict({ after, reason: reason.transform((given) => given ?? 'returned') }),
    fields: {
      payout: { ...PAYOUT_FAILED, from: 'PAYOUT_PROCESSED' },
      transfer: { ...FAILED, from: 'PAYMENT_PROCESSED' },
    },
  },
  {
    field: 'stay_pending',
    about: 'The new record keeps its first status: for good, or for a time.',
    schema: strict({ for: duration.optional().describe('Then it goes on as usual') }),
    fields: { payout: STOP, transfer: STOP, user: STOP },
  },
  {
    field: 'settle',
    about: 'The payment is on its way at once, and reaches its last status after a time.',
    schema: strict({ after }),
    fields: { payout: {}, transfer: {} },
  },
]

/** A word without arguments is `true`. */
export const moveWord = ({ schema }: Move) =>
  z.union(
    [z.literal(true), schema],
    `true, or an object of ${Object.keys(schema.shape).join(', ')}`,
  )

/** A step with fields in place of its word. No field says how long the usual way takes. */
export const toMoveFields = (noun: MovedNoun, step: MoveStep): MoveStep => {
  const move = moves.find(({ field }) => field in step)
  const given = move?.schema.parse(Object(step[move.field]))
  if (!move || move.field === 'settle' || given?.for !== undefined) return step
  return { ...move.fields[noun], ...given }
}

/** The word of a step: `return` if a processed payout fails. */
export const nameMove = (operation: string | null, step: object): string | undefined => {
  const noun = RECORDS[operation ?? ''] ?? 'user'
  const given: MoveStep = { ...step }
  const fits = ({ field, fields }: Move) => {
    const parts = Object.entries(fields[noun] ?? {})
    return field in step || (parts.length > 0 && parts.every(([name, it]) => given[name] === it))
  }
  return moves.findLast(fits)?.field
}

const CLOSED = { reason: 'account_closed' }
const UNREADABLE = 'Document unreadable'
const HELD = 'Until you move it'

/** Of the console: a step, its words, and a note. */
const CHOICES: Readonly<Record<MovedNoun, readonly (readonly [MoveStep, string, string])[]>> = {
  payout: [
    [
      { fail: { after: '30s', ...CLOSED } },
      'fails after 30 s',
      'account_closed, the money returns',
    ],
    [{ fail: { reason: 'rejected_by_bank' } }, 'fails at once', 'rejected_by_bank'],
    [{ stay_pending: true }, 'stays pending', HELD],
    [{ return: { after: '3d' } }, 'is returned after 3 days', 'Processed first'],
  ],
  transfer: [
    [
      { ...FAILED, from: 'FUNDS_RECEIVED', ...CLOSED },
      'fails once the funds are there',
      CLOSED.reason,
    ],
    [{ move: 'CANCELLED' }, 'is cancelled', 'Before the funds arrive'],
    [{ stay_pending: true }, 'stays pending', HELD],
  ],
  user: [
    [{ fail: { after: '2s', reason: UNREADABLE } }, 'is rejected after 2 s', UNREADABLE],
    [{ stay_pending: true }, 'stays under review', HELD],
  ],
}

export const listMoveChoices = (operation: string | undefined) => {
  const noun = RECORDS[operation ?? '']
  if (!noun) return []
  return CHOICES[noun].map(([step, ...texts]) => [toMoveFields(noun, step), ...texts] as const)
}

/** The usual statuses after the first. */
const USUAL: Readonly<Record<MovedNoun, readonly string[]>> = {
  payout: ['PAYOUT_PROCESSED'],
  transfer: ['FUNDS_RECEIVED', 'CONVERSION_PROCESSED', 'PAYMENT_SUBMITTED', 'PAYMENT_PROCESSED'],
  user: ['active'],
}

/** The steps of a scenario for a new record, which reaches the status `from` by itself. */
export const toRecordSteps = (noun: MovedNoun, step: MoveStep): readonly object[] => {
  const { from: _, reason, stay_pending: pending, settle, ...plain } = step
  if (settle ?? pending) {
    const last = USUAL[noun].length - 1
    const { after = '0s', for: time = after } = Object(settle ?? pending)
    const delay = (i: number) => (i === (settle ? last : 0) ? time : settle ? '0s' : '2s')
    return USUAL[noun].map((move, i) => ({ after: delay(i), move }))
  }
  if (reason === undefined) return [plain]
  return [{ ...plain, ...(noun === 'user' ? { rejection_reasons: [reason] } : { reason }) }]
}
