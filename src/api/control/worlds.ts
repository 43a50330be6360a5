import * as z from 'zod'
import { listWithProblems } from '../../activity/problems.js'
import { text } from '../../contract/fields.js'
import { toPagination } from '../../contract/pagination.js'
import { findLabel } from '../../domain/api-keys.js'
import { badRequest } from '../../http/operation/api-error.js'
import { created, ok, operation } from '../../http/operation/operation.js'
import { worldNotFound } from '../../http/pipeline/enter-world.js'
import { illegalTransition } from '../../kernel/refusal.js'
import { DURATION_HELP, durationError, parseDuration, toIso } from '../../kernel/time.js'
import { invalidValue } from '../../lib/app-error.js'
import {
  DEFAULT_WORLD,
  drawWorldKey,
  isTenantPrefix,
  PREFIX_FORM,
  WORLD_KEY_FORM,
} from '../../lib/secrets.js'
import { CLOCK_MODE_HELP, parseClockSetting } from '../../worlds/clock.js'
import { DELETED, type LiveWorld } from '../../worlds/live-world.js'
import { findOwnKey } from '../../worlds/registry.js'
import { fields } from './fields.js'
import { listSchema, pageQuery, withinPage } from './lists.js'

const MAX_LABEL = 200
const label = text(MAX_LABEL).meta({
  description: 'A label; several worlds may have one',
  example: 'pays once',
})

const world = z
  .object({
    id: z.string().meta({
      description: `\`${DEFAULT_WORLD}\`, or the first 32 hex digits of the SHA-256 of the world’s key`,
      example: 'b1946ac92492d2347c6235b4d2611184',
    }),
    kind: z.enum(['default', 'key']),
    last_four: z
      .string()
      .nullable()
      .meta({ description: 'The last four characters of its key; null for the default world' }),
    name: z.string().nullable().meta({ description: 'Its label' }),
    tenant: z.string().optional().meta({ description: 'Its owner, with --tenants' }),
    seed: z.string().meta({ description: 'The seed of its ids' }),
    now: z.iso.datetime().meta({ description: 'Its time' }),
    entries: z.int().meta({ description: 'Number of the newest entry of its journal' }),
    created_at: z.iso.datetime().meta({ description: 'By the machine’s time' }),
    last_used_at: z.iso
      .datetime()
      .meta({ description: 'By the machine’s time; to the hour with a database' }),
    open_streams: z.int(),
    snapshots: z.int().meta({ description: 'How many it has' }),
    started_anew: z.boolean().meta({
      description: 'Whether it was there before, and was forgotten since others needed its room',
    }),
  })
  .meta({ id: 'World' })

const listedWorld = world
  .extend({
    problems: z
      .array(
        z.object({
          kind: z.enum(['bad', 'warn']),
          word: z.string().meta({ example: 'Looks paid twice' }),
          text: z.string().meta({
            example: 'paid twice: 99.99 USD, 7 ms after the answer was lost, with a new id',
          }),
          records: z.array(z.string()).meta({ description: 'The records that it is about' }),
        }),
      )
      .meta({ description: 'The gravest first; an unfinished record may be wanted' }),
  })
  .meta({ id: 'ListedWorld' })

export const createdWorld = world
  .extend({
    key: z.string().meta({
      description: 'The API key that opens it. Shown here and nowhere else, ever',
      example: 'SandboxWorld7f3KqLm20XzPa94RtYwB',
    }),
  })
  .meta({ id: 'CreatedWorld' })

export const showWorld = (live: LiveWorld): z.input<typeof world> => ({
  id: live.id,
  kind: live.key ? 'key' : 'default',
  last_four: live.key?.last_four ?? null,
  name: findLabel(findOwnKey(live)),
  ...(live.tenant !== undefined && { tenant: live.tenant }),
  seed: live.world.seed,
  now: toIso(live.now),
  entries: live.world.seq,
  created_at: live.created_at,
  last_used_at: toIso(live.used_at),
  open_streams: live.streams,
  snapshots: live.snapshots().length,
  started_anew: live.isRestarted,
})

export const listWorlds = operation({
  id: 'listWorlds',
  method: 'get',
  path: '/_sandbox/worlds',
  tag: 'Worlds',
  summary: 'List worlds',
  description:
    'The default world and the worlds by key, most recently used first. A bill paid twice and a failed audit are problems; ' +
    'an unfinished record may be wanted.',
  query: pageQuery.extend({
    name: z.string().optional().meta({ description: 'Only worlds with this name' }),
    problems: z
      .literal('true')
      .optional()
      .meta({ description: 'Only worlds with a problem of kind `bad`' }),
  }),
  answers: {
    200: {
      description: 'One page',
      schema: listSchema(listedWorld, 'WorldList').extend({
        with_problems: z
          .int()
          .meta({ description: 'How many worlds have a problem of kind `bad`' }),
        unfinished: z.int().nullable().meta({
          description:
            'How many have unfinished records; null on a database: records end as time passes',
        }),
      }),
    },
  },
  spansWorlds: true,
  needsNoWorld: true,
  handle: async ({ sandbox, scope, query }) => {
    const problems = query.problems !== undefined
    const mine = { ...query, problems, tenants: scope.tenants }
    const listed = await listWithProblems(sandbox, mine)
    const { worlds, total, with_problems, unfinished } = listed
    const items = worlds.map(({ live, problems }) => ({ ...showWorld(live), problems }))
    return ok({
      items: withinPage(items),
      pagination: toPagination(query, problems ? with_problems : total),
      with_problems,
      unfinished,
    })
  },
})

export const createWorld = operation({
  id: 'createWorld',
  method: 'post',
  path: '/_sandbox/worlds',
  tag: 'Worlds',
  summary: 'Create a world',
  description:
    'Opens a world from the fixtures and returns its key. So does the first use of any key of the form ' +
    `${WORLD_KEY_FORM}. With a \`clock\` it has one of its own, after each reset too. A manual one begins at the time ` +
    'of the fixtures.',
  answers: { 201: { description: 'The world and its key', schema: createdWorld } },
  spansWorlds: true,
  needsNoWorld: true,
  body: fields({
    name: label.optional(),
    clock: z
      .string(CLOCK_MODE_HELP)
      .optional()
      .meta({ description: `${CLOCK_MODE_HELP}. The default is the sandbox’s` }),
    key_prefix: z
      .string()
      .refine(isTenantPrefix, PREFIX_FORM)
      .optional()
      .meta({ description: `Beginning of the key, such as a tenant’s: ${PREFIX_FORM}` }),
  }).meta({ id: 'WorldRequest', example: { name: 'pays once', clock: 'manual' } }),
  bodyOptional: true,
  handle: async ({ sandbox, scope, body: { name, clock: mode, key_prefix }, once }) => {
    const clock = parseClockSetting({ mode }, 'clock')
    const key = once(() => drawWorldKey(key_prefix ?? scope.prefix))
    const live = sandbox.worlds.open({ ...sandbox.worlds.keys.hashDrawn(key, scope), name }, clock)
    const shown = showWorld(live)
    await sandbox.flushed(live)
    return created({ ...shown, key })
  },
})

export const renameWorld = operation({
  id: 'renameWorld',
  method: 'patch',
  path: '/_sandbox/worlds/{id}',
  tag: 'Worlds',
  summary: 'Name a world',
  description: 'Gives a world by key a name. It survives a reset.',
  params: z.object({ id: z.string().meta({ description: 'Id of the world' }) }),
  body: fields({ name: label }).meta({ id: 'WorldChange', example: { name: 'pays once' } }),
  answers: { 200: { description: 'The world after it', schema: world } },
  spansWorlds: true,
  needsNoWorld: true,
  errors: ['4040', '4090'],
  handle: async ({ sandbox, scope, params: { id }, body: { name }, cause }) => {
    const live = await sandbox.worlds.findStored(scope, id)
    if (!live) throw worldNotFound('id', id)
    const key = findOwnKey(live)
    if (!key) throw illegalTransition(`${DEFAULT_WORLD} has no other name; worlds by key can`)
    live.current().run('api_key.set', { id: key.id, name }, cause)
    const shown = showWorld(live)
    await sandbox.flushed(live)
    return ok(shown)
  },
})

export const deleteWorld = operation({
  id: 'deleteWorld',
  method: 'delete',
  path: '/_sandbox/worlds/{id}',
  tag: 'Worlds',
  summary: 'Delete a world',
  description:
    'Deletes a world by key and ends its streams. Keys created in it stop working; its own key ' +
    'opens a new world. Requests in flight still get a response.',
  params: z.object({ id: z.string().meta({ description: 'Id of the world' }) }),
  answers: { 200: { description: 'The world as it was', schema: world } },
  spansWorlds: true,
  needsNoWorld: true,
  errors: ['4040', '4090'],
  handle: async ({ sandbox, scope, params: { id } }) => {
    const { worlds } = sandbox
    const live = await worlds.findStored(scope, id)
    if (!live) throw worldNotFound('id', id)
    if (live === worlds.main) {
      throw illegalTransition(
        `${DEFAULT_WORLD} cannot be deleted; worlds by key can. POST /_sandbox/reset restores its initial state`,
      )
    }
    // Exchanges that other processes are storing belong to the log that ends.
    await live.requests.update()
    const shown = showWorld(live)
    worlds.delete(live, DELETED)
    await sandbox.flushed(live)
    return ok(shown)
  },
})

const PAGE = 1_000
const BATCH = 100

export const deleteWorlds = operation({
  id: 'deleteWorlds',
  method: 'delete',
  path: '/_sandbox/worlds',
  tag: 'Worlds',
  summary: 'Delete worlds',
  description:
    'Deletes the worlds by key of a name, those that nobody used for a duration, or those of both. ' +
    'A world with an open stream is in use. On a database a use is known to two hours, so that an ' +
    'idle world may stay that much longer.',
  query: z.object({
    name: z.string().optional().meta({ description: 'Only worlds with this name' }),
    idle: z
      .string()
      .optional()
      .meta({ description: `Only worlds unused for this long: ${DURATION_HELP}`, example: '1d' }),
  }),
  answers: {
    200: {
      description: 'How many were deleted',
      schema: z.object({ deleted: z.int() }).meta({ id: 'WorldsDeleted' }),
    },
  },
  spansWorlds: true,
  needsNoWorld: true,
  errors: ['4000'],
  handle: async ({ sandbox, scope, query: { name, idle }, once }) => {
    const idle_ms = idle === undefined ? undefined : parseDuration(idle)
    if (idle !== undefined && idle_ms === undefined)
      throw invalidValue('idle', idle, durationError(idle))
    if (name === undefined && idle === undefined)
      throw badRequest({ field: 'name', expected: 'the name of the worlds, idle, or both' })
    const { worlds } = sandbox
    const isUnused = ({ used_at }: { readonly used_at: number }): boolean =>
      idle_ms === undefined || used_at + worlds.noteDelay_ms <= sandbox.machineTime() - idle_ms
    const ids: string[] = []
    for (let page = 0; ; page++) {
      const listed = await worlds.listStored({ page, size: PAGE, name, tenants: scope.tenants })
      for (const it of listed.worlds) if (isUnused(it)) ids.push(it.id)
      if ((page + 1) * PAGE >= listed.total) break
    }
    // An attempt that others overtake begins again.
    const done = once(() => ({ deleted: 0 }))
    const deleteOne = async (id: string) => {
      const live = await worlds.findStored(scope, id)
      const isInUse = live && idle !== undefined && live.holders + live.streams > 0
      if (!live || live === worlds.main || isInUse) return
      worlds.delete(live, DELETED)
      await sandbox.flushed(live)
      done.deleted++
    }
    for (let at = 0; at < ids.length; at += BATCH)
      await Promise.all(ids.slice(at, at + BATCH).map(deleteOne))
    return ok(done)
  },
})
