import * as z from 'zod'
import { toIso } from '../../kernel/time.js'
import { compareByDue, nextStep, type Timer } from '../../kernel/timers.js'

export const timer = z
  .object({
    id: z.string(),
    due: z.iso.datetime().nullable().meta({ description: 'Null while it waits for reads' }),
    reads: z.int().optional().meta({ description: 'How many reads it waits for' }),
    subject: z.string().meta({ description: 'Id of the record that it is about' }),
    command: z
      .string()
      .meta({ description: 'The command that it will run', example: 'transfer.move' }),
    input: z.unknown(),
    scenario: z.string(),
    rule: z.int(),
    source: z.string().meta({ description: 'File and line of the rule' }),
  })
  .meta({ id: 'Timer' })

/** Next one first. */
export const showTimers = (timers: readonly Timer[], most?: number): z.input<typeof timer>[] =>
  timers.toSorted(compareByDue).slice(0, most).map(showTimer)

const showTimer = (it: Timer): z.input<typeof timer> => {
  const { subject, scenario, rule, source } = it.plan
  const { command = '', input } = nextStep(it) ?? {}
  const due = it.due === null ? { due: null, reads: it.reads } : { due: toIso(it.due) }
  return { id: it.id, ...due, subject, command, input, scenario, rule, source }
}
