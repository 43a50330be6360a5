import { expect, it, onTestFinished } from 'vitest'
import { createApp } from '../src/app.js'
import { refuserOf } from '../src/http/unrouted.js'
import { partsOf } from '../src/options.js'
import { Sandbox } from '../src/sandbox.js'
import { listen } from '../src/server.js'

const GONE = new Error('Cannot find module ./routing.js')

/** A sandbox whose files were replaced while it runs, so that what it has not loaded yet is gone. */
const serve = async (fail: () => never | Promise<never>) => {
  const sandbox = new Sandbox(await partsOf({ clock: 'manual', seed: 'tests' }))
  const bugs: unknown[] = []
  const report = (bug: unknown) => bugs.push(bug)
  const app = createApp(sandbox, {
    controlToken: undefined,
    bodyLimit: 1_000,
    log: undefined,
    report,
  })
  const behind = { endStreams: () => undefined, refuse: refuserOf(sandbox), report }
  const { url, close } = await listen(
    { ...app, fetch: fail },
    { port: 0, host: '127.0.0.1' },
    behind,
  )
  onTestFinished(close)
  return { url, bugs }
}

it.each([
  ['while it is loaded', () => Promise.reject(GONE)],
  [
    'at once',
    () => {
      throw GONE
    },
  ],
])('what fails to be answered is told as a bug, and the sandbox goes on: %s', async (_, fail) => {
  const { url, bugs } = await serve(fail)
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
