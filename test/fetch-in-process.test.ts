import { expect, test } from 'vitest'
import { createSandbox } from '../src/index.js'
import { keys, NOBODY } from './support/fixture-ids.js'
import { openSandbox } from './support/open-sandbox.js'

const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
const CONSENTS = '/onboarding/api/v1/tnc'
const consent = {
  method: 'POST',
  headers,
  body: '{"tnc_data":{"tnc_accepted":true,"accepted_at":"2026-01-31T09:30:00.000Z"}}',
}

test('what comes beside a Request goes before what it says itself', async () => {
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
