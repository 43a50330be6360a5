import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { BodyBudget } from '../../src/http/operation/body-limits.js'
import { createSandbox } from '../../src/index.js'
import { expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { got, inWords } from '../support/invalid.js'
import { serve } from '../support/listening.js'
import { openSandbox } from '../support/open-sandbox.js'
import { rawRequest } from '../support/raw-socket.js'

const BODY = 'x'.repeat(8 * 1024 * 1024)

/** Reads nothing before all is sent, as many clients do. */
const sendThenRead = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    socket.write(text, () => {
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('end', () => resolve(answer))
    })
  })

test.each([
  ['of a declared length', `content-length: ${BODY.length}\r\n\r\n${BODY}`],
  [
    'in chunks',
    `transfer-encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  ],
])(
  'a body %s that is too large may be sent to its end before the answer is read',
  async (_, rest) => {
    const sandbox = await createSandbox({ clock: 'manual', bodyLimit: 1_000 })
    onTestFinished(() => sandbox.close())
    const { url } = await sandbox.listen()
    const { port, host } = new URL(url)
    const head = [
      'POST /payment/api/v1/offramp HTTP/1.1',
      `host: ${host}`,
      `x-api-key: ${keys.full}`,
      'content-type: application/json',
    ]
    const answer = await sendThenRead(Number(port), `${head.join('\r\n')}\r\n${rest}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*connection: close.*the limit of 1000 bytes/is)
  },
)

test.each([
  ['[', 100_000],
  ['{"a":', 50_000],
  ['"a":', 100_000],
])(
  'a body with %s %i times is parsed, and one with more of it is refused unread',
  async (part, most) => {
    const api = await openSandbox()
    const headers = { 'content-type': 'application/json' }
    const post = (raw: string) => api.call('POST', '/onboarding/api/v1/tnc', { raw, headers })
    const text = part.repeat(most)
    const words = got(inWords('more than 100000 of [, { and : together'), 'at most as many')
    expectRefusal(await post(`${part}${text}`), 400, '4000', words)
    expectRefusal(await post(text), 400, '4004', 'The body is not well-formed JSON')
  },
)

test('bodies beyond what all may take together are 503, until another is answered', async () => {
  const { url, close } = await serve({ bodyLimit: 100_000, bodies: new BodyBudget(150_000) })
  onTestFinished(close)
  const port = Number(new URL(url).port)
  const post = rawRequest('POST /onboarding/api/v1/tnc', ['connection: close'], ' '.repeat(99_999))
  // All but its last byte: its room is taken until it ends.
  const first = connect(port, '127.0.0.1')
  onTestFinished(() => void first.destroy())
  first.write(post.slice(0, -1))
  let refused = ''
  await expect
    .poll(async () => {
      refused = await sendThenRead(port, post)
      return refused.slice(9, 12)
    })
    .toBe('503')
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/i)
  expect(refused).toContain('The bodies of other requests fill the memory for bodies. Retry.')
  first.destroy()
  await expect.poll(async () => (await sendThenRead(port, post)).slice(9, 12)).toBe('400')
})
