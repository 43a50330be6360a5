import * as z from 'zod'
import type { MemoryJournal } from '../../history/memory-journal.js'
import { ApiError } from '../../http/operation/api-error.js'
import { ok, operation } from '../../http/operation/operation.js'
import type { Entry } from '../../kernel/entry.js'
import { MAX_PAGE, sizeSchema } from './lists.js'

export const entryParts = {
  seq: z.int().meta({ description: 'Its number. Numbers only rise, through resets too' }),
  at: z.iso.datetime().meta({ description: 'The world’s time' }),
  cause: z.looseObject({ kind: z.string() }).meta({ description: 'Its cause' }),
  command: z.string().meta({ description: 'The command', example: 'transfer.move' }),
  events: z.array(
    z.looseObject({
      type: z.string(),
      id: z.string(),
      cause: z.looseObject({ kind: z.string() }).optional().meta({
        description: 'The rule whose step ran within the command, because it was due at once',
      }),
    }),
  ),
  refused: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .meta({ description: 'The error of a refused command' }),
}

export const entry = z
  .object({
    ...entryParts,
    input: z.unknown(),
    changes: z
      .array(z.object({ table: z.string(), id: z.string(), record: z.unknown() }))
      .meta({ description: 'Each changed record; null if it was removed' }),
  })
  .meta({ id: 'Entry', description: 'One entry of the journal: a command and its changes' })

const SEQ = 'the number of an entry, a whole number from 0'
export const seq = z.int(SEQ).min(0, SEQ)

export const readJournal = operation({
  id: 'readJournal',
  method: 'get',
  path: '/_sandbox/journal',
  tag: 'Journal',
  summary: 'Read the journal',
  description:
    'Every change and refusal with its cause, oldest first. `after` is a cursor: it returns the ' +
    'entries with higher numbers, and `next` is the cursor of the next call. Without it you get the ' +
    'newest entries. The newest 10,000 are kept; an older cursor is 410.',
  query: z.object({
    after: seq.optional().meta({ description: 'Number of the last entry that you have' }),
    size: sizeSchema('Entries at most'),
  }),
  answers: {
    200: {
      description: 'Entries, oldest first',
      schema: z
        .object({
          items: z.array(entry),
          next: z.int().meta({ description: 'The `after` of the next call' }),
          oldest: z.int().meta({ description: 'Number of the oldest entry that is kept' }),
        })
        .meta({ id: 'JournalPage' }),
    },
  },
  errors: ['4110'],
  handle: ({ live: { journal }, query: { after, size } }) => {
    if (after !== undefined) assertFollows(journal, after)
    const all =
      after === undefined ? journal.newestAfter(0, size) : journal.oldestAfter(after, size)
    const items = after === undefined ? fitting(all.reverse()).reverse() : fitting(all)
    const next = items.at(-1)?.seq ?? journal.newest
    return ok({ items, next, oldest: journal.oldest })
  },
})

/** The entries that fit on a page, at least one. */
const fitting = (entries: readonly Entry[]): Entry[] => {
  let length = 0
  const end = entries.findIndex((it) => {
    length += JSON.stringify(it).length
    return length > MAX_PAGE
  })
  return end < 0 ? [...entries] : entries.slice(0, Math.max(end, 1))
}

/** Refuses a cursor that would skip entries silently. */
const assertFollows = (journal: MemoryJournal, cursor: number): void => {
  if (journal.hasAllAfter(cursor)) return
  const { oldest, newest } = journal
  throw new ApiError('4110', {
    field: 'after',
    received: cursor,
    expected: `${oldest - 1} to ${newest}`,
    hint:
      cursor > newest
        ? `The newest entry is ${newest}. The number is of another world, or the sandbox was restarted`
        : `The oldest entry that is kept is ${oldest}`,
  })
}
