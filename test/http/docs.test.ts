import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { openSandbox } from '../support/open-sandbox.js'

/** Pictures, folders and the license are not served. */
const LINK = /\]\((?!\w+:)([^)#\s]+\.(?:md|txt|json|yaml|mjs))(?:#[^)]*)?\)/g

test('the docs that a sandbox serves lead to each other, without a token', async () => {
  const { carry } = await openSandbox({ controlToken: 'correct-horse' })
  const seen = new Set(['/llms.txt'])
  for (const path of seen) {
    const answer = await carry(path, {})
    expect([path, answer.status]).toEqual([path, 200])
    if (!/\.(md|txt)$/.test(path)) continue
    expect(answer.headers.get('content-type')).toMatch(/^text\/(plain|markdown); charset=utf-8$/)
    const links = (await answer.text()).matchAll(LINK)
    for (const [, link = ''] of links) seen.add(posix.join(posix.dirname(path), link))
  }
  expect(seen.size).toBeGreaterThan(30)
})

test.each([
  [
    '/_sandbox/nowhere',
    'message',
    'GET /_sandbox/openapi.json lists the calls, GET /llms.txt the docs.',
  ],
  ['/nowhere', 'message', 'GET /llms.txt lists the docs.'],
])('an unknown path such as %s points to the docs', async (path, field, words) => {
  const api = await openSandbox()
  expect((await api.get<Record<string, string>>(path)).body[field]).toContain(words)
})

test('a broken scenario points to the page of its language', async () => {
  const api = await openSandbox()
  const { body } = await api.post<{ message: string }>('/_sandbox/scenarios', { name: 'a' })
  expect(body.message).toMatch(/\nGET (\S+) has the language\.$/)
})
