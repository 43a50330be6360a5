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
import type { WorldHandle } from '../runtime/world-registry.js'
import type { Notice } from './flash.js'

/** The world and the request of a page. */
export interface PageContext {
  readonly sandbox: Sandbox
  readonly handle: WorldHandle
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

type Run = Pick<PageContext, 'boot' | 'needsToken'>

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
  run: Run,
  handle = worldIn(sandbox, c),
): PageContext => {
  const live = sandbox.worlds.use(handle)
  const { world, notice } = upToDate(live)
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
    ...run,
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
export const missingWorld = ({ worlds }: Sandbox, c: Context): string | undefined => {
  const id = c.req.query('world')
  return id === undefined || worlds.find(id) ? undefined : id
}

/** For error pages: the default world if the address names no existing world. */
export const fallbackContext = (sandbox: Sandbox, c: Context, run: Run): PageContext => {
  const [id = '', ...more] = c.req.queries('world') ?? []
  const handle = more.length === 0 ? sandbox.worlds.find(id) : undefined
  if (handle) return pageContext(sandbox, c, run, handle)
  const ctx = pageContext(sandbox, c, run, sandbox.worlds.main)
  return id === '' ? ctx : { ...ctx, currentPath: '/' }
}

/** Loads the world of the address, or brings it up to what is stored. */
export const loadWorld = ({ worlds, main }: Sandbox, c: Context): Promise<void> | undefined =>
  worlds.load(c.req.query('world') ?? main.id, 'whole')

const worldIn = ({ worlds }: Sandbox, c: Context): WorldHandle => {
  const [id, ...more] = c.req.queries('world') ?? []
  if (id === undefined) return worlds.main
  if (more.length > 0) throw badRequest(formatRepeated('world', more.length + 1))
  const handle = worlds.find(id)
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
