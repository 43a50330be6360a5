import * as z from 'zod'
import { ok, operation } from '../http/operation.js'

export const getHealth = operation({
  id: 'getHealth',
  method: 'get',
  path: '/_sandbox/health',
  tag: 'Sandbox',
  summary: 'Health',
  description: 'Whether the sandbox is up. Needs no token.',
  answers: {
    200: {
      description: 'It is up',
      schema: z
        .object({
          status: z.literal('ok'),
          version: z.string(),
          uptime_s: z.int(),
          worlds: z.int(),
          data: z.string().nullable().meta({ description: 'The data file; null when in memory' }),
        })
        .meta({ id: 'Health' }),
    },
  },
  errors: [],
  handle: ({ sandbox }) => {
    const { version, uptime_s, worlds } = sandbox.health()
    return ok({ status: 'ok', version, uptime_s, worlds, data: null })
  },
})
