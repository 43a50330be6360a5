import type { WorldName } from '../runtime/world-registry.js'
import { contractError } from './api-error.js'
import { worldNotFound } from './named-world.js'
import type { PipelineContext } from './pipeline-context.js'
import { parseScenarioHeader } from './sandbox-headers.js'

/**
 * Enters the world of a request, brings it up to its time and checks the key there. The world stays in memory
 * until the response goes out.
 */
export const authenticate = async (ctx: PipelineContext, name: WorldName): Promise<void> => {
  if (ctx.route.operation?.isOpen) ctx.authenticated = NOBODY
  else await enterWorld(ctx, name)
  ctx.log.identify(ctx.requestId)
  ctx.scenarios = parseScenarioHeader(ctx, ctx.api.sandbox, ctx.world)
  if (ctx.headerError !== undefined) throw ctx.headerError
}

const NOBODY = { key: undefined }

const enterWorld = async (ctx: PipelineContext, name: WorldName): Promise<void> => {
  const { api, route, readings } = ctx
  const { worlds } = api.sandbox
  const handle = worlds.enter(name)
  if (!handle) {
    throw name.hash === undefined ? worldNotFound('world', name.id) : contractError('4101')
  }
  const { live } = handle
  const release = worlds.hold(handle)
  try {
    while (live.busy) await live.busy
    const world = live.current()
    readings.setWorld(world.tables.readings)
    // The rate limit counts a request once, however often it is attempted.
    ctx.authenticated ??= api.authenticate(ctx, route.operation, readings, world, name)
    ctx.live = live
    ctx.world = world
    ctx.release?.()
    ctx.release = release
  } catch (error) {
    release?.()
    throw error
  }
}
