import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import {
  type AssumptionId,
  connect,
  createSandbox,
  type LoggedExchange,
  type SandboxClient,
  type SandboxOptions,
  type SandboxWorld,
} from '../index.js'

let client: Promise<SandboxClient> | undefined

/** Options of the sandbox of the tests. Variables such as SANDRAMP_SCENARIOS apply, too. */
export type KitOptions = Omit<SandboxOptions, 'clock'>

let configured: KitOptions = {}

/** Sets options of the sandbox in process. At SANDRAMP_URL, `readings` and `scenarios` apply to each world. */
export const configure = (options: KitOptions): void => {
  if (isDeepStrictEqual(options, configured)) return
  configured = options
  client = undefined
}

/** The sandbox of SANDRAMP_URL; without it, one in process, shared by all tests of a worker. */
const openClient = (): Promise<SandboxClient> => {
  const { SANDRAMP_URL: url, SANDRAMP_CONTROL_TOKEN: controlToken } = process.env
  client ??= url ? connect(url, { controlToken }) : openInProcess()
  return client
}

const openInProcess = async (): Promise<SandboxClient> => {
  const sandbox = await createSandbox({ ...configured, clock: 'manual' }, process.env)
  // A page under test calls it over the network.
  if (configured.cors ?? process.env.SANDRAMP_CORS) await sandbox.defaultWorld.url()
  return sandbox
}

const isFile = (reading: string): boolean => /\.(ya?ml|json)$/i.test(reading)

/** Another process has its own fixtures and origins; readings and scenarios are those of a world. */
const configureWorld = async (world: SandboxWorld): Promise<void> => {
  const { readings = [], readingsFile = [], scenarios = [], ...others } = configured
  const answers = [...readings, readingsFile].flat()
  for (const it of answers.filter((it) => !isFile(it))) {
    const [id, reading] = it.split('=').map((part) => part.trim())
    await world.assume(id as AssumptionId, reading as never)
  }
  for (const it of scenarios.toReversed()) {
    if (existsSync(it)) await world.scenarios.post(readFileSync(it, 'utf8'))
    else await world.scenarios.add(it)
  }
  const [ignored] = [...(answers.some(isFile) ? ['readingsFile'] : []), ...Object.keys(others)]
  if (ignored)
    console.error(`${ignored} of configure is ignored: SANDRAMP_URL has its own sandbox.`)
}

const OPTIONAL = 'A call that no client has to make is armed with { optional: true }.'

/** The longest label of a world. */
const MAX_NAME = 200

export const openWorld = async (name: string): Promise<SandboxWorld> => {
  const client = await openClient()
  const world = await client.world(name.slice(0, MAX_NAME).trim() || undefined)
  if (process.env.SANDRAMP_URL) await configureWorld(world)
  return world
}

/**
 * Prints a report if the test failed. Rejects if the books of the world do not add up, or no call took what the test
 * armed.
 */
export const finishWorld = async (world: SandboxWorld, hasFailed: boolean): Promise<void> => {
  const { SANDRAMP_CLAIMS: claims } = process.env
  // A sweep judges each test by itself.
  if (claims) appendFileSync(claims, `${hasFailed ? 'failed' : 'passed'} ${world.id}\n`)
  const { ok, violations } = await world.audit()
  const unused = hasFailed ? [] : await world.unusedCalls()
  if (hasFailed || !ok || unused.length > 0) console.error(await describeWorld(world))
  if (unused.length > 0) throw new Error(`${unused.join('\n')}\n${OPTIONAL}`)
  if (!ok) throw new Error(`The ledger audit found violations:\n${violations.join('\n')}`)
}

/** Runs a test in a world of its own. */
export const runInWorld = async <T>(
  name: string,
  run: (world: SandboxWorld) => T | Promise<T>,
): Promise<T> => {
  const world = await openWorld(name)
  let result: T
  try {
    result = await run(world)
  } catch (error) {
    await finishWorld(world, true)
    throw error
  }
  await finishWorld(world, false)
  return result
}

/** Whether the key or the path of a request was wrong. */
const isTurnedAway = ({ status, operation, fault }: LoggedExchange): boolean =>
  fault === null && (status === 401 || status === 403 || (status === 404 && operation === null))

/** Refused requests of the default world since the test began: they name no world. */
const findStrayRequests = async (world: SandboxWorld): Promise<readonly LoggedExchange[]> => {
  const { defaultWorld } = await openClient()
  // A tenant does not see the default world.
  const refused = await defaultWorld.requests({ status: '4xx' }).catch(() => [])
  return refused.filter((it) => isTurnedAway(it) && it.started_at >= world.createdAt)
}

const describeReason = (body: unknown): string => {
  const { code, message } = Object(body) as Readonly<Record<string, string>>
  return message === undefined ? '' : `${code} ${message}`
}

/** `1 request was refused: 403 4100 Invalid API key format` */
const describeRefusals = (requests: readonly LoggedExchange[]): string[] => {
  const counts = new Map<string, number>()
  for (const { status, response } of requests) {
    const reason = `${status} ${describeReason(response.body)}`
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(
    ([reason, count]) =>
      `  ${count} ${count === 1 ? 'request was' : 'requests were'} refused: ${reason}`,
  )
}

const nameWorld = ({ name, key }: SandboxWorld): string =>
  name === undefined ? `…${key.slice(-4)}` : `"${name}"`

const describeWorld = async (world: SandboxWorld): Promise<string> => {
  const own = await world.requests()
  const { SANDRAMP_URL: url } = process.env
  const requests = own.length > 0 ? own : await findStrayRequests(world)
  const lines = requests.every(isTurnedAway)
    ? describeRefusals(requests)
    : requests.map(({ n, method, path, operation, status, fault, response }) => {
        const reason = describeReason(response.body)
        return `  ${n}  ${method} ${operation ?? path}  ${status ?? 'no answer'}${fault ? `  (${fault})` : ''}${reason && '  '}${reason}`
      })
  return [
    `World of the test ${nameWorld(world)}, at ${await world.now()}:`,
    ...(lines.length > 0 ? lines : ['  no request reached the service']),
    ...[...new Set((await world.activity()).map((it) => it.paid_twice?.sentence))]
      .filter((it) => it !== undefined)
      .map((it) => `  ${it}`),
    ...(url ? [`  ${new URL(`/?world=${world.id}`, url)}`] : []),
  ].join('\n')
}
