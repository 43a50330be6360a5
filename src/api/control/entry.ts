import * as z from 'zod'

/** Parts of a line of the journal. */
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
