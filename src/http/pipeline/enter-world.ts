import { LOG_HEADER } from '../../contract/header-names.js'
import { Refusal } from '../../kernel/refusal.js'
import { formatRepeated, inWords } from '../../lib/app-error.js'
import { isWorldKey, WORLD_KEY_FORM } from '../../lib/secrets.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import type { WorldRegistry } from '../../worlds/registry.js'
import { EVERYTHING } from '../../worlds/tenants.js'
import type { WorldName } from '../../worlds/world-keys.js'
import { badRequest, contractError } from '../operation/api-error.js'
import type { RequestContext } from '../operation/context.js'
import type { PipelineContext } from './pipeline-context.js'
import { parseScenarioHeader } from './request-choices.js'

/** Enters the world of a request: it is named, brought up to what is stored, opened, and its key checked there. */
export const enterWorld = async (ctx: PipelineContext): Promise<void> => {
  const { api, req, route } = ctx
  const { worlds } = api.sandbox
  const naming = route.operation?.isOpen ? undefined : worlds.keys.load(req.header('x-api-key'))
  if (naming) await naming
  if (req.header(LOG_HEADER) !== undefined) ctx.live = (await api.findLog?.(ctx)) ?? ctx.live
  const name = api.nameWorld(ctx, route.operation)
  // A health check does not count as a use of the world.
  if (name.isNone) return authenticate(ctx, api.sandbox.main, name)
  // The control API shows all of its history.
  const { live, release } = await enterNamed(
    worlds,
    name,
    api.kind === 'control' ? 'whole' : undefined,
  )
  ctx.release = release
  // Work in slices, such as a long advance of the clock.
  while (live.busy) await live.busy
  authenticate(ctx, live, name)
}

/** Brings a world up to what is stored, and keeps it in memory until it is released. A world key begins its world. */
export const enterNamed = async (
  worlds: WorldRegistry,
  name: WorldName,
  how?: 'whole',
): Promise<{ live: LiveWorld; release: (() => void) | undefined }> => {
  const { id, hash, scope = EVERYTHING } = name
  const loading = worlds.loadIn(scope, id, how)
  if (loading) await loading
  const live = worlds.enter(name)
  if (!live) throw hash === undefined ? worldNotFound('world', id) : contractError('4101')
  return { live, release: worlds.hold(live) }
}

/** Brings the world up to its time, and checks the key, its permission and its rate limit there. */
export const authenticate = (ctx: PipelineContext, live: LiveWorld, name: WorldName): void => {
  const { api, readings, route } = ctx
  // Open operations answer while the default world is busy or invalid.
  const world = name.isNone ? live.world : live.current()
  readings.setWorld(world.tables.readings)
  // The rate limit counts a request once, however often it is attempted. After a reset the key may be another one, or
  // gone.
  if (world !== ctx.world) ctx.authenticated = undefined
  // A refused request is logged in its world, too.
  ctx.live = live
  ctx.world = world
  ctx.authenticated ??= api.authenticate(ctx, route.operation, world, name)
  ctx.scope = name.scope ?? EVERYTHING
  ctx.log.identify(ctx.requestId)
  ctx.scenarios = parseScenarioHeader(ctx, api.sandbox, world)
  if (ctx.headerError !== undefined) throw ctx.headerError
}

/** The id of the world in the query: streams and downloads of a page cannot send headers. */
export const worldInQuery = (c: RequestContext): string | undefined => {
  if (!c.req.url.includes('?')) return undefined
  const [id, ...more] = c.req.queries().world ?? []
  if (id === undefined) return undefined
  if (more.length > 0) throw badRequest(formatRepeated('world', more.length + 1))
  return id
}

/** The refusal of an unknown world id. It does not repeat a key that was sent as id. */
export const worldNotFound = (field: string, id: string): Refusal =>
  new Refusal('unknown', {
    field,
    received: isWorldKey(id) ? inWords('an API key') : id,
    expected: 'the id of a world. GET /_sandbox/worlds lists them',
    hint: isWorldKey(id)
      ? 'Send the key as x-api-key'
      : `A world begins with the first use of a key of the form ${WORLD_KEY_FORM}, or with POST /_sandbox/worlds`,
  })
