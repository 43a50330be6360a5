import { connect, createSandbox, type SandboxClient, type SandboxWorld } from '../index.js'

let client: Promise<SandboxClient> | undefined

/** The sandbox of SANDRAMP_URL; without it, one in process with a manual clock, shared by all tests of a worker. */
const openClient = (): Promise<SandboxClient> => {
  const { SANDRAMP_URL: url, SANDRAMP_CONTROL_TOKEN: controlToken } = process.env
  client ??= url ? connect(url, { controlToken }) : createSandbox({ clock: 'manual' })
  return client
}

const OPTIONAL = 'A call that no client has to make is armed with { optional: true }.'

/** The longest label of a world. */
const MAX_NAME = 200

export const openWorld = async (name: string): Promise<SandboxWorld> =>
  (await openClient()).world(name.slice(0, MAX_NAME).trim() || undefined)

/**
 * Prints a report if the test failed. Rejects if the books of the world do not add up, or no call took what the test
 * armed.
 */
export const finishWorld = async (world: SandboxWorld, hasFailed: boolean): Promise<void> => {
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

const describeWorld = async (world: SandboxWorld): Promise<string> => {
  const requests = await world.requests()
  const { SANDRAMP_URL: url } = process.env
  const lines = requests.map(({ n, method, path, operation, status, fault, response }) => {
    const call = operation ?? path
    const { code, message } = Object(response.body) as Readonly<Record<string, string>>
    const reason = message === undefined ? '' : `  ${code} ${message}`
    return `  ${n}  ${method} ${call}  ${status ?? 'no answer'}${fault ? `  (${fault})` : ''}${reason}`
  })
  return [
    `World of the test "${world.name}", at ${await world.now()}:`,
    ...(lines.length > 0 ? lines : ['  no request reached the service']),
    ...(url ? [`  ${new URL(`/?world=${world.id}`, url)}`] : []),
  ].join('\n')
}
