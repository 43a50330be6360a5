import * as z from 'zod'
import { compareWorlds, MAX_DIFFERENT } from '../../history/compare-worlds.js'
import { ok, operation } from '../../http/operation/operation.js'
import { worldNotFound } from '../../http/pipeline/enter-world.js'
import { toIso } from '../../kernel/time.js'
import { inSlices } from '../../lib/slices.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import type { Scope } from '../../worlds/tenants.js'
import { showWorld } from './worlds.js'

const pair = <S extends z.ZodType>(side: S) => ({ a: side.nullable(), b: side.nullable() })
const same = z.boolean()

const comparedWorld = z
  .object({ id: z.string(), name: z.string().nullable() })
  .meta({ id: 'ComparedWorld' })

const comparedRequest = z
  .looseObject({ operation: z.string().nullable(), status: z.int().nullable() })
  .meta({
    id: 'ComparedRequest',
    description: 'A request with the bodies of request and response, without times and request ids',
  })

const comparison = z
  .object({
    a: comparedWorld,
    b: comparedWorld,
    equal: z.boolean().meta({ description: 'Whether nothing differs. Times may' }),
    first: z
      .object({
        kind: z.enum(['setup', 'request', 'record', 'balance']),
        ...pair(z.looseObject({})),
      })
      .nullable()
      .meta({ description: 'The first difference, in this order' }),
    setup: z.array(
      z.object({
        what: z.enum(['scenarios', 'posted', 'next', 'readings', 'rates', 'clock']),
        a: z.unknown(),
        b: z.unknown(),
        same,
      }),
    ),
    requests: z.array(z.object({ n: z.int(), ...pair(comparedRequest), same })),
    records: z.array(
      z.object({
        noun: z.string().meta({ example: 'payouts' }),
        a: z.int().meta({ description: 'How many A has' }),
        b: z.int(),
        same,
        different: z
          .array(z.object({ ...pair(z.looseObject({})), same }))
          .meta({ description: `The records that differ, at most ${MAX_DIFFERENT}` }),
      }),
    ),
    balances: z.array(
      z.object({
        of: z.string().meta({ example: 'user 1' }),
        asset: z.string().meta({ example: 'NGN' }),
        ...pair(z.string()),
        same,
      }),
    ),
    now: z.object({ a: z.iso.datetime(), b: z.iso.datetime() }),
  })
  .meta({ id: 'WorldComparison' })

const idOf = (side: string) =>
  z.string().meta({ description: `Id of world ${side}`, example: 'default' })

export const compare = operation({
  id: 'compareWorlds',
  method: 'get',
  path: '/_sandbox/worlds/compare',
  tag: 'Worlds',
  summary: 'Compare two worlds',
  description:
    'Setup, requests, records and balances of two worlds side by side. Requests pair by order, operation ' +
    'and body. An id is replaced by the number of its record, such as `payout 1`; other ids by the ' +
    'order in which they came. Times, request ids, seeds and API keys are not compared.',
  query: z.object({ a: idOf('A'), b: idOf('B') }),
  answers: { 200: { description: 'The comparison', schema: comparison } },
  spansWorlds: true,
  needsNoWorld: true,
  errors: ['4040'],
  handle: async ({ sandbox, scope, query }) => {
    const a = await loadCurrent(sandbox, scope, 'a', query.a)
    const b = await loadCurrent(sandbox, scope, 'b', query.b)
    const compared = await inSlices(compareWorlds(toCompared(a), toCompared(b)))
    return ok({
      a: nameWorld(a),
      b: nameWorld(b),
      ...compared,
      now: { a: toIso(a.now), b: toIso(b.now) },
    })
  },
})

const toCompared = ({ world, requests }: LiveWorld) => ({ tables: world.tables, requests })

const nameWorld = (live: LiveWorld) => {
  const { id, name } = showWorld(live)
  return { id, name }
}

/** Brings a world up to its time. */
const loadCurrent = async (sandbox: Sandbox, scope: Scope, side: string, id: string) => {
  const live = await sandbox.worlds.findStored(scope, id)
  if (!live) throw worldNotFound(side, id)
  live.current()
  await Promise.all([sandbox.flushed(live), live.requests.update()])
  return live
}
