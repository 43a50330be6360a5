import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { RequestHandler } from '../operation/api.js'
import { createFastPath } from './fast-path.js'
import type { Endpoint } from './routes.js'

const BUG = new Error('it went wrong')

const outbound = (outcome: object) => ({ outcome, requestId: '', assumed: '' }) as never

test.each<[string, RequestHandler]>([
  [
    'that is thrown',
    () => {
      throw BUG
    },
  ],
  ['that comes later', () => Promise.reject(BUG)],
  ['of an answer that is no JSON', () => outbound({ clone: () => {} })],
])('a bug %s is reported and ends the connection', async (_what, handle) => {
  const bugs: unknown[] = []
  const bound = {
    method: 'POST',
    match: (path: string) => (path === '/a' ? {} : undefined),
    handle,
  } as Endpoint
  const face = { bodyLimit: 10, report: (bug: unknown) => void bugs.push(bug) }
  const headers = { host: 'localhost', 'content-length': '0' }
  const incoming = {
    method: 'POST',
    url: '/a',
    headers,
    rawHeaders: Object.entries(headers).flat(),
    socket: {},
  } as unknown as IncomingMessage
  let isEnded = false
  const outgoing = {
    destroy: () => {
      isEnded = true
    },
  } as unknown as ServerResponse
  expect(createFastPath(face, [bound])({ incoming, outgoing, controlToken: undefined })).toBe(true)
  await new Promise(setImmediate)
  expect(bugs).toEqual([expect.any(Error)])
  expect(isEnded).toBe(true)
})
