import { expect, test, vi } from 'vitest'
import { keys, transferId } from '../support/fixture-ids.js'
import { createInner } from '../support/inner-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'
const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`
const key = { 'x-api-key': keys.full }
const json = { ...key, 'content-type': 'application/json' }
const cut = { ...json, 'x-sandbox-scenario': 'committed-then-cut' }
const body = JSON.stringify(payoutRequest())

const OPTIONS = { seed: 'tests', clock: 'manual', bodyLimit: 1_000, machineClock: () => 0 }

const REQUESTS: readonly [string, string, RequestInit?][] = [
  ['a read', STATUS, { headers: key }],
  ['a read with the key in capitals', STATUS, { headers: { 'X-API-Key': keys.full } }],
  ['a read without a key', STATUS],
  ['a query', `/payment/api/v1/fx-audit?page=1&limit=2&limit=3`, { headers: key }],
  ['a payout', PAYOUT, { method: 'POST', headers: json, body }],
  ['a body without content type', PAYOUT, { method: 'POST', headers: key, body }],
  ['an empty body', PAYOUT, { method: 'POST', headers: json, body: '' }],
  ['no body', PAYOUT, { method: 'POST', headers: json }],
  ['malformed JSON', PAYOUT, { method: 'POST', headers: json, body: '{' }],
  ['a lone surrogate', PAYOUT, { method: 'POST', headers: json, body: '"\ud800"' }],
  ['a body over the limit', PAYOUT, { method: 'POST', headers: json, body: 'x'.repeat(2_000) }],
  ['a header value in spaces', STATUS, { headers: { 'x-api-key': ` ${keys.full} ` } }],
  ['a header that is written twice', STATUS, { headers: { a: '1', A: '2', ...key } }],
  ['headers as a list', STATUS, { headers: [['x-api-key', keys.full]] }],
  ['an unknown path', '/payment/api/v1/unknown', { headers: key }],
  ['its own origin', STATUS, { headers: { ...key, origin: 'http://localhost' } }],
  ['a cut connection', PAYOUT, { method: 'POST', headers: cut, body }],
]

const play = async (input: string, init: RequestInit | undefined, asRequest: boolean) => {
  const sandbox = await createInner(OPTIONS)
  const request = asRequest ? new Request(new URL(input, 'http://localhost'), init) : input
  const answer = await sandbox.fetch(request, asRequest ? undefined : init).then(
    async (response) => ({
      status: response.status,
      headers: [...response.headers],
      text: await response.text(),
    }),
    (error: unknown) => String(error),
  )
  const logged = sandbox.requests().map((it) => ({ ...it, duration_ms: 0 }))
  const entries = sandbox.entries()
  await sandbox.close()
  return { answer, logged, entries }
}

test.each(REQUESTS)('fetch answers %s by path as it answers a Request', async (_, path, init) => {
  expect(await play(path, init, false)).toEqual(await play(path, init, true))
})

test('fetch of a path makes no Request where the request is plain', async () => {
  const sandbox = await createInner({ seed: 'tests', clock: 'manual' })
  const made = vi.spyOn(globalThis, 'Request')
  await sandbox.fetch(STATUS, { headers: key })
  await sandbox.fetch(PAYOUT, { method: 'POST', headers: json, body })
  expect(made).not.toHaveBeenCalled()
  made.mockRestore()
  await sandbox.close()
})
