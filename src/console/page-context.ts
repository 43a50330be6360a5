import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ReadingLookup } from '../assumptions/ids.js'
import { Readings } from '../assumptions/use.js'
import type { Tables } from '../domain/schema.js'
import type { World } from '../domain/world.js'
import { badRequest } from '../http/operation/api-error.js'
import { worldNotFound } from '../http/pipeline/authenticate.js'
import { TimerLoopError } from '../kernel/timers.js'
import { formatRepeated } from '../lib/app-error.js'
import type { LiveWorld } from '../runtime/live-world.js'
import type { Sandbox } from '../runtime/sandbox.js'
import { isVisible, type Scope } from '../runtime/tenants.js'
import type { WorldHandle } from '../runtime/world-registry.js'
import type { Notice } from './flash.js'

/** The world and the request of a page. */
export interface PageContext {
  readonly sandbox: Sandbox
  readonly handle: WorldHandle
  /** The worlds that the browser's session sees. */
  readonly scope: Scope
  /** False for the pages that need none where no default world exists. */
  readonly hasWorld: boolean
  readonly live: LiveWorld
  /** Due timers have fired. */
  readonly world: World
  readonly tables: Tables
  /** Path and query of the page. Its forms lead back to it. */
  readonly currentPath: string
  readonly query: URLSearchParams
  /** The id of a world by key; undefined for the default world. */
  readonly worldId: string | undefined
  /** The address of another page or of an action, in the same world. */
  readonly href: (path: string) => string
  /** Scheme, host and port by which the browser reaches the sandbox. */
  readonly origin: string
  readonly notice: Notice | undefined
  /** Shown once, after the action that created it. */
  readonly flash?: Child | undefined
  /** Id of this run of the sandbox. Pages of an earlier run are stale. */
  readonly boot: string
  /** The control API requires a token, so commands contain a placeholder for it. */
  readonly needsToken: boolean
}

export type Visit = Pick<PageContext, 'boot' | 'needsToken' | 'scope'>

/** The main part of a page. */
export interface Page {
  readonly title: string
  readonly body: Child
  readonly status?: number
}

export type DrawPage = (
  ctx: PageContext,
  params: Readonly<Record<string, string>>,
) => Page | Promise<Page>

export const pageContext = (
  sandbox: Sandbox,
  c: Context,
  visit: Visit,
  handle = worldIn(sandbox, c, visit),
): PageContext => {
  const live = sandbox.worlds.use(handle)
  const hasWorld = isVisible(visit.scope, live.tenant)
  const { world, notice } = hasWorld ? upToDate(live) : { world: live.world, notice: undefined }
  const url = new URL(c.req.url)
  const worldId = handle.key && live.id
  return {
    sandbox,
    handle,
    live: live,
    world,
    tables: world.tables,
    currentPath: url.pathname + url.search,
    query: url.searchParams,
    worldId,
    href: (path) => worldPath(worldId, path),
    origin: url.origin,
    notice,
    hasWorld,
    ...visit,
  }
}

/** A path of the console in a world. Paths in the default world have no `world` parameter. */
export const worldPath = (worldId: string | undefined, path: string): string => {
  if (worldId === undefined) return path
  const [rest = '', hash] = path.split('#')
  const inWorld = `${rest}${rest.includes('?') ? '&' : '?'}world=${worldId}`
  return hash === undefined ? inWorld : `${inWorld}#${hash}`
}

/** The readings of the world, for responses as a client receives them. */
export const readingsOf = ({ tables }: PageContext): ReadingLookup => {
  const readings = new Readings(tables.readings)
  return (id) => readings.peek(id)
}

/** The id in the address if no world has it: it is unknown, deleted or evicted. */
export const missingWorld = ({ worlds }: Sandbox, c: Context, scope: Scope): string | undefined => {
  const id = c.req.query('world')
  return id === undefined || worlds.findIn(scope, id) ? undefined : id
}

/** For error pages: the default world if the address names no existing world. */
export const fallbackContext = (sandbox: Sandbox, c: Context, visit: Visit): PageContext => {
  const [id = '', ...more] = c.req.queries('world') ?? []
  const handle = more.length === 0 ? sandbox.worlds.findIn(visit.scope, id) : undefined
  if (handle) return pageContext(sandbox, c, visit, handle)
  const ctx = pageContext(sandbox, c, visit, sandbox.worlds.main)
  return id === '' ? ctx : { ...ctx, currentPath: '/' }
}

/** Loads the world of the address, or brings it up to what is stored. */
export const loadWorld = async ({ worlds, main }: Sandbox, c: Context): Promise<void> => {
  const id = c.req.query('world') ?? main.id
  await worlds.load(id, 'whole')
  await worlds.find(id)?.live.requests.update()
}

const worldIn = ({ worlds }: Sandbox, c: Context, { scope }: Visit): WorldHandle => {
  const [id, ...more] = c.req.queries('world') ?? []
  if (id === undefined) return worlds.main
  if (more.length > 0) throw badRequest(formatRepeated('world', more.length + 1))
  const handle = worlds.findIn(scope, id)
  if (!handle) throw worldNotFound('world', id)
  return handle
}

/** After a timer loop, pages still show the world, with an error. */
const upToDate = (live: LiveWorld): { world: World; notice?: Notice } => {
  try {
    return { world: live.current() }
  } catch (error) {
    if (!(error instanceof TimerLoopError)) throw error
    return { world: live.world, notice: { kind: 'error', text: error.message } }
  }
}

/** A page updates itself when one of these numbers changes. */
export const readState = ({ journal, requests }: LiveWorld): { seq: number; requests: number } => ({
  seq: journal.newest,
  requests: requests.count,
})
