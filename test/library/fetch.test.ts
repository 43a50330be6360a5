import { expect, test, vi } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { keys, NOBODY } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'

const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
const CONSENTS = '/onboarding/api/v1/tnc'
const consent = {
  method: 'POST',
  headers,
  body: '{"tnc_data":{"tnc_accepted":true,"accepted_at":"2026-01-31T09:30:00.000Z"}}',
}

test('init overrides the fields of a Request', async () => {
  const { sandbox } = await openSandbox()
  const answer = await sandbox.fetch(new Request(`http://localhost${CONSENTS}`), consent)
  expect(answer.status).toBe(200)
})

test('a Request of another package is one too', async () => {
  const { sandbox } = await openSandbox()
  const { url, method, headers, body, signal } = new Request(`http://localhost${CONSENTS}`, consent)
  const answer = await sandbox.fetch({ url, method, headers, body, signal } as Request)
  expect(answer.status).toBe(200)
})

test('a request that was aborted before it was made is not made', async () => {
  const { sandbox } = await openSandbox()
  const reason = new Error('given up')
  const asked = sandbox.fetch(CONSENTS, { ...consent, signal: AbortSignal.abort(reason) })
  await expect(asked).rejects.toBe(reason)
  expect(sandbox.requests()).toEqual([])
})

const streamed = (body: ReadableStream, signal?: AbortSignal) => ({
  ...consent,
  body,
  duplex: 'half',
  ...(signal && { signal }),
})

test('a body whose stream fails rejects with why, as behind a port, and is logged as cut short', async () => {
  const report = vi.spyOn(console, 'error')
  const { sandbox } = await openSandbox()
  const cause = new Error('the file is gone')
  const body = new ReadableStream({ pull: (controller) => controller.error(cause) })
  const asked = sandbox.fetch(CONSENTS, streamed(body))
  await expect(asked).rejects.toMatchObject({ name: 'TypeError', message: 'fetch failed', cause })
  expect(report).not.toHaveBeenCalled()
  const [logged] = sandbox.requests()
  expect(logged).toMatchObject({ status: 400, operation: 'createConsent' })
  expect(logged?.response.body).toMatchObject({ message: 'The connection closed within the body.' })
})

test('a body that is given up on is waited for no longer', async () => {
  const giveUp = new AbortController()
  const { sandbox } = await openSandbox()
  const body = new ReadableStream(
    {
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"tnc_data":'))
        giveUp.abort()
        return new Promise(() => {})
      },
    },
    { highWaterMark: 0 },
  )
  const asked = sandbox.fetch(CONSENTS, streamed(body, giveUp.signal))
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  await expect.poll(() => sandbox.requests().map(({ status }) => status)).toEqual([400])
})

test('a body of text that comes in pieces is read', async () => {
  const { sandbox } = await openSandbox()
  const body = new ReadableStream({
    start: (controller) => {
      for (const piece of consent.body.split(/(?=,)/)) controller.enqueue(piece)
      controller.close()
    },
  })
  expect((await sandbox.fetch(CONSENTS, streamed(body))).status).toBe(200)
})

test.each(['init', 'Request'])(
  'one that is aborted while a rule delays it rejects: %s',
  async (by) => {
    const giveUp = new AbortController()
    const sandbox = await createSandbox({
      clock: 'manual',
      scenarios: ['slow-responses'],
      sleep: () => {
        giveUp.abort()
        return new Promise(() => {})
      },
    })
    const url = `http://localhost/payment/api/v1/fx-audit/status/${NOBODY}`
    const init = { headers, signal: giveUp.signal }
    const asked = by === 'init' ? sandbox.fetch(url, init) : sandbox.fetch(new Request(url, init))
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    await sandbox.close()
  },
)

test.each([
  ['read', 1],
  ['unread', 0],
])('a stream that is %s ends with its signal, as behind a port', async (_, reads) => {
  const giveUp = new AbortController()
  const { sandbox } = await openSandbox()
  const open = async () => {
    const answer = await sandbox.fetch('/_sandbox/worlds')
    return ((await answer.json()) as { items: { open_streams: number }[] }).items[0]?.open_streams
  }
  const { signal } = giveUp
  const stream = await sandbox.fetch('/_sandbox/requests/stream', { signal })
  const reader = stream.body?.getReader()
  for (let i = 0; i < reads; i++) await reader?.read()
  expect(await open()).toBe(1)
  giveUp.abort()
  await expect(reader?.read()).rejects.toMatchObject({ name: 'AbortError' })
  await expect.poll(open).toBe(0)
})

test.each([
  ['drop', 'UND_ERR_SOCKET'],
  ['reset', 'ECONNRESET'],
])('a rule with %s rejects with cause.code %s, as behind a port', async (step, code) => {
  const { sandbox } = await openSandbox()
  const rules = [{ when: 'request', then: [{ [step]: 'before' }] }]
  const scenario = JSON.stringify({ name: 'cut', title: 'Cut', rules })
  await sandbox.fetch('/_sandbox/scenarios?activate=true', {
    method: 'POST',
    headers,
    body: scenario,
  })
  await expect(sandbox.fetch(CONSENTS, consent)).rejects.toMatchObject({
    message: 'fetch failed: cut/0 cut the connection',
    cause: { code },
  })
})
