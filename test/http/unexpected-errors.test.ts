import { expect, onTestFinished, test, vi } from 'vitest'
import { keys } from '../support/fixture-ids.js'
import { serve } from '../support/listening.js'
import { payoutRequest } from '../support/requests.js'

const GONE = new Error('Cannot find module ./routing.js')

test.each([
  ['while it loads', () => Promise.reject(GONE)],
  [
    'at once',
    () => {
      throw GONE
    },
  ],
])('an app that fails %s is reported as a bug, and the server goes on', async (_, fail) => {
  // As in a sandbox whose files were replaced while it runs: what it has not loaded yet is gone.
  const { url, bugs, close } = await serve({ instead: () => ({ fetch: fail }) })
  onTestFinished(close)
  const answer = await fetch(`${url}/_sandbox/clock`)
  expect([answer.status, await answer.json()]).toEqual([
    500,
    {
      code: '5000',
      httpMethod: 'GET',
      message: 'the sandbox has a bug, or was replaced while it runs; its log has the details',
      path: '/_sandbox/clock',
      requestId: answer.headers.get('x-request-id'),
      resourcePath: '/_sandbox/{proxy+}',
    },
  ])
  expect(bugs).toEqual([GONE])
  expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
})

test('the stack trace of a bug in a handler names the stages of the pipeline', async () => {
  const { url, sandbox, bugs, close } = await serve()
  onTestFinished(close)
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  onTestFinished(() => {
    Error.stackTraceLimit = stackTraceLimit
  })
  vi.spyOn(sandbox.main.world, 'run').mockImplementation(() => {
    throw new Error('a bug')
  })
  const { status } = await fetch(`${url}/payment/api/v1/payout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': keys.full },
    body: JSON.stringify(payoutRequest()),
  })
  expect(status).toBe(500)
  const stages = [...String((bugs[0] as Error).stack).matchAll(/ at (?:async )?(\w+) \(/g)].map(
    ([, name]) => name,
  )
  expect(stages).toEqual(
    expect.arrayContaining(['handle', 'runOperation', 'withFaults', 'attempt', 'answerInWorld']),
  )
  expect(bugs).toHaveLength(1)
})
