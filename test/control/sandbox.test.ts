import { beforeEach, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { Client, expectRefusal } from '../support/client.js'
import { keys, NOBODY, transferId } from '../support/fixture-ids.js'
import { createInner } from '../support/inner-sandbox.js'
import { invalid } from '../support/invalid.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { type DocumentedOperation, documents, type Json } from '../support/openapi-documents.js'
import type { List } from '../support/wire.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

describe('getHealth', () => {
  test('reports that it is up', async () => {
    api = await openOwnSandbox({ machineClock: () => 0 })
    expect(await api.read('/_sandbox/health')).toEqual({
      status: 'ok',
      version: packageJson.version,
      uptime_s: 0,
      worlds: 1,
      data: null,
    })
  })

  test('does not look at the key', async () => {
    expect((await api.get('/_sandbox/health', { key: keys.unknown })).status).toBe(200)
  })
})

const isId = ({ name, schema }: { name: string; schema: Json }) =>
  name === 'id' && (schema as { format?: string }).format === 'uuid'

/** The example of a body in the document. */
const exampleOf = ({ requestBody }: DocumentedOperation): Json | undefined => {
  const { $ref = '' } = (requestBody?.content['application/json'].schema ?? {}) as { $ref?: string }
  const { schemas } = documents['control.json'].components
  const schema = schemas[$ref.slice('#/components/schemas/'.length)] as
    | { example?: Json }
    | undefined
  return schema?.example
}

describe('paths of the control API', () => {
  const all = Object.entries(documents['control.json'].paths)
  /** A path may be one of its own and fit a template besides, as a name does. */
  const methodsOf = (path: string): string[] =>
    all
      .filter(([template]) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
      .flatMap(([, operations]) => Object.keys(operations))
      .map((method) => method.toUpperCase())
  const fill = (template: string): string =>
    template.replace('{id}', transferId(1)).replace('{name}', 'bank-rejects')
  const paths = all.map(([template]): [string, string[]] => {
    const path = fill(template)
    return [path, methodsOf(path)]
  })

  const changes = all.flatMap(([template, operations]) =>
    Object.keys(operations)
      .filter((method) => /^p/.test(method))
      .map((method) => [method.toUpperCase(), fill(template)] as const),
  )

  test.each(changes)('%s %s refuses an unknown field', async (method, path) => {
    const sizes = async () => [
      api.sandbox.entries().length,
      (await api.read<List<unknown>>('/_sandbox/worlds')).items.length,
    ]
    const before = await sizes()
    const answer = await api.call(method, path, { body: { zebra: 1 } })
    expectRefusal(answer, 400, '4000', 'nknown field', 'zebra"')
    expect(await sizes()).toEqual(before)
  })

  const withIds = all.flatMap(([template, operations]) =>
    Object.entries(template.includes('{id}') ? operations : {})
      .filter(([, { parameters = [] }]) => parameters.some(isId))
      .map(
        ([method, operation]) => [method.toUpperCase(), template, exampleOf(operation)] as const,
      ),
  )

  test.each(withIds)(
    '%s %s names an unknown id, and one that is no UUID',
    async (method, template, body) => {
      const call = (id: string) => api.call(method, template.replace('{id}', id), { body })
      expectRefusal(await call(NOBODY), 404, '4040', 'id: ', NOBODY)
      expectRefusal(await call('x'), 400, '4000', invalid('id', 'x', 'a UUID'))
    },
  )

  test.each(paths)('%s by another method is 405', async (path, methods) => {
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (methods.includes(method)) continue
      const answer = await api.call(method, path)
      expectRefusal(
        answer,
        405,
        '4050',
        `Invalid method: got ${method}. Expected ${allow} for ${path}`,
      )
      expect(answer.headers.get('allow')).toBe(allow)
    }
  })

  test.each([
    '/_sandbox',
    '/_sandbox/',
    '/_sandbox/nowhere',
    '/_sandbox/clock/',
    '/_sandbox/Clock',
  ])('%s is no path', async (path) => {
    expectRefusal(await api.get(path), 404, '4040', `Unknown path "${path}"`)
    expectRefusal(await api.post(path, {}), 404, '4040', `Unknown path "${path}"`)
  })
})

describe('a sandbox of another set-up', () => {
  test('without a seed draws and shows one, and a new one at each reset', async () => {
    const sandbox = await createInner({ clock: 'manual' })
    const api = new Client(sandbox, (path, init) => sandbox.fetch(path, init))
    const first = sandbox.seed
    const { seed } = await api.make<{ seed: string }>('/_sandbox/reset')
    expect(seed).not.toBe(first)
    expect(sandbox.seed).toBe(seed)
  })
})
