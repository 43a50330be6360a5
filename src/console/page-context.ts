import type { Context } from 'hono'
import type { ReadingLookup } from '../assumptions/ids.js'
import { Readings } from '../assumptions/use.js'
import type { Tables } from '../domain/schema.js'
import type { World } from '../domain/world.js'
import { badRequest } from '../http/operation/api-error.js'
import type { Operation } from '../http/operation/operation.js'
import { worldNotFound } from '../http/pipeline/authenticate.js'
import { TimerLoopError } from '../kernel/timers.js'
import { formatRepeated } from '../lib/app-error.js'
import type { LiveWorld } from '../runtime/live-world.js'
import type { Sandbox } from '../runtime/sandbox.js'
import { isVisible, type Scope } from '../runtime/tenants.js'
import type { WorldHandle } from '../runtime/world-registry.js'
import type { Html } from './components/html.js'

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
  readonly path: string
  readonly query: URLSearchParams
  /** The id of a world by key; undefined for the default world. */
  readonly worldId: string | undefined
  /** The address of another page or of an action, in the same world. */
  readonly href: (path: string) => string
  /** Scheme, host and port by which the browser reaches the sandbox. */
  readonly origin: string
  readonly toast: Toast | undefined
  /** The rejected form that the page shows again. */
  readonly sent: SentForm | undefined
  /** Id of this run of the sandbox. Browsers cache its files by it. */
  readonly boot: string
  /** The control API requires a token, so commands contain a placeholder for it. */
  readonly needsToken: boolean
  /** An operation of the control API. */
  readonly findOperation: (id: string) => Operation | undefined
  readonly serviceOperations: readonly Operation[]
}

/** The result of the last action. */
export interface Toast {
  readonly text: string
  /** The operation of its button, or a failure. */
  readonly kind?: 'undo' | 'redo' | 'error' | undefined
  /** The newest entry before the action: an undo of it takes back what followed as well. */
  readonly undoTo?: number | undefined
  /** A secret that no other page shows. */
  readonly secret?: string | undefined
}

export interface SentForm {
  readonly operation: string
  readonly values: Readonly<Record<string, string>>
  /** By the name of the field. */
  readonly errors: ReadonlyMap<string, string>
}

export type Visit = Pick<
  PageContext,
  'boot' | 'needsToken' | 'scope' | 'findOperation' | 'serviceOperations' | 'toast' | 'sent'
>

/** The main part of a page. */
export interface Page {
  readonly title: string
  readonly body: Html
  readonly status?: number
  /** A class of the main element. */
  readonly kind?: 'split' | 'split chosen'
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
  const { world, toast } = hasWorld ? upToDate(live) : { world: live.world, toast: undefined }
  const url = new URL(c.req.url)
  const worldId = handle.key && live.id
  return {
    sandbox,
    handle,
    live,
    world,
    tables: world.tables,
    path: url.pathname,
    query: url.searchParams,
    worldId,
    href: (path) => worldPath(worldId, path),
    origin: url.origin,
    hasWorld,
    ...visit,
    toast: visit.toast ?? toast,
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
  return pageContext(sandbox, c, visit, handle ?? sandbox.worlds.main)
}

/** Loads the world of the address, or brings it up to what is stored. */
export const loadWorld = async (
  { worlds, main }: Sandbox,
  c: Context,
  { scope }: Visit,
): Promise<void> => {
  const id = c.req.query('world') ?? main.id
  await worlds.loadIn(scope, id, 'whole')
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
const upToDate = (live: LiveWorld): { world: World; toast?: Toast } => {
  try {
    return { world: live.current() }
  } catch (error) {
    if (!(error instanceof TimerLoopError)) throw error
    return { world: live.world, toast: { kind: 'error', text: error.message } }
  }
}
