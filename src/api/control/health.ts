import * as z from 'zod'
import { ApiError } from '../../http/operation/api-error.js'
import { ok, operation } from '../../http/operation/operation.js'

export const getHealth = operation({
  id: 'getHealth',
  method: 'get',
  path: '/_sandbox/health',
  tag: 'Sandbox',
  summary: 'Health',
  description: 'The state of the sandbox and of its data. Needs no token.',
  answers: {
    200: {
      description: 'It is up',
      schema: z
        .object({
          status: z.literal('ok'),
          version: z.string(),
          uptime_s: z.int(),
          worlds: z.int().meta({ description: 'Worlds in memory, the default one too' }),
          data: z
            .object({
              kind: z.enum(['file', 'postgres']),
              status: z.enum(['ok', 'failing']).meta({
                description:
                  '`failing` while it cannot be written: changes are 503. Without a database, reads are 503 too',
              }),
              error: z.string().nullable().meta({ description: 'Why it is failing' }),
              file: z.string().optional().meta({ description: 'The file with its whole path' }),
              journal_bytes: z
                .int()
                .optional()
                .meta({ description: 'Size of the journal beside the file' }),
              counts: z
                .object({
                  attempts: z.int(),
                  reruns: z.int(),
                  unknown: z.int(),
                  checkpoints: z.int(),
                })
                .optional()
                .meta({
                  description:
                    'Of a database, since the start: commits that were sent, commits that another replica preceded, ' +
                    'commits of unknown outcome, and worlds that were stored as a whole',
                }),
            })
            .nullable()
            .meta({
              description: 'The data file or database; null when nothing outlives the process',
            }),
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
