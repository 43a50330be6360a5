import { describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../src/contract/errors.js'
import { EXAMPLE_OPTIONS, exampleRequests } from '../../src/generate/recorded-answers.js'
import type { Client } from '../support/client.js'
import { keys, transferId } from '../support/fixture-ids.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { keeping, servedDocument } from '../support/served-document.js'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Node = Readonly<Record<string, Json>>

const isNode = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Visits every object of a document except examples. */
const walk = (value: Json, visit: (node: Node, path: string) => void, path = ''): void => {
  if (Array.isArray(value)) for (const [n, it] of value.entries()) walk(it, visit, `${path}/${n}`)
  if (!isNode(value)) return
  visit(value, path)
  for (const [name, inner] of Object.entries(value)) {
    if (name !== 'example' && name !== 'examples') walk(inner, visit, `${path}/${name}`)
  }
}

const fetchDocument = async (query = '') => fetchFrom(await openSandbox(), query)

const fetchFrom = async (
  { carry }: Pick<Client, 'carry'>,
  query = '',
  headers: Record<string, string> = {},
) => {
  return (await (await carry(`/openapi.json${query}`, { headers })).json()) as OpenApiDocument
}

interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly description: string; readonly contact: { readonly name: string } }
  readonly servers: readonly { url: string; variables: { base_url: { default: string } } }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

interface DocumentedOperation {
  readonly operationId: string
  readonly description: string
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { examples?: Examples } } }>
  >
}
type Examples = Readonly<Record<string, { readonly value: unknown }>>

const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.values(paths).flatMap((it) => Object.values(it))

const QUERIES = ['', '?version=3.0', '?of=contract', '?of=contract&version=3.0']

describe.each(QUERIES)('/openapi.json%s', (query) => {
  test('describes an operation in one sentence, and links to at most three questions', async () => {
    for (const { description, operationId } of operationsOf(await fetchDocument(query))) {
      const [sentence = '', links = '', ...more] = description.split('\n\n')
      expect(sentence, operationId).toMatch(/^[A-Z][^.]*\.$/)
      expect(links.split('](').length - 1, operationId).toBeLessThanOrEqual(3)
      expect(more, operationId).toEqual([])
    }
  })

  test('has no response that only the sandbox sends', async () => {
    const document = await fetchDocument(query)
    for (const { responses } of operationsOf(document)) expect(responses).not.toHaveProperty('501')
    expect(JSON.stringify(document)).not.toMatch(/has a bug|`5010`/)
  })

  test('has each object as a component with a title', async () => {
    const { paths, components } = await fetchDocument(query)
    walk(paths as unknown as Json, ({ properties }, path) =>
      expect(properties, path).toBeUndefined(),
    )
    for (const [name, schema] of Object.entries(components.schemas)) {
      expect(schema).toHaveProperty('title', name)
      walk(schema, ({ properties }, path) => {
        if (path !== '') expect(properties, `${name}${path}`).toBeUndefined()
      })
    }
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['PayoutRecipient', 'Address', 'IdentityDocument', 'ApiError']),
    )
  })

  test('has the requested version', async () => {
    const { openapi } = await fetchDocument(query)
    expect(openapi).toBe(query.includes('version=3.0') ? '3.0.3' : '3.1.0')
  })
})

test('/openapi.json names the address that served it as the default of its server', async () => {
  const { carry } = await openOwnSandbox({ over: 'port' })
  const document = await fetchFrom({ carry })
  const [server] = document.servers
  expect(server?.url).toBe('{base_url}')
  expect(server?.variables.base_url.default).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+$/)
  expect(Object.keys(server?.variables.base_url ?? {})).toEqual(['default'])
  expect(document.info.contact.name).toBe('Sandramp')
})

describe('an OpenAPI 3.0 document', () => {
  test.each(['', '?of=contract'])('/openapi.json%s has no keyword of 3.1 alone', async (query) => {
    const twin = await fetchDocument(`${query}${query === '' ? '?' : '&'}version=3.0`)
    let nullable = 0
    walk(twin as unknown as Json, (node, path) => {
      expect(Array.isArray(node.type), path).toBe(false)
      expect(node.type, path).not.toBe('null')
      expect(typeof node.exclusiveMinimum, path).not.toBe('number')
      if (/\/schemas\/\w+$/.test(path)) expect(node, path).not.toHaveProperty('examples')
      expect(node, path).not.toHaveProperty('const')
      if (node.nullable === true) nullable++
    })
    expect(nullable).toBeGreaterThan(5)
    const { paths, components } = await fetchDocument(query)
    expect(Object.keys(twin.paths)).toEqual(Object.keys(paths))
    expect(Object.keys(twin.components.schemas).sort()).toEqual(
      Object.keys(components.schemas).sort(),
    )
  })
})

describe('the contract document', () => {
  test('contains no assumption', async () => {
    const document = await fetchDocument('?of=contract')
    walk(document as unknown as Json, (node, path) => {
      expect(node, path).not.toHaveProperty('x-assumption')
      expect(node['x-provenance'], path).not.toBe('assumed')
    })
    expect(JSON.stringify(document)).not.toContain('x-sandbox')
    const { description } = document.info
    expect(description).toContain('`x-assumptions` lists the ids of the open questions')
  })

  test('closes an enumeration only in a request, and names the values of others', async () => {
    const { components } = await fetchDocument('?of=contract')
    const closed: string[] = []
    walk(components.schemas as unknown as Json, (node, path) => {
      if (node.enum !== undefined) closed.push(path.replace('/properties', ''))
    })
    expect(closed).toEqual(['/UserRequest/user_type'])
    expect(components.schemas.TransferTransaction).toHaveProperty('properties.status', {
      type: 'string',
      description: expect.stringMatching(/Enumerated: PENDING, .*, CANCELLED$/),
      'x-provenance': 'documented',
    })
  })

  test('requires only the request fields that the contract requires: all of a payout', async () => {
    const { components } = await fetchDocument('?of=contract')
    const required = (name: string) => (components.schemas[name] as Node).required
    expect(required('PayoutRequest')).toHaveLength(5)
    expect(required('PayoutRecipient')).toHaveLength(3)
    const others = ['UserRequest', 'AddressRequest', 'IdentityDocument', 'SupportingDocument']
    for (const name of [
      ...others,
      'ConsentRequest',
      'TncData',
      'CustodyWalletRequest',
      'OfframpRequest',
    ]) {
      expect(required(name), name).toBeUndefined()
    }
  })

  test('has the statuses of the contract’s table, and both of success where none is shown', async () => {
    const failures = ['400', '401', '403', '404', '429', '500', '502', '503']
    for (const { operationId, responses } of operationsOf(await fetchDocument('?of=contract'))) {
      const made = /^(createUser|createConsent|createCustodyWallet|initiateOfframp)$/.test(
        operationId,
      )
      expect(Object.keys(responses), operationId).toEqual([
        '200',
        ...(made ? ['201'] : []),
        ...failures,
      ])
    }
  })

  test('contains the responses of a fresh sandbox', async () => {
    const faults: string[] = []
    const { faultsOf } = await servedDocument(
      (await openSandbox(EXAMPLE_OPTIONS)).carry,
      '?of=contract',
    )
    for (const request of exampleRequests()) {
      const { carry, answers } = keeping((await openSandbox(EXAMPLE_OPTIONS)).carry)
      const { method, path, headers, body } = request
      await carry(path, { method, headers, ...(body !== undefined && { body }) })
      for (let n = 1; n <= 7; n++) {
        await carry(`/payment/api/v1/fx-audit/status/${transferId(n)}`, {
          headers: { 'x-api-key': keys.full },
        })
      }
      faults.push(...(await Promise.all(answers.map(faultsOf))).flat())
    }
    expect(faults).toEqual([])
  })
})

describe('examples of responses', async () => {
  const documented = operationsOf(await fetchDocument())

  test('exist for every operation, for success and failure', () => {
    for (const { operationId, responses } of documented) {
      const shown = Object.entries(responses).filter(
        ([, { content }]) => content['application/json'].examples,
      )
      expect(
        shown.map(([status]) => status),
        operationId,
      ).toEqual(expect.arrayContaining(['401', '403']))
      expect(
        shown.some(([status]) => status.startsWith('2')),
        operationId,
      ).toBe(true)
    }
  })
})

describe('which readings /openapi.json follows', () => {
  const statuses = (document: OpenApiDocument) =>
    JSON.stringify((document.components.schemas.Payout as { properties: Node }).properties.status)
  const choice = { reading: 'initiated' }

  test('the readings of the default world', async () => {
    const api = await openSandbox()
    expect(statuses(await fetchFrom(api))).not.toContain('PAYOUT_INITIATED')
    await api.call('PATCH', '/_sandbox/assumptions/payout.statuses', { body: choice })
    expect(statuses(await fetchFrom(api))).toContain('PAYOUT_INITIATED')
  })

  test('the readings of the world of the key, or of the world in the query', async () => {
    const api = await openSandbox()
    const key = 'SandboxWorldOpenApiReadings00001'
    await api.call('PATCH', '/_sandbox/assumptions/payout.statuses', { body: choice, key })
    const { items } = await api.read<{ items: { id: string }[] }>('/_sandbox/worlds')
    const id = items.map((it) => it.id).find((it) => it !== 'default')
    expect(statuses(await fetchFrom(api, '', { 'x-api-key': key }))).toContain('PAYOUT_INITIATED')
    expect(statuses(await fetchFrom(api, `?world=${id}`))).toContain('PAYOUT_INITIATED')
    expect(statuses(await fetchFrom(api))).not.toContain('PAYOUT_INITIATED')
    expect(await fetchFrom(api, '?of=contract', { 'x-api-key': key })).toEqual(
      await fetchFrom(api, '?of=contract'),
    )
  })

  test('a description has the chosen readings of what the contract leaves open', async () => {
    const api = await openSandbox()
    const idOf = ({ components }: OpenApiDocument) => {
      const { properties } = components.schemas.PayoutRequest as {
        properties: Record<string, Node>
      }
      return properties.customer_payout_id?.description
    }
    const own = 'Idempotent identifier of the payout in your system'
    const again = 'What happens when a customer_payout_id is used again?'
    expect(idOf(await fetchFrom(api))).toContain(
      `${own}. ${again} Assumed (\`payout.repeat=current\`): that payout as it is now. `,
    )
    await api.call('PATCH', '/_sandbox/assumptions/payout.repeat', { body: { reading: 'second' } })
    for (const version of ['3.1', '3.0']) {
      expect(idOf(await fetchFrom(api, `?version=${version}`))).toContain(
        `${own}. ${again} Assumed (\`payout.repeat=second\`): a second payout. `,
      )
      expect(idOf(await fetchFrom(api, `?of=contract&version=${version}`))).toBe(own)
    }
    const { paths } = await fetchFrom(api)
    const parameters = JSON.stringify(
      Object.entries(paths).find(([path]) => /balance\/\{/.test(path)),
    )
    expect(parameters.split('Assumed (`crypto.unknown=invalid`)')).toHaveLength(5)
  })

  test('examples that rely on a default reading are left out under another reading', async () => {
    const api = await openSandbox()
    await api.call('PATCH', '/_sandbox/assumptions/payout.status', { body: { reading: 'pending' } })
    const payout = operationsOf(await fetchFrom(api)).find(
      (it) => it.operationId === 'createPayout',
    )
    expect(payout?.responses['200']?.content['application/json'].examples).toBeUndefined()
    expect(payout?.responses['401']?.content['application/json'].examples).toBeDefined()
  })

  test.each([
    ['?of=contrakt', 400, 'Invalid of: got "contrakt". Expected service or contract.'],
    ['?version=2.0', 400, 'Invalid version: got "2.0". Expected 3.1 or 3.0.'],
    ['?world=nowhere', 404, 'world'],
  ])('%s is rejected', async (query, status, message) => {
    const { carry } = await openSandbox()
    const response = await carry(`/openapi.json${query}`, {})
    expect(response.status).toBe(status)
    expect(((await response.json()) as ErrorBody).message).toContain(message)
  })

  test('an unknown key is rejected', async () => {
    const { carry } = await openSandbox()
    const response = await carry('/openapi.json', { headers: { 'x-api-key': keys.unknown } })
    expect(response.status).toBe(401)
  })
})
