import * as z from 'zod'
import { badRequest } from '../../http/operation/api-error.js'
import { ok, operation } from '../../http/operation/operation.js'
import { UNTIL_HELP } from '../../kernel/time.js'
import { describeMisses } from '../../scenarios/verify/describe-miss.js'
import { parseUntil } from '../../worlds/clock.js'
import { fields } from './fields.js'

const candidate = z
  .object({
    noun: z.string().meta({ example: 'payouts' }),
    id: z.string(),
    what: z.string().meta({ description: 'Its name for people', example: 'payout 7f3c9a01…' }),
    differs: z
      .array(
        z.object({
          field: z.string().meta({ description: 'Its dotted path', example: 'status' }),
          wanted: z.unknown().meta({ description: 'The condition as it was given' }),
          came: z.unknown().meta({ description: 'The value found; null for none' }),
        }),
      )
      .meta({ description: 'Field by field; empty when only the number is wrong' }),
  })
  .meta({ id: 'Candidate' })

const outcome = z
  .object({
    ok: z.boolean(),
    expectation: z.record(z.string(), z.unknown()).meta({ description: 'As it was given' }),
    source: z.string().nullable().meta({ description: 'File and line, of a scenario’s own' }),
    sentence: z.string().meta({
      description: 'The expectation and what was found',
      example: 'payouts with status PAYOUT_PROCESSED: 2 (exactly 1)',
    }),
    found: z.int().meta({ description: 'How many meet the conditions' }),
    candidates: z
      .array(candidate)
      .meta({ description: 'Near misses, the nearest first; at most 3' }),
    violations: z
      .array(z.string())
      .optional()
      .meta({ description: 'Errors that the audit found, in sentences' }),
  })
  .meta({ id: 'Outcome' })

export const verifyWorld = operation({
  id: 'verify',
  method: 'post',
  path: '/_sandbox/verify',
  tag: 'Sandbox',
  summary: 'Verify expectations',
  description:
    'Checks expectations about records and requests, as `expect` in a scenario does. Records of the ' +
    'fixtures do not count. `shown` is a status that a response showed. `until` advances the clock first. A missed expectation lists near ' +
    'misses and how they differ.',
  body: fields({
    expect: z
      .unknown()
      .refine((it) => it !== undefined, 'a list of expectations')
      .meta({
        type: 'array',
        items: { type: 'object', additionalProperties: true },
        description:
          'Each counts one noun (`requests`, `payouts`, `transfers`, …) on conditions, with `count`, `before`, ' +
          '`after`, `any_after`, `reached`, `distinct`, `unique`, `sum`, `repaired`, `paid_twice`; or counts the firings of a rule (`fired`); ' +
          'or is `{"audit":"clean"}`',
      }),
    until: z
      .string(UNTIL_HELP)
      .optional()
      .meta({ description: '`idle`, or a duration of the world’s time', example: 'idle' }),
  }).meta({
    id: 'Verification',
    example: {
      expect: [{ payouts: { status: 'PAYOUT_PROCESSED' }, count: 1 }, { audit: 'clean' }],
      until: 'idle',
    },
  }),
  answers: {
    200: {
      description: 'Whether all are met, and each by itself',
      schema: z
        .object({
          ok: z.boolean(),
          results: z.array(outcome),
          missed: z
            .string()
            .optional()
            .meta({ description: 'Missed expectations with their near misses, as text' }),
        })
        .meta({ id: 'Verified' }),
    },
  },
  errors: ['4090'],
  // The parser of expectations is large and most sandboxes never need it, so it loads on demand.
  handle: async ({ sandbox, live, world, body, cause, once }) => {
    const { readExpectations, verifying } = await import(
      '../../scenarios/verify/parse-expectations.js'
    )
    const read = readExpectations(body.expect, sandbox.catalogue, world.tables, sandbox.fixtures)
    if ('problems' in read) throw badRequest(read.problems)
    const { until } = body
    if (until !== undefined)
      await live.advanceInSlices(
        once(() => ({ to: parseUntil(world, until) })),
        cause,
      )
    const { expectations } = read
    await live.requests.update()
    const verified = await live.readInSlices((now) =>
      verifying(expectations, sandbox.verificationInput(live, now)),
    )
    return ok(verified.ok ? verified : { ...verified, missed: describeMisses(verified.results) })
  },
})
