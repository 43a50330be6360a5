import * as z from 'zod'
import { ok, operation } from '../../http/operation/operation.js'

export const getHealth = operation({
  id: 'getHealth',
  method: 'get',
  path: '/_sandbox/health',
  tag: 'Sandbox',
  summary: 'Health',
  description: 'The state of the sandbox and of its data file. Needs no token.',
  answers: {
    200: {
      description: 'It is up',
      schema: z
        .object({
          status: z.literal('ok'),
          version: z.string(),
          uptime_s: z.int(),
          worlds: z.int(),
          data: z
            .object({
              file: z.string().meta({ description: 'With its whole path' }),
              status: z.enum(['ok', 'failing']).meta({
                description: '`failing` while it cannot be written: changes are 503, reads go on',
              }),
              error: z.string().nullable().meta({ description: 'Why it is failing' }),
              journal_bytes: z.int().meta({ description: 'Size of the journal beside it' }),
            })
            .nullable()
            .meta({ description: 'The data file; null when nothing outlives the process' }),
        })
        .meta({ id: 'Health' }),
    },
  },
  isOpen: true,
  handle: ({ sandbox }) => ok({ status: 'ok', ...sandbox.health() }),
})
