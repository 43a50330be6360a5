import type { LiveWorld } from '../../runtime/live-world.js'
import type { WorldName } from '../../runtime/world-registry.js'
import { contractError } from '../operation/api-error.js'
import { worldNotFound } from './named-world.js'
import type { PipelineContext } from './pipeline-context.js'
import { parseScenarioHeader } from './sandbox-headers.js'

/** Opens the world of a request, and keeps it in memory until the response goes out. */
export const openWorld = (ctx: PipelineContext, name: WorldName): LiveWorld => {
  const { main, worlds } = ctx.api.sandbox
  // A health check does not count as a use of the world.
  if (ctx.route.operation?.isOpen) return main
  const handle = worlds.enter(name)
  if (!handle) {
    throw name.hash === undefined ? worldNotFound('world', name.id) : contractError('4101')
  }
  ctx.release = worlds.hold(handle)
  return handle.live
}

/** Waits for work in slices, such as a long advance of the clock. */
export const waitUntilIdle = async (live: LiveWorld): Promise<void> => {
  while (live.busy) await live.busy
}

/** Brings the world up to its time, and checks the key, its permission and its rate limit there. */
export const authenticate = (ctx: PipelineContext, live: LiveWorld, name: WorldName): void => {
  const { api, readings, route } = ctx
  // Open operations answer while the default world is busy or invalid.
  const world = route.operation?.isOpen ? live.world : live.current()
  readings.setWorld(world.tables.readings)
  // The rate limit counts a request once, however often it is attempted.
  ctx.authenticated ??= api.authenticate(ctx, route.operation, readings, world, name)
  ctx.live = live
  ctx.world = world
  ctx.log.identify(ctx.requestId)
  ctx.scenarios = parseScenarioHeader(ctx, api.sandbox, world)
  if (ctx.headerError !== undefined) throw ctx.headerError
}
