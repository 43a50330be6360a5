import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { Answering } from './face.js'
import { plainAnswers } from './plain.js'
import type { Bound } from './routes.js'

const BUG = new Error('it went wrong')

const outbound = (outcome: object) => ({ outcome, requestId: '', assumed: '' }) as never

it.each<[string, Answering]>([
  [
    'that is thrown',
    () => {
      throw BUG
    },
  ],
  ['that comes later', () => Promise.reject(BUG)],
  ['of an answer that is no JSON', () => outbound({ clone: () => {} })],
])('a bug %s is told, and ends the connection', async (_what, answer) => {
  const bugs: unknown[] = []
  const bound = { method: 'POST', pattern: /^\/a$/, answer } as Bound
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
  expect(plainAnswers(face, [bound])(incoming, outgoing)).toBe(true)
  await new Promise(setImmediate)
  expect(bugs).toEqual([expect.any(Error)])
  expect(isEnded).toBe(true)
})
