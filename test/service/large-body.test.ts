import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { expectRefusal } from '../support/client.js'
import { keys } from '../support/fixture-ids.js'
import { openSandbox, transports } from '../support/open-sandbox.js'
import { consentRequest } from '../support/requests.js'

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
  ['of a length that is told', `content-length: ${BODY.length}\r\n\r\n${BODY}`],
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
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close.*the limit of 1000 bytes/is)
  },
)

test.each(['[', '{"a":'])(
  '%s may come a million times, and is refused unread beyond that',
  async (part) => {
    const api = await openSandbox()
    const headers = { 'content-type': 'application/json' }
    const post = (raw: string) => api.call('POST', '/onboarding/api/v1/tnc', { raw, headers })
    const most = part.repeat(1_000_000)
    expectRefusal(await post(`[${most}`), 400, '4000', 'the body has more than 1000000 of [ and {')
    expectRefusal(await post(most), 400, '4004', 'the body is not well-formed JSON')
  },
)

test.each(transports)('over %s, a body of as many bytes as the limit is taken', async (over) => {
  const api = await openSandbox({ over, bodyLimit: 1_000 })
  const headers = { 'content-type': 'application/json' }
  const statuses = []
  for (const length of [1_000, 1_001]) {
    const raw = JSON.stringify(consentRequest()).padEnd(length)
    for (const body of [raw, new Blob([raw]).stream()]) {
      const init = { method: 'POST', headers: { ...headers, 'x-api-key': keys.full }, body }
      const answer = await api.carry('/onboarding/api/v1/tnc', { ...init, duplex: 'half' } as never)
      statuses.push(answer.status)
      await answer.text()
    }
  }
  expect(statuses).toEqual([200, 200, 413, 413])
})
