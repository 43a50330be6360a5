import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { users } from '../support/fixture-ids.js'
import { invalid, inWords, unknown } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { findPath } from '../support/openapi-documents.js'
import type { Pagination } from '../support/wire.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

// Values of page and size of any length, in each list that has pages.

const LIST_USERS = '/onboarding/api/v1/users/all'
const PAGED = 'users.list=paged'

const LISTS: readonly (readonly [string, string])[] = [
  [`/payment/api/v1/offramp-audit/${users.ada}`, ''],
  [`/payment/api/v1/fx-audit/${users.ada}`, ''],
  [LIST_USERS, PAGED],
]

const LONG = '9'.repeat(400)
const SIZE = 'a whole number from 1 to 100'
const PAGE = 'a whole number from 0 to 9007199254740991'

describe.each(LISTS)('%s', (path, under) => {
  const ask = (query: string, reading = '') => {
    const headers = { 'x-sandbox-reading': [under, reading].filter(Boolean).join(', ') }
    const given = headers['x-sandbox-reading'] ? { headers } : {}
    return api.get<{ pagination: Pagination }>(`${path}?${query}`, given)
  }
  const reported = ({ headers }: { headers: Headers }) => headers.get('x-sandbox-assumed') ?? ''

  test.each([
    ['999999999999999', 100],
    ['1000000000000000', 100],
    ['9007199254740993', 100],
    ['000000000000000000000007', 7],
    ['0', 1],
    ['-1000000000000000', 1],
  ])('size %s is the nearest within the limits', async (size, nearest) => {
    const answer = await ask(`size=${size}`, 'audit.size=clamped')
    expect(answer.status).toBe(200)
    expect(answer.body.pagination.size).toBe(nearest)
    if (nearest !== 7) expect(reported(answer)).toContain('audit.size=clamped')
  })

  test.each([
    ['1000000000000000', '1000000000000000'],
    ['9007199254740993', '"9007199254740993"'],
  ])('size %s is refused by default', async (size, came) => {
    const answer = await ask(`size=${size}`)
    expectRefusal(answer, 400, '4000', invalid('size', inWords(came), SIZE))
    expect(reported(answer)).toContain('audit.size=refused')
  })

  test.each(['1000000000000000', '9007199254740991'])('page %s is past the end', async (page) => {
    const answer = await ask(`page=${page}`)
    expect(answer.status).toBe(200)
    expect(String(answer.body.pagination.page)).toBe(page)
    expect(reported(answer)).toContain('audit.pages=empty')
    const words = invalid('page', inWords(page), '0 to ')
    expectRefusal(await ask(`page=${page}`, 'audit.pages=not_found'), 404, '4040', words)
  })

  test.each(['9007199254740992', '99999999999999999999'])(
    'page %s, which no answer could repeat, is refused however pages are read',
    async (page) => {
      const words = invalid('page', page, PAGE)
      const readings = ['audit.size=clamped', 'audit.pages=not_found']
      for (const reading of ['', ...readings, readings.join(', ')]) {
        const answer = await ask(`page=${page}&size=5`, reading)
        expectRefusal(answer, 400, '4000', words)
        expectRefusal(await ask(`page=${page}&size=x`, reading), 400, '4000', words)
      }
    },
  )

  test('a malformed value is refused, or replaced by the default', async () => {
    const query = `page=-${LONG}&size=1.5`
    const refused = await ask(query)
    expectRefusal(refused, 400, '4000', 'Invalid page: got "-999', ' | Invalid size: got 1.5')
    expect(reported(refused)).toContain('audit.size=refused')
    const answer = await ask(query, 'audit.size=clamped')
    expect(answer.body.pagination).toMatchObject({ page: 0, size: 5 })
  })

  test('a repeated parameter is refused', async () => {
    const refused = await ask('size=1&size=2')
    expectRefusal(refused, 400, '4000', 'size was sent 2 times. Expected once')
  })

  test('page and size are known parameters', async () => {
    const answer = await ask('page=1&size=2', 'wire.strictness=closed')
    expect(answer.body.pagination).toMatchObject({ page: 1, size: 2 })
    expect(reported(answer)).not.toContain('wire.strictness=')
    const refused = await ask('page=1&colour=red', 'wire.strictness=closed')
    const words = unknown('query parameter', 'colour', 'page, size')
    expectRefusal(refused, 400, '4000', words)
  })
})

describe('the list of users', () => {
  const reported = ({ headers }: { headers: Headers }) => headers.get('x-sandbox-assumed') ?? ''

  test('has no parameters by default, and no assumption about pages', async () => {
    const all = await api.get<unknown[]>(LIST_USERS)
    const answer = await api.get<unknown[]>(`${LIST_USERS}?page=x&size=0&size=1`)
    expect(answer.body).toEqual(all.body)
    expect(reported(answer)).toContain('wire.strictness=strict')
    expect(reported(answer)).not.toMatch(/audit\./)
    const headers = { 'x-sandbox-reading': 'wire.strictness=closed' }
    const refused = await api.get(`${LIST_USERS}?page=1`, { headers })
    const words = unknown('query parameter', 'page', 'none')
    expectRefusal(refused, 400, '4000', words)
    expect(reported(refused)).toContain('users.list=array')
  })

  test('is paged in order', async () => {
    const all = await api.read<{ id: string }[]>(LIST_USERS)
    const headers = { 'x-sandbox-reading': PAGED }
    const seen: string[] = []
    for (const page of [0, 1, 2, 3]) {
      const { body } = await api.get<{ users: { id: string }[]; pagination: Pagination }>(
        `${LIST_USERS}?page=${page}&size=3`,
        { headers },
      )
      expect(body.pagination).toEqual({ page, size: 3, total_pages: 3, total_elements: 8 })
      seen.push(...body.users.map(({ id }) => id))
    }
    expect(seen).toEqual(all.map(({ id }) => id))
  })
})

test('the documents describe pages only for lists that are paged by default', async () => {
  const described = findPath(LIST_USERS)?.operations.get
  expect(described?.operationId).toBe('listUsers')
  expect(described).not.toHaveProperty('parameters')
  expect(JSON.stringify(described)).not.toMatch(/audit\.size|error\.faults/)
  const known = await api.read<{ operations: string[] }>('/_sandbox/assumptions/audit.size')
  expect(known.operations).toContain('listUsers')
})
