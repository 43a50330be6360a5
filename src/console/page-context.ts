import type { Context } from 'hono'
import type { Notice } from '../activity/control-sentences.js'
import { Readings } from '../assumptions/use.js'
import type { Tables } from '../domain/schema.js'
import type { World } from '../domain/world.js'
import type { Operation } from '../http/operation/operation.js'
import { worldNotFound } from '../http/pipeline/enter-world.js'
import { TimerLoopError } from '../kernel/timer-records.js'
import type { Sandbox } from '../runtime/sandbox.js'
import type { LiveWorld } from '../worlds/live-world.js'
import { isVisible, type Scope } from '../worlds/tenants.js'
import type { Html } from './components/html.js'

export interface Visit {
  readonly scope: Scope
  readonly toast: Toast | undefined
  readonly sent: SentForm | undefined
  readonly theme: Theme
  /** The request beside the list before this refresh. */
  readonly opened: string | undefined
  readonly boot: string
  readonly findOperation: (id: string) => Operation | undefined
  readonly serviceOperations: readonly Operation[]
}

export interface PageContext extends Visit {
  readonly sandbox: Sandbox
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
  /** The address of another page, in the same world. */
  readonly href: (path: string) => string
  readonly origin: string
}

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export interface Toast extends Omit<Notice, 'to'> {
  /** The state of the history after the action: its button goes with it. */
  readonly turn?: string | undefined
}

/** The newest change from outside: others have another one. Planned steps that become due change nothing of it. */
export const readTurn = ({ history: { newest, redo } }: LiveWorld): string =>
  `${newest?.n ?? 0}-${redo?.undo.seq ?? 0}`

export interface SentForm {
  readonly operation: string
  readonly values: Readonly<Record<string, string>>
  readonly errors: ReadonlyMap<string, string>
}

export interface Page {
  readonly title: string
  readonly body: Html
  readonly status?: number
  readonly kind?: 'split' | 'split chosen'
}

export type DrawPage = (
  ctx: PageContext,
  params: Readonly<Record<string, string>>,
) => Page | Promise<Page>

/** The world that the address names; undefined if it is unknown, deleted or evicted. */
export const findWorld = ({ worlds }: Sandbox, c: Context, scope: Scope) => {
  const id = c.req.query('world')
  return id === undefined ? worlds.main : worlds.findIn(scope, id)
}

export const pageContext = (
  sandbox: Sandbox,
  c: Context,
  visit: Visit,
  found = findWorld(sandbox, c, visit.scope),
): PageContext => {
  if (!found) throw worldNotFound('world', c.req.query('world') ?? '')
  const live = sandbox.worlds.use(found)
  const hasWorld = isVisible(visit.scope, live.tenant)
  const { world, toast } = hasWorld ? upToDate(live) : { world: live.world, toast: undefined }
  const { pathname: path, searchParams: query, origin } = new URL(c.req.url)
  const worldId = live.key && live.id
  const href = (path: string) => worldPath(worldId, path)
  return {
    ...{ sandbox, live, world, tables: world.tables, hasWorld },
    ...{ path, query, origin, worldId, href },
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

export const readingsOf = ({ tables }: PageContext): Readings => new Readings(tables.readings)

/** The worlds of some ids; undefined for one that is unknown, deleted or evicted. */
export const loadWorlds = (
  { sandbox: { worlds }, scope }: PageContext,
  ids: readonly string[],
): Promise<(LiveWorld | undefined)[]> => Promise.all(ids.map((id) => worlds.findStored(scope, id)))

/** Loads the world of the address, or brings it up to what is stored. */
export const loadWorld = async ({ worlds, main }: Sandbox, c: Context, scope: Scope) => {
  const id = c.req.query('world') ?? main.id
  await worlds.loadIn(scope, id, 'whole')
  await worlds.find(id)?.requests.update()
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
