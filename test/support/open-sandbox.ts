import { onTestFinished } from 'vitest'
import { openSandbox as openApp } from '../../src/app.js'
import type { SandboxOptions } from '../../src/runtime/options.js'
import type { Sandbox as Core } from '../../src/runtime/sandbox.js'
import { type Carry, Client } from './client.js'
import { createInner, type InnerSandbox } from './inner-sandbox.js'
import { nodeFetch } from './node-fetch.js'

/**
 * The two ways to a sandbox: both must answer alike. A test of the HTTP server and the recorded requests of
 * the service go both ways; other tests go one.
 */
export const transports = ['fetch', 'port'] as const
/** `http` is a port too, by a client that lets a test write the Host header. */
export type Transport = (typeof transports)[number] | 'http'

export type OpenOptions = SandboxOptions & {
  readonly over?: Transport
}

/** Clients that a later test may have, once they are reset; they end with the process. */
const kept = new Map<string, Client>()

/** A clock, timers or a log of the test’s own are no plain value, so that only an own sandbox takes one. */
type PlainOptions = Omit<OpenOptions, 'machineClock' | 'later' | 'sleep' | 'log'>

/**
 * A sandbox as at boot: paused clock, fixed seed, no log. A sandbox of the same options is reset and
 * reused; tests of reset itself create their own.
 */
export const openSandbox = async (options: PlainOptions = {}): Promise<Client> => {
  const key = JSON.stringify(options)
  const known = kept.get(key)
  if (known) {
    // A reset keeps the requests before it.
    await known.sandbox.fetch('/_sandbox/requests', { method: 'DELETE' })
    known.sandbox.reset()
    return known
  }
  const client = await makeSandbox(options)
  kept.set(key, client)
  return client
}

/** A sandbox that no other test ever has; closes when the test is over. */
export const openOwnSandbox = async (options: OpenOptions = {}): Promise<Client> => {
  const client = await makeSandbox(options)
  onTestFinished(() => client.sandbox.close())
  return client
}

/** The same with its core, whose worlds take records that no API accepts. */
export const openCore = async (): Promise<Client<Core>> => {
  const { core, fetch, close } = await openApp({ clock: 'manual', seed: 'tests' })
  onTestFinished(close)
  return new Client(core, fetch)
}

const makeSandbox = async ({ over = 'fetch', ...options }: OpenOptions): Promise<Client> => {
  const sandbox = await createInner({ clock: 'manual', seed: 'tests', ...options })
  return new Client(sandbox, await carrierOf(sandbox, over))
}

const carrierOf = async (sandbox: InnerSandbox, over: Transport): Promise<Carry> => {
  if (over === 'fetch') return (path, init) => sandbox.fetch(path, init)
  const { url } = await sandbox.listen({ port: 0 })
  if (over === 'http') return (path, init) => nodeFetch(new URL(path, url), init)
  return overConnections(url)
}

/** So long a connection may rest before either side may close it, in milliseconds. */
const RESTED = 3_000

/** Both sides are in this process: after a long rest one may close a connection just as the other uses it. */
const overConnections = (url: string): Carry => {
  let usedAt = performance.now()
  return async (path, init) => {
    const isRested = performance.now() - usedAt > RESTED
    try {
      return await fetch(new URL(path, url), init)
    } catch (error) {
      if (!isRested) throw error
      return await fetch(new URL(path, url), init)
    } finally {
      usedAt = performance.now()
    }
  }
}
