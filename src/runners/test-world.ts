import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parseReadings } from '../assumptions/parse.js'
import {
  type AssumptionId,
  connect,
  createSandbox,
  type LoggedExchange,
  type SandboxClient,
  type SandboxOptions,
  type SandboxWorld,
} from '../index.js'
import { toIso } from '../kernel/time.js'
import { flagsFor, nameOfOption, readOptions, withFlagNames } from '../kit/option-flags.js'
import { parseArguments } from '../lib/arguments.js'
import { groupBy } from '../lib/group-by.js'
import { machineClock } from '../lib/machine-clock.js'
import { plural } from '../lib/text.js'
import { sandboxOptions, sortReadings } from '../runtime/options.js'

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
  const args = parseArguments([], flagsFor(sandboxOptions), process.env)
  const given = {
    ...(readOptions(args, sandboxOptions) as SandboxOptions),
    ...sortReadings(configured),
  }
  const nameOf = (option: string) => (option in configured ? option : nameOfOption(option, args))
  const create = () => createSandbox({ ...given, clock: 'manual' })
  const sandbox = await withFlagNames(args, create, nameOf)
  // A page under test calls it over the network.
  if (given.cors) await sandbox.defaultWorld.url()
  return sandbox
}

/** Another process has its own fixtures and origins; readings and scenarios are those of a world. */
const configureWorld = async (world: SandboxWorld): Promise<void> => {
  const { readings = [], scenarios = [], ...others } = sortReadings(configured)
  for (const [id, reading] of Object.entries(parseReadings(readings)))
    await world.assume(id as AssumptionId, reading as never)
  for (const it of scenarios.toReversed()) {
    if (existsSync(it)) await world.scenarios.post(readFileSync(it, 'utf8'))
    else await world.scenarios.add(it)
  }
  const [ignored] = Object.keys(others)
  if (ignored)
    console.error(`${ignored} of configure is ignored: SANDRAMP_URL has its own sandbox.`)
}

const OPTIONAL = 'A call that no client has to make is armed with { optional: true }.'

/** The longest label of a world. */
const MAX_NAME = 200

/** By the machine's time. */
const begunAt = new WeakMap<SandboxWorld, string>()

export const openWorld = async (name: string): Promise<SandboxWorld> => {
  const client = await openClient()
  const start = toIso(machineClock())
  const world = await client.world(name.slice(0, MAX_NAME).trim() || undefined)
  begunAt.set(world, start)
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
  const start = begunAt.get(world) ?? ''
  return refused.filter((it) => isTurnedAway(it) && it.started_at >= start)
}

const describeReason = (body: unknown): string => {
  const { code, message } = Object(body) as Readonly<Record<string, string>>
  return message === undefined ? '' : `${code} ${message}`
}

/** `1 request was refused: 403 4100 Invalid API key format` */
const describeRefusals = (requests: readonly LoggedExchange[]): string[] => {
  const reasonOf = ({ status, response }: LoggedExchange) =>
    `${status} ${describeReason(response.body)}`
  return [...groupBy(requests, reasonOf)].map(
    ([reason, { length }]) =>
      `  ${plural(length, 'request')} ${length === 1 ? 'was' : 'were'} refused: ${reason}`,
  )
}

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
    `World of the test "${world.name}", at ${await world.now()}:`,
    ...(lines.length > 0 ? lines : ['  no request reached the service']),
    ...(url ? [`  ${new URL(`/?world=${world.id}`, url)}`] : []),
  ].join('\n')
}
