import * as z from 'zod'

/** Parts of a line of the journal. */
export const entryParts = {
  seq: z.int().meta({ description: 'Its number; numbers only rise, through resets too' }),
  at: z.iso.datetime().meta({ description: 'The world’s time' }),
  cause: z.looseObject({ kind: z.string() }).meta({ description: 'Who asked for it' }),
  command: z.string().meta({ description: 'What was done', example: 'transfer.move' }),
  events: z.array(z.looseObject({ type: z.string(), id: z.string() })),
  refused: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .meta({ description: 'Why it was refused, when it was' }),
}

export const entry = z
  .object({
    ...entryParts,
    input: z.unknown(),
    changes: z
      .array(z.object({ table: z.string(), id: z.string(), record: z.unknown() }))
      .meta({ description: 'Each record as it was left; null where it was removed' }),
  })
  .meta({ id: 'Entry', description: 'One line of the journal: a command and what it did' })
