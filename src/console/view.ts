import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { noWorld } from '../http/no-world.js'
import { invalid } from '../http/wire-error.js'
import type { Sandbox } from '../sandbox.js'
import type { Timeline } from '../timeline.js'
import { Runaway } from '../world/kernel/runaway.js'
import type { Tables, World } from '../world/world.js'
import type { OpenWorld } from '../worlds.js'
import { addressIn } from './addresses.js'
import type { Notice, Notices } from './notice.js'

/** What a page is drawn from. */
export interface View {
  readonly sandbox: Sandbox
  readonly opened: OpenWorld
  readonly line: Timeline
  /** Brought up to its time. */
  readonly world: World
  readonly tables: Tables
  /** Path and query of the page, where its forms lead back to. */
  readonly here: string
  readonly query: URLSearchParams
  /** The id of a world by key; undefined for the default world. */
  readonly worldId: string | undefined
  /** The address of another page or of an action, in the same world. */
  readonly to: (path: string) => string
  /** Scheme, host and port by which the browser reaches the sandbox. */
  readonly origin: string
  readonly notice: Notice | undefined
  /** What the last action has made, which is shown this once. */
  readonly made?: Child | undefined
  /** Names this run of the sandbox: a page that was drawn by another one is stale. */
  readonly boot: string
  /** The control face asks for a token: a command that calls it has to carry one. */
  readonly needsToken: boolean
}

/** What is the same for all pages of a run. */
type Run = Pick<View, 'boot' | 'needsToken'> & { readonly takeNotice: Notices['take'] }

/** One page: what stands in its main part, and its heading. */
export interface Page {
  readonly title: string
  readonly body: Child
  readonly status?: number
}

export type DrawPage = (
  view: View,
  params: Readonly<Record<string, string>>,
) => Page | Promise<Page>

/** What a page is drawn from: the world that its address names, or the default one. */
export const viewOf = (
  sandbox: Sandbox,
  c: Context,
  { takeNotice, ...run }: Run,
  opened = worldIn(sandbox, c),
): View => {
  const line = sandbox.worlds.use(opened)
  const { world, notice } = upToDate(line)
  const url = new URL(c.req.url)
  const worldId = opened.key && line.id
  return {
    sandbox,
    opened,
    line,
    world,
    tables: world.tables,
    here: url.pathname + url.search,
    query: url.searchParams,
    worldId,
    to: (path) => addressIn(worldId, path),
    origin: url.origin,
    notice: takeNotice(c) ?? notice,
    ...run,
  }
}

/** The id of a world that an address names and that is not there: never was, deleted, or made room for others. */
export const missingWorld = ({ worlds }: Sandbox, c: Context): string | undefined => {
  const id = c.req.query('world')
  return id === undefined || worlds.find(id) ? undefined : id
}

/** What a page is drawn from that tells what is wrong: the default world where the address names no other. */
export const viewAround = (sandbox: Sandbox, c: Context, run: Run): View => {
  const [id = '', ...more] = c.req.queries('world') ?? []
  const opened = more.length === 0 ? sandbox.worlds.find(id) : undefined
  if (opened) return viewOf(sandbox, c, run, opened)
  const view = viewOf(sandbox, c, run, sandbox.worlds.main)
  return id === '' ? view : { ...view, here: '/' }
}

/** The world that an address names by `?world=`. */
const worldIn = ({ worlds }: Sandbox, c: Context): OpenWorld => {
  const [id, ...more] = c.req.queries('world') ?? []
  if (id === undefined) return worlds.main
  if (more.length > 0) throw invalid(`world: it came ${more.length + 1} times; accepted: once`)
  const opened = worlds.find(id)
  if (!opened) throw noWorld('world', id)
  return opened
}

/** A timer that never comes to rest must not keep anybody from looking at what it did. */
const upToDate = (line: Timeline): { world: World; notice?: Notice } => {
  try {
    return { world: line.current() }
  } catch (error) {
    if (!(error instanceof Runaway)) throw error
    return { world: line.world, notice: { kind: 'error', text: error.message } }
  }
}

/** How far things have come: what a page that follows them compares. */
export const stateOf = ({ journal, requests }: Timeline): { seq: number; requests: number } => ({
  seq: journal.newest,
  requests: requests.count,
})
