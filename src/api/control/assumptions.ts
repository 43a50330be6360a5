import * as z from 'zod'
import type { ConfirmedReading } from '../../assumptions/answers-file.js'
import { assumptionIds } from '../../assumptions/ids.js'
import { RISKS } from '../../assumptions/register/assumption.js'
import { type AssumptionId, concerns } from '../../assumptions/register/index.js'
import { AssumptionUsage } from '../../assumptions/usage.js'
import { type Call, ok, operation } from '../../http/operation/operation.js'
import { toIso } from '../../kernel/time.js'
import {
  type AssumptionView,
  assertKnownReading,
  parseAssumptionId,
  viewAssumption,
} from '../../runtime/assumption-view.js'
import { operationIds } from '../../scenarios/language/operations.js'
import { fields } from './fields.js'
import { listSchema, pageQuery, toPage } from './lists.js'

export const settlement = z
  .object({
    reading: z.string(),
    by: z.string().meta({ example: 'The service’s support' }),
    when: z.string().meta({ description: 'A date or a date-time', example: '2026-05-04' }),
    link: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Settlement' })

const item = z
  .object({
    id: z.string().meta({ example: 'payout.repeat' }),
    question: z.string().meta({ description: 'The question that the contract leaves open' }),
    operations: z
      .array(z.enum(operationIds))
      .meta({ description: 'The operations that it concerns; empty for all of them' }),
    readings: z
      .array(z.object({ name: z.string(), description: z.string() }))
      .meta({ description: 'The possible readings, the default first' }),
    active: z.string().meta({ description: 'The reading of this world', example: 'current' }),
    default: z.string().meta({ description: 'The default reading' }),
    basis: z.string().meta({ description: 'The words of the contract behind the default' }),
    risk: z.enum(RISKS).meta({
      description:
        'The cost of a wrong guess: `high` when money moves twice or is lost, `medium` when a client takes ' +
        'the wrong branch, `low` when only the shape of something differs',
    }),
    consequence: z.string().meta({ description: 'If the service reads it otherwise, …' }),
    settled: settlement.nullable().meta({
      description: 'The answer of the operator, from the file of `--readings`; null when open',
    }),
    hits: z
      .int()
      .meta({ description: 'Responses of this world, or of all worlds, that relied on it' }),
    last_hit: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'World time of the last one; null without one' }),
  })
  .meta({ id: 'Assumption' })

export const worldsQuery = z
  .enum(['all'])
  .optional()
  .meta({ description: 'Counts the answers of all open worlds, not of this one alone' })

const countUse = async (
  { sandbox, live, scope }: Pick<Call<unknown, unknown, unknown>, 'sandbox' | 'live' | 'scope'>,
  worlds?: 'all',
): Promise<AssumptionUsage> => {
  const logs = await sandbox.readLogs(live, scope, worlds)
  return AssumptionUsage.sum(logs.map(({ usage }) => usage))
}

const show = (view: AssumptionView): z.input<typeof item> => {
  const { operations, readings, confirmed, last_hit, ...rest } = view
  return {
    ...rest,
    operations: [...operations] as z.input<typeof item>['operations'],
    readings: readings.map(({ name, means }) => ({ name, description: means })),
    settled: confirmed ? showSettlement(confirmed) : null,
    last_hit: last_hit === null ? null : toIso(last_hit),
  }
}

export const showSettlement = (confirmed: ConfirmedReading): z.input<typeof settlement> => {
  const { reading, said_by, when, link = null, note = null } = confirmed
  return { reading, by: said_by, when, link, note }
}

const filters = z.object({
  operation: z
    .enum(operationIds)
    .optional()
    .meta({ description: 'Only those that concern this operation, those of all operations too' }),
  relied: z.enum(['true', 'false']).optional().meta({
    description: 'Only those that some answer of this world relied on, or only the others',
  }),
  worlds: worldsQuery,
})

export const listAssumptions = operation({
  id: 'listAssumptions',
  method: 'get',
  path: '/_sandbox/assumptions',
  tag: 'Assumptions',
  summary: 'List assumptions',
  description:
    'Every silence of the contract with its readings, the reading of this world, and the number of ' +
    'responses that relied on it. `worlds=all` counts the responses of all open worlds.',
  query: pageQuery.extend(filters.shape),
  answers: { 200: { description: 'One page', schema: listSchema(item, 'AssumptionList') } },
  needsNoWorld: true,
  handle: async ({ sandbox, live, scope, query }) => {
    const counts = await countUse({ sandbox, live, scope }, query.worlds)
    const isRelied = (id: AssumptionId) => String(counts.of(id).hits > 0)
    const ids = assumptionIds.filter(
      (id) =>
        concerns(id, query.operation) &&
        (query.relied === undefined || query.relied === isRelied(id)),
    )
    return ok(toPage(ids, query, (id) => show(viewAssumption(sandbox, live, id, counts))))
  },
})

const path = z.object({
  id: z.string().meta({ description: 'Id of the assumption', example: 'payout.repeat' }),
})

export const readAssumption = operation({
  id: 'readAssumption',
  method: 'get',
  path: '/_sandbox/assumptions/{id}',
  tag: 'Assumptions',
  summary: 'Read an assumption',
  description: 'One assumption, and the reading of this world.',
  params: path,
  answers: { 200: { description: 'The assumption', schema: item } },
  needsNoWorld: true,
  handle: async ({ sandbox, live, scope, params }) => {
    const counts = await countUse({ sandbox, live, scope })
    return ok(show(viewAssumption(sandbox, live, parseAssumptionId(params.id), counts)))
  },
})

export const chooseReading = operation({
  id: 'chooseReading',
  method: 'patch',
  path: '/_sandbox/assumptions/{id}',
  tag: 'Assumptions',
  summary: 'Choose a reading',
  description:
    'Selects a reading for this world until the next reset. Existing records stay as they are.',
  params: path,
  body: fields({ reading: z.string('the name of a reading') }).meta({
    id: 'ReadingChoice',
    example: { reading: 'conflict' },
  }),
  answers: { 200: { description: 'The assumption after it', schema: item } },
  errors: ['4040'],
  handle: async ({ sandbox, live, world, params, body: { reading }, cause }) => {
    const id = parseAssumptionId(params.id)
    assertKnownReading(id, reading)
    world.run('reading.choose', { id, reading }, cause)
    await live.requests.update()
    return ok(show(viewAssumption(sandbox, live, id)))
  },
})
