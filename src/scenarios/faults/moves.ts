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

/** Fields, or a word that no field says: how long the usual way takes. */
export type MoveStep = MoveFields & {
  readonly stay_pending?: true | { readonly for?: string | undefined }
  readonly settle?: true | { readonly after?: string | undefined }
}

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
  /** Choices of the console: further fields, how the next call reads, and a note. */
  readonly choices?: Partial<Record<MovedNoun, readonly Choice[]>>
}
type Choice = readonly [more: MoveFields, text: string, note: string]

const CLOSED = { reason: 'account_closed' }
const UNREADABLE = { after: '2s', reason: 'Document unreadable' }
const HELD = 'Until you move it'
const stop = { stop: true } as const

/** All words, in the order of documents and choices. */
export const moves: readonly Move[] = [
  {
    field: 'fail',
    about: 'The new record fails, or is rejected: at once, or after a time.',
    schema: strict({ reason, after }),
    leads: ['reason'],
    fields: {
      payout: { move: 'PAYOUT_FAILED' },
      transfer: { move: 'FAILED' },
      user: { move: 'rejected' },
    },
    choices: {
      payout: [
        [{ after: '30s', ...CLOSED }, 'fails after 30 s', 'account_closed, the money returns'],
        [{ reason: 'rejected_by_bank' }, 'fails at once', 'rejected_by_bank'],
      ],
      transfer: [
        [{ from: 'FUNDS_RECEIVED', ...CLOSED }, 'fails once the funds are there', CLOSED.reason],
      ],
      user: [[UNREADABLE, 'is rejected after 2 s', UNREADABLE.reason]],
    },
  },
  {
    field: 'cancel',
    about: 'The transfer is cancelled before it is converted.',
    schema: strict({ reason, after }),
    leads: ['reason'],
    fields: { transfer: { move: 'CANCELLED' } },
    choices: { transfer: [[{}, 'is cancelled', 'Before the funds arrive']] },
  },
  {
    field: 'return',
    about: 'The payment is processed, and the receiving bank returns it later.',
    schema: strict({ after, reason }),
    fields: {
      payout: { move: 'PAYOUT_FAILED', from: 'PAYOUT_PROCESSED', reason: 'returned' },
      transfer: { move: 'FAILED', from: 'PAYMENT_PROCESSED', reason: 'returned' },
    },
    choices: { payout: [[{ after: '3d' }, 'is returned after 3 days', 'Processed first']] },
  },
  {
    field: 'stay_pending',
    about: 'The new record keeps its first status: for good, or for a time.',
    schema: strict({ for: duration.optional().describe('Then it goes on as usual') }),
    fields: { payout: stop, transfer: stop, user: stop },
    choices: {
      payout: [[{}, 'stays pending', HELD]],
      transfer: [[{}, 'stays pending', HELD]],
      user: [[{}, 'stays under review', HELD]],
    },
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

/** A step with fields in place of its word, if they can say it. */
export const toMoveFields = (noun: MovedNoun, step: object): MoveStep => {
  const [word = '', given] = Object.entries(step)[0] ?? []
  const fields = moves.find((it) => it.field === word)?.fields[noun]
  if (!fields || word === 'settle' || given.for !== undefined) return step
  return inOrder({ ...fields, ...Object(given === true ? {} : given) })
}

const inOrder = (step: MoveFields): MoveFields =>
  Object.fromEntries(
    Object.keys(moveFields).flatMap((name) => {
      const value = step[name as keyof MoveFields]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The word of a step: `return` if a processed payout fails. */
export const nameMove = (operation: string | null, step: MoveStep): string | undefined => {
  const noun = RECORDS[operation ?? '']
  const fits = ({ field, fields }: Move) => {
    const { reason: _, ...own } = (noun && fields[noun]) ?? {}
    const parts = Object.entries(own)
    const isSaid = parts.every(([name, value]) => step[name as keyof MoveFields] === value)
    return field in step || (parts.length > 0 && isSaid)
  }
  return moves.findLast(fits)?.field
}

/** Outcomes that the console offers for the record of an operation. */
export const listMoveChoices = (operation: string | undefined) => {
  const noun = RECORDS[operation ?? '']
  if (!noun) return []
  return moves.flatMap((move) =>
    (move.choices?.[noun] ?? []).map(
      ([more, text, note]) => [inOrder({ ...move.fields[noun], ...more }), text, note] as const,
    ),
  )
}

/** The usual statuses after the first. */
const USUAL: Readonly<Record<MovedNoun, readonly string[]>> = {
  payout: ['PAYOUT_PROCESSED'],
  transfer: ['FUNDS_RECEIVED', 'CONVERSION_PROCESSED', 'PAYMENT_SUBMITTED', 'PAYMENT_PROCESSED'],
  user: ['active'],
}
const USUAL_DELAY = '2s'

/** The steps of a scenario for a new record, which reaches the status `from` by itself. */
export const toRecordSteps = (noun: MovedNoun, step: MoveStep): readonly object[] => {
  const { from: _, reason, stay_pending: pending, settle, ...plain } = step
  const usual = (delay: (i: number) => string) =>
    USUAL[noun].map((move, i) => ({ after: delay(i), move }))
  const last = USUAL[noun].length - 1
  const { after = '0s' } = Object(settle)
  if (settle) return usual((i) => (i === last ? after : '0s'))
  if (pending) return usual((i) => (i === 0 ? Object(pending).for : USUAL_DELAY))
  if (reason === undefined) return [plain]
  return [{ ...plain, ...(noun === 'user' ? { rejection_reasons: [reason] } : { reason }) }]
}
