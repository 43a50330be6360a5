import * as z from 'zod'
import { describeCause } from '../../activity/story.js'
import { toTakenBack } from '../../activity/ways-back.js'
import { auditing } from '../../domain/audit.js'
import type { World } from '../../domain/world.js'
import { ok, operation } from '../../http/operation/operation.js'
import { toIso } from '../../kernel/time.js'
import { BEFORE_RESET } from '../../worlds/snapshots.js'
import { MAX_UNDO } from '../../worlds/undo-history.js'
import {
  assertUndoable,
  findUndoableEntries,
  nothingToRedo,
  nothingToUndo,
} from '../../worlds/undo-preview.js'
import { fields, NO_FIELDS } from './fields.js'
import { entry, seq } from './journal.js'
import { capitalized } from './resource.js'

export const getAudit = operation({
  id: 'getAudit',
  method: 'get',
  path: '/_sandbox/audit',
  tag: 'Sandbox',
  summary: 'Audit the ledger',
  description:
    'Sums every posting: each asset sums to zero, no balance is below zero, and the postings of ' +
    'each transfer and payout match its status. Other requests of this world wait for the end.',
  answers: {
    200: {
      description: 'The proof',
      schema: z
        .object({
          ok: z.boolean(),
          assets: z.array(
            z.object({
              asset: z.string(),
              sum: z.string().meta({ description: 'Over all accounts; "0" when in order' }),
              accounts: z.record(z.string(), z.string()),
            }),
          ),
          violations: z.array(z.string()).meta({ description: 'Errors, in sentences' }),
        })
        .meta({ id: 'Audit' }),
    },
  },
  errors: [],
  handle: async ({ live }) => ok(await live.readInSlices(({ tables }) => auditing(tables))),
})

/** The state of a world after a reset or a restore. */
export const worldTime = z.object({ now: z.iso.datetime(), seed: z.string() }).meta({ id: 'Reset' })

export const showWorldTime = ({ now, seed }: World): z.input<typeof worldTime> => ({
  now: toIso(now),
  seed,
})

export const reset = operation({
  id: 'reset',
  method: 'post',
  path: '/_sandbox/reset',
  tag: 'Sandbox',
  summary: 'Reset',
  description:
    `Restores the fixtures. Snapshots stay. The request log begins again, and keeps the requests before with \`before_reset=true\`. It first takes the snapshot ${BEFORE_RESET}, so ` +
    '`POST /_sandbox/undo` takes it back.',
  answers: { 200: { description: 'The world after it', schema: worldTime } },
  ...NO_FIELDS,
  handle: async ({ live, cause }) => {
    // Exchanges that other processes are storing belong to the log that ends.
    await live.requests.update()
    return ok(showWorldTime(live.reset(cause)))
  },
})

const undoTarget = {
  to: seq.optional().meta({ description: 'Number of the entry that becomes the newest one' }),
}

const stepSchema = (done: 'undone' | 'redone') =>
  worldTime
    .extend({
      [done]: z.looseObject({ kind: z.string() }).meta({
        description: `The cause of the ${done} step, as in the journal; of the oldest of several`,
      }),
      sentence: z.string().nullable().meta({
        description: 'The step in words; null if the journal no longer has it',
      }),
      entry: z.int().meta({ description: 'Number of the journal entry of this call' }),
      left: z.int().meta({ description: 'How many more commands can be undone' }),
    })
    .meta({ id: capitalized(done) })

const MAX_ENTRIES = 1_000

const changedRecord = z
  .object({
    noun: z.string().meta({ example: 'payouts' }),
    id: z.string(),
    did: z.enum(['made', 'changed', 'removed']).meta({ description: 'The effect of the entries' }),
  })
  .meta({ id: 'TakenBackRecord' })

export const previewUndo = operation({
  id: 'previewUndo',
  method: 'get',
  path: '/_sandbox/undo',
  tag: 'Sandbox',
  summary: 'Preview an undo',
  description:
    'Lists the entries that an undo would take back, with their requests and records. It refuses what the undo refuses.',
  query: z.object(undoTarget),
  answers: {
    200: {
      description: 'The entries',
      schema: z
        .object({
          count: z.int().meta({ description: 'How many entries it takes back' }),
          entries: z.array(entry).meta({ description: 'The newest 1,000 of them, oldest first' }),
          requests: z.int().meta({ description: 'How many requests of clients it takes back' }),
          acts: z.int().meta({ description: 'How many control calls and calls of the library' }),
          records: z.array(changedRecord).meta({ description: 'The first 1,000 of them' }),
        })
        .meta({ id: 'UndoPreview' }),
    },
  },
  errors: ['4090'],
  handle: ({ live, query: { to } }) => {
    const entries = findUndoableEntries(live, to)
    const { requests, acts, records } = toTakenBack(entries)
    return ok({
      count: entries.length,
      entries: entries.slice(-MAX_ENTRIES),
      ...{ requests, acts },
      records: records.slice(0, MAX_ENTRIES).map(({ noun, id, did }) => ({ noun, id, did })),
    })
  },
})

export const undo = operation({
  id: 'undo',
  method: 'post',
  path: '/_sandbox/undo',
  tag: 'Sandbox',
  summary: 'Undo the last change',
  description:
    'Takes back the last change from outside (a request, a control call, a library call) and ' +
    'everything that followed from it, time included. Repeat it to go further back, through the ' +
    `newest ${MAX_UNDO.toLocaleString('en')} commands, back to before the last reset or restore. A running clock continues at ` +
    'the present, so due timers fire again. The request log does not change. `to` undoes all commands after ' +
    'an entry at once. `POST /_sandbox/redo` takes an undo back.',
  answers: {
    200: {
      description: 'The undone step',
      schema: stepSchema('undone'),
    },
  },
  body: fields(undoTarget).meta({ id: 'UndoRequest' }),
  bodyOptional: true,
  errors: ['4090'],
  handle: ({ live, body: { to }, cause }) => {
    if (to !== undefined) assertUndoable(live, to)
    const unit = live.rewind.undo(cause, to)
    if (!unit) throw nothingToUndo()
    const entry = live.world.seq
    // A running clock may have moved meanwhile.
    const now = showWorldTime(live.current())
    const sentence = describeCause(live, unit.cause)
    return ok({ ...now, undone: unit.cause, sentence, entry, left: live.history.size })
  },
})

export const redo = operation({
  id: 'redo',
  method: 'post',
  path: '/_sandbox/redo',
  tag: 'Sandbox',
  summary: 'Redo what was undone',
  description:
    'Returns to the state before the newest undo, and takes back the timers that fired since. It is one step: ' +
    'the next redo needs another undo. A command from outside that changes the world ends it.',
  answers: {
    200: {
      description: 'The redone step',
      schema: stepSchema('redone'),
    },
  },
  ...NO_FIELDS,
  errors: ['4090'],
  handle: ({ live, cause }) => {
    const redone = live.rewind.redo(cause)
    if (!redone) throw nothingToRedo()
    const entry = live.world.seq
    const now = showWorldTime(live.current())
    return ok({
      ...now,
      redone,
      sentence: describeCause(live, redone),
      entry,
      left: live.history.size,
    })
  },
})
