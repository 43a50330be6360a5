import { randomUUID } from 'node:crypto'
import type { CreatedWorld, Fixtures, Health } from '../../generated/api-types.js'
import { version } from '../../package.json'
import { ControlClient, type Transport } from './control-client.js'
import { assertKnown, invalid, SandboxError } from './sandbox-error.js'
import { SandboxWorld } from './world.js'

/** The full-access key of the shipped fixtures. It is public. */
const DEMO_KEY = 'SandrampFullAccessKey00000000001'

/** A test may put `world.fetch` in its place. */
const { fetch: platformFetch } = globalThis

/** A sandbox that worlds are made in, in process or over a port. */
export interface SandboxClient {
  /** Makes a new world. Names are labels: two worlds may have one name. */
  world(name?: string): Promise<SandboxWorld>
  /** The world of the demo key. */
  readonly defaultWorld: SandboxWorld
}

export interface ConnectOptions {
  /** The `--control-token` of the sandbox, or a tenant's. */
  readonly controlToken?: string | undefined
  /** The prefix of a tenant's world keys. */
  readonly keyPrefix?: string | undefined
}

export interface ClientParts {
  readonly transport: Transport
  readonly fixtures: Fixtures
  /** Ids of `build` in the default world derive from it. */
  readonly seed: string
  readonly defaultKey?: string | undefined
  readonly keyPrefix?: string | undefined
}

export const createClient = (parts: ClientParts): SandboxClient => {
  const { transport, keyPrefix } = parts
  const common = new ControlClient(transport, undefined)
  let main: SandboxWorld | undefined
  return {
    world: async (name) => {
      const created = await common.send<CreatedWorld>('POST', '/worlds', {
        clock: 'manual',
        name,
        key_prefix: keyPrefix,
      })
      const client = new ControlClient(transport, created.key)
      return new SandboxWorld({ ...created, name, fixtures: parts.fixtures, client })
    },
    get defaultWorld() {
      main ??= new SandboxWorld({
        key: parts.defaultKey ?? DEMO_KEY,
        id: 'default',
        name: undefined,
        seed: parts.seed,
        fixtures: parts.fixtures,
        client: common,
      })
      return main
    },
  }
}

/** Connects to a running sandbox. Rejects with a SandboxError. */
export const connect = async (
  url: string,
  { controlToken, keyPrefix, ...others }: ConnectOptions = {},
): Promise<SandboxClient> => {
  for (const name of Object.keys(others)) assertKnown('option', name, ['controlToken', 'keyPrefix'])
  const transport = await reachSandbox(url, controlToken)
  const fixtures = await new ControlClient(transport, undefined).get<Fixtures>('/fixtures')
  // Ids must not repeat in a world that earlier runs have used.
  return createClient({
    transport,
    fixtures,
    seed: randomUUID(),
    keyPrefix,
  })
}

/** Rejects with a SandboxError, for an older sandbox too. */
export const reachSandbox = async (
  url: string,
  controlToken: string | undefined,
): Promise<Transport> => {
  const transport = createTransport(url, controlToken)
  const client = new ControlClient(transport, undefined)
  const { version: found } = await client.get<Health>('/health').catch((error) => {
    throw error instanceof SandboxError ? error : unreachable(url)
  })
  if (isOlder(found, version)) {
    throw new SandboxError(
      'version',
      `The sandbox at ${url} has version ${found}. Expected ${version} or newer. Update it, or install the package of its version.`,
    )
  }
  return transport
}

const createTransport = (url: string, controlToken: string | undefined): Transport => {
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw invalid('url', url, 'the URL of a sandbox, such as http://127.0.0.1:4020')
  }
  const { origin } = new URL(url)
  const send: Transport['fetch'] = async (target, init) => {
    const { pathname, search } = new URL(target instanceof Request ? target.url : target, origin)
    const address = origin + pathname + search
    try {
      return await platformFetch(
        target instanceof Request ? new Request(address, target) : address,
        init,
      )
    } catch (error) {
      if (!isUnreachable(error)) throw error
      throw unreachable(origin)
    }
  }
  return {
    controlToken,
    url: async () => origin,
    fetch: send,
    fetchText: async (path, init) => {
      const response = await send(path, init)
      return { status: response.status, text: await response.text() }
    },
  }
}

const unreachable = (url: string): SandboxError => {
  const message = `Invalid url: no sandbox answers at ${url}. Start one with npx sandramp, or give another URL.`
  return new SandboxError('unreachable', message, [{ field: 'url', message }])
}

/** A rule of a scenario may cut a connection, which must stay the error of `fetch`. */
const isUnreachable = (error: unknown): boolean => {
  const { code } = Object((error as Error).cause) as { readonly code?: unknown }
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND'
}

/** Compares numbers such as 0.10.2. */
const isOlder = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) < 0
