import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.js'
import { resolveDependencies } from '../../src/runtime/build-sandbox.js'
import { Sandbox } from '../../src/runtime/sandbox.js'
import { expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { PDF_BASE64, PNG_BASE64, userRequest } from '../support/requests.js'
import type { User } from '../support/wire.js'
import { withField } from '../support/with-field.js'

const path = '/onboarding/api/v1/users'

/** Texts behind `base64,` that are not base64 with padding, though each begins like it. */
const NOT_BASE64 = [
  'A',
  'AA',
  'AAA',
  'A===',
  'AAAAA',
  'AAAA====',
  'AA==AAAA',
  'AAAA\n',
  'AA AA',
  'AAAA    ',
  'A-_A',
  'AAAÄ',
  'AA%3D%3D',
  'AAA\ud800',
  'AAAA,AAA',
  `${PNG_BASE64.slice(0, 40)}\r\n${PNG_BASE64.slice(40)}`,
]

const digestOf = (media_type: string, base64: string) => {
  const bytes = Buffer.from(base64, 'base64')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { media_type, bytes: bytes.length, sha256 }
}

describe('images of createUser', () => {
  test.each([
    'identity.identity_document_front',
    'identity.identity_document_back',
    'documents.0.document_front',
    'documents.0.document_back',
  ])('%s that is no base64 is refused', async (name) => {
    const api = await openSandbox()
    const before = api.sandbox.tables.users.size
    for (const text of NOT_BASE64) {
      const body = withField(userRequest(), name, `data:image/png;base64,${text}`)
      const words = `Invalid ${name}: got other text than base64 after "base64,". Expected RFC 4648 with padding`
      expectRefusal(await api.post(path, body), 400, '4000', words)
    }
    expect(api.sandbox.tables.users.size).toEqual(before)
  })

  test('of an image its kind, size and hash are kept', async () => {
    const api = await openSandbox()
    const { id } = await api.make<User>(path, userRequest())
    const images = api.sandbox.tables.users.get(id)?.documents.map(({ image }) => image)
    const png = digestOf('image/png', PNG_BASE64)
    expect(images).toEqual([png, png, digestOf('application/pdf', PDF_BASE64), png])
  })

  test('an image of ten million bytes is taken, and no copy of it is kept', async () => {
    const api = await openSandbox()
    const zebra = Buffer.alloc(10_000_001, 'zebra').toString('base64')
    const uri = `data:image/jpeg;base64,${zebra}`
    const body = withField(userRequest(), 'identity.identity_document_front', uri)
    const { id } = await api.make<User>(path, body)
    const [front] = api.sandbox.tables.users.get(id)?.documents ?? []
    expect(front?.image).toEqual(digestOf('image/jpeg', zebra))
    const kept = Object.values(api.sandbox.tables).map((table) => 'all' in table && table.all())
    expect(JSON.stringify(kept).length).toBeLessThan(1_000_000)
  })
})

test('no image is in any record or entry', async () => {
  const sandbox = await Sandbox.start(await resolveDependencies({ clock: 'manual', seed: 'tests' }))
  const bugs: unknown[] = []
  const app = createApp(sandbox, {
    controlToken: undefined,
    bodyLimit: 1_000_000,
    log: undefined,
    report: (bug) => bugs.push(bug),
  })
  const headers = { 'content-type': 'application/json', 'x-api-key': keys.full }
  const post = async (body: unknown) =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      }),
    )
  expect((await post({ ...userRequest(), sharing_consent: false })).status).toBe(400)
  expect((await post(userRequest())).status).toBe(201)
  const entries = sandbox.main.journal.all()
  expect(entries.filter(({ command }) => command === 'user.create')).toHaveLength(2)
  const { tables } = sandbox.main.world
  const kept = Object.values(tables).map((table) => 'all' in table && table.all())
  const everything = JSON.stringify([kept, entries])
  expect(everything).toContain('zoe.nwosu@example.com')
  for (const base64 of [PNG_BASE64, PDF_BASE64]) {
    expect(everything).not.toContain(base64.slice(0, 16))
  }
  expect(bugs).toEqual([])
})
