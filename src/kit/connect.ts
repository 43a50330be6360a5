import { randomUUID } from 'node:crypto'
import type { CreatedWorld, Fixtures, Health } from '../../generated/api-types.js'
import { DEFAULT_WORLD, DEMO_KEY } from '../lib/secrets.js'
import { version } from '../runtime/options.js'
import { assertNoOthers, ControlClient, SandboxError, type Transport } from './control-client.js'
import { SandboxWorld } from './world.js'

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
  readonly defaultKey: string
  readonly keyPrefix?: string | undefined
}

export const createClient = (parts: ClientParts): SandboxClient => {
  const { transport, keyPrefix } = parts
  const common = new ControlClient(transport, undefined)
  let main: SandboxWorld | undefined
  return {
    world: async (name) => {
      const { key, id, seed, tenant } = await common.send<CreatedWorld>('POST', '/worlds', {
        clock: 'manual',
        ...(name !== undefined && { name }),
        ...(keyPrefix !== undefined && { key_prefix: keyPrefix }),
      })
      const client = new ControlClient(transport, key)
      const made = { key, id, name, seed, tenant, client }
      return new SandboxWorld({ ...made, fixtures: parts.fixtures })
    },
    get defaultWorld() {
      main ??= new SandboxWorld({
        key: parts.defaultKey,
        id: DEFAULT_WORLD,
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
  assertNoOthers(others, ['controlToken', 'keyPrefix'])
  const transport = await reachSandbox(url, controlToken)
  const fixtures = await new ControlClient(transport, undefined).get<Fixtures>('/fixtures')
  // Ids must not repeat in a world that earlier runs have used.
  return createClient({
    transport,
    fixtures,
    seed: randomUUID(),
    defaultKey: DEMO_KEY,
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
    throw new SandboxError('version', {
      problem: `The sandbox at ${url} has version ${found}`,
      expected: `${version} or newer`,
      hint: 'Update it, or install the package of its version',
    })
  }
  return transport
}

const createTransport = (url: string, controlToken: string | undefined): Transport => {
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new SandboxError('invalid', {
      field: 'url',
      received: url,
      expected: 'the URL of a sandbox, such as http://127.0.0.1:4020',
    })
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

const unreachable = (url: string): SandboxError =>
  new SandboxError('unreachable', {
    field: 'url',
    problem: `no sandbox answers at ${url}`,
    hint: 'Start one with npx sandramp, or give another URL',
  })

/** A rule of a scenario may cut a connection, which must stay the error of `fetch`. */
const isUnreachable = (error: unknown): boolean => {
  const { code } = Object((error as Error).cause) as { readonly code?: unknown }
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND'
}

/** Compares numbers such as 0.10.2. */
const isOlder = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) < 0
