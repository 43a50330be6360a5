import { test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { documents } from '../support/openapi-documents.js'

/** Every path of the document with its methods; parameters are filled with anything at all. */
const paths = Object.entries(documents['service.json'].paths).map(
  ([template, operations]): [string, string[]] => [
    template.replace(/\{\w+\}/g, 'anything'),
    Object.keys(operations).map((method) => method.toUpperCase()),
  ],
)

const operations = paths.flatMap(([path, methods]) =>
  methods.map((method) => [method, path] as const),
)

test.each(operations)(
  '%s %s is refused for its key before its body is read',
  async (method, path) => {
    const api = await openSandbox({ bodyLimit: 16 })
    const headers = { 'content-type': 'text/plain' }
    const body = method === 'POST' ? { headers, raw: 'no JSON, and longer than the limit' } : {}
    const refused = async (key: string | null, status: number, code: string) =>
      expectRefusal(await api.call(method, `${path}?page=-1`, { key, ...body }), status, code)
    await refused(null, 403, '4030')
    await refused('x', 403, '4100')
    await refused(keys.unknown, 401, '4101')
    await refused(keys.expired, 401, '4102')
    await refused(keys.suspended, 401, '4103')
    if (method === 'POST') await refused(keys.readOnly, 403, '4300')
  },
)
