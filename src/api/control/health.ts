import * as z from 'zod'
import { ApiError } from '../../http/operation/api-error.js'
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

export const getReady = operation({
  id: 'getReady',
  method: 'get',
  path: '/_sandbox/ready',
  tag: 'Sandbox',
  summary: 'Readiness',
  description:
    'For load balancers: whether to send requests here. 503 while the sandbox drains before it ends, or while its ' +
    'database does not answer within a second. Needs no token.',
  answers: {
    200: {
      description: 'It accepts requests',
      schema: z.object({ status: z.literal('ready') }).meta({ id: 'Readiness' }),
    },
  },
  errors: ['5030'],
  isOpen: true,
  handle: async ({ sandbox }) => {
    const problem = await sandbox.findUnreadiness()
    if (problem !== undefined) throw new ApiError('5030', problem)
    return ok({ status: 'ready' })
  },
})
