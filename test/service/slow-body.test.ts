import { expect, test } from 'vitest'
import { createInner } from '../support/inner-sandbox.js'

const KEY = 'SandrampFullAccessKey00000000001'
const CONSENT = '{"tnc_data":{"tnc_accepted":true,"accepted_at":"2026-01-31T09:30:00.000Z"}}'

test('counts a request from the end of its body: a reset in between is not undone by it', async () => {
  let machine = Date.parse('2027-01-01T00:00:00.000Z')
  const sandbox = await createInner({ clock: 'real', machineClock: () => machine })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const answer = sandbox.fetch(
    new Request('http://localhost/onboarding/api/v1/tnc', {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: readable,
      duplex: 'half',
    } as RequestInit),
  )
  const writer = writable.getWriter()
  await writer.write(new TextEncoder().encode(CONSENT.slice(0, 20)))
  sandbox.reset()
  machine += 60_000
  await writer.write(new TextEncoder().encode(CONSENT.slice(20)))
  await writer.close()
  const id = await (await answer).json()
  expect(sandbox.tables.consents.get(id)?.created_at).toBe('2027-01-01T00:01:00.000Z')
})
