import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Sandbox } from '../sandbox.js'
import type { Timeline } from '../timeline.js'
import { Runaway } from '../world/kernel/kernel.js'
import type { Tables, World } from '../world/world.js'
import { type Notice, takeNotice } from './notice.js'

/** What a page is drawn from. */
export interface View {
  readonly sandbox: Sandbox
  readonly line: Timeline
  /** Brought up to its time. */
  readonly world: World
  readonly tables: Tables
  /** Path and query of the page, where its forms lead back to. */
  readonly here: string
  readonly query: URLSearchParams
  /** Scheme, host and port by which the browser reaches the sandbox. */
  readonly origin: string
  readonly notice: Notice | undefined
  /** Names this run of the sandbox: a page that was drawn by another one is stale. */
  readonly boot: string
}

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

export const viewOf = (sandbox: Sandbox, c: Context, boot: string): View => {
  const line = sandbox.main
  const { world, notice } = upToDate(line)
  const url = new URL(c.req.url)
  return {
    sandbox,
    line,
    world,
    tables: world.tables,
    here: url.pathname + url.search,
    query: url.searchParams,
    origin: url.origin,
    notice: takeNotice(c) ?? notice,
    boot,
  }
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
