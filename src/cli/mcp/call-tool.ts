import { ControlClient, type Transport } from '../../kit/control-client.js'
import { SandboxError } from '../../kit/sandbox-error.js'
import { UsageError } from '../../lib/arguments.js'
import { DEFAULT_WORLD, DEMO_KEY, isWorldKey } from '../../lib/secrets.js'
import { readDocument } from './document.js'
import { parseWorld, type Schema, type Tool, text } from './tool.js'

const TIMEOUT_MS = 20_000
const WORLD = 'the key of createWorld, or default'

/** Returns the key of a world that exists: a misspelt one would open another world. */
const findKey = async (transport: Transport, world: unknown): Promise<string> => {
  if (world === DEFAULT_WORLD) return DEMO_KEY
  const key = String(world)
  if (!isWorldKey(key)) throw new UsageError({ field: 'world', received: world, expected: WORLD })
  await new ControlClient(transport, undefined, parseWorld(key)).get('/clock')
  return key
}

/** Sends requests to the service, as the program under test does. */
export const createCallTool = (transport: Transport): Tool => {
  const { operations, resolve } = readDocument('service.json')
  /** Examples name records of the fixtures, so that they work in a new world. */
  const exampleOf = (schema: Schema): unknown => {
    const { example, properties, required = [] } = resolve(schema)
    if (example !== undefined || !properties) return example
    return Object.fromEntries(required.map((it) => [it, exampleOf(properties[it] ?? {})]))
  }
  const lines = operations.map(({ operationId, method, path, body }) => {
    const example = body.properties ? ` ${JSON.stringify(exampleOf(body))}` : ''
    return `${operationId}: ${method} ${path}${example}`
  })
  const roots = [...new Set(operations.map(({ path }) => `/${path.split('/')[1]}/`))]
  const form = `a path that begins with ${roots.join(' or ')}`
  const properties = {
    world: text(WORLD),
    method: { ...text('GET or POST'), enum: ['GET', 'POST'] },
    path: text(form),
    body: { description: 'the body as JSON' },
  }
  return {
    name: 'call',
    title: 'Call the service',
    description: `Sends one request to the service, as the program under test does, and returns status and body. Without a
response the request may still have worked. Operations, with bodies of their required fields:\n${lines.join('\n')}`,
    inputSchema: { type: 'object', properties, required: ['world', 'method', 'path'] },
    run: async ({ world, method, path, body }) => {
      const headers = {
        'x-api-key': await findKey(transport, world),
        'content-type': 'application/json',
      }
      const { pathname, search } = new URL(String(path), 'http://localhost')
      if (!roots.some((it) => pathname.startsWith(it)))
        throw new UsageError({ field: 'path', received: path, expected: form })
      const init = { method: String(method), headers, signal: AbortSignal.timeout(TIMEOUT_MS) }
      const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
      try {
        const response = await transport.fetchText(pathname + search, sent)
        return `${response.status}\n${response.text}`
      } catch (error) {
        if (error instanceof SandboxError) throw error
        return `No response: ${(error as Error).message}`
      }
    },
  }
}
