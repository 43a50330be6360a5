import * as z from 'zod'
import { ok, operation } from '../http/operation.js'
import { audit } from '../world/audit.js'
import { isoTime } from '../world/kernel/time.js'

export const getAudit = operation({
  id: 'getAudit',
  method: 'get',
  path: '/_sandbox/audit',
  tag: 'Sandbox',
  summary: 'Prove the ledger',
  description:
    'Adds up every posting anew: each asset sums to zero, no balance is below zero, the postings of each ' +
    'transfer and payout match its status.',
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
          violations: z.array(z.string()).meta({ description: 'What is wrong, in sentences' }),
        })
        .meta({ id: 'Audit' }),
    },
  },
  errors: [],
  handle: ({ world }) => ok(audit(world.tables)),
})

export const reset = operation({
  id: 'reset',
  method: 'post',
  path: '/_sandbox/reset',
  tag: 'Sandbox',
  summary: 'Reset',
  description: 'Back to the fixtures, exactly as at boot.',
  answers: {
    200: {
      description: 'The world after it',
      schema: z.object({ now: z.iso.datetime(), seed: z.string() }).meta({ id: 'Reset' }),
    },
  },
  errors: [],
  handle: ({ sandbox, world, cause }) => {
    const { now, seed } = sandbox.reset(sandbox.lineOf(world), cause)
    return ok({ now: isoTime(now), seed })
  },
})
