import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../support/listening.js'

const GONE = new Error('Cannot find module ./routing.js')

it.each([
  ['while it is loaded', () => Promise.reject(GONE)],
  [
    'at once',
    () => {
      throw GONE
    },
  ],
])('what fails to be answered is told as a bug, and the sandbox goes on: %s', async (_, fail) => {
  // As in a sandbox whose files were replaced while it runs: what it has not loaded yet is gone.
  const { url, bugs, close } = await serve({ instead: () => ({ fetch: fail }) })
  onTestFinished(close)
  const answer = await fetch(`${url}/_sandbox/clock`)
  expect([answer.status, await answer.json()]).toEqual([
    500,
    {
      code: '5000',
      httpMethod: 'GET',
      message: 'the sandbox has a bug, or was replaced while it runs; its log tells more',
      path: '/_sandbox/clock',
      requestId: answer.headers.get('x-request-id'),
      resourcePath: '/_sandbox/{proxy+}',
    },
  ])
  expect(bugs).toEqual([GONE])
  expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
})
