import { expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { BEGINNING } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { live, recordsOf } from './all-mutations.js'

const open = () => openOwnSandbox({ seed: 'reset', machineClock: () => 0 })

test('records are exactly those of a new sandbox with the same seed', async () => {
  const api = await open()
  const fresh = recordsOf(await open())
  expect(recordsOf(api)).toBe(fresh)
  await live(api)
  expect(recordsOf(api)).not.toBe(fresh)
  expect(await api.make('/_sandbox/reset')).toEqual({ now: BEGINNING, seed: 'reset' })
  expect(recordsOf(api)).toBe(fresh)
  expect(api.sandbox.audit()).toEqual((await open()).sandbox.audit())
})

test('commands after it have the same results as before it, ids included', async () => {
  const api = await open()
  const first = await live(api)
  const records = recordsOf(api)
  for (let n = 0; n < 3; n++) {
    await api.make('/_sandbox/reset')
    expect(await live(api)).toEqual(first)
    expect(recordsOf(api)).toBe(records)
  }
})

test('needs no body, whatever its content type, and refuses text', async () => {
  const api = await open()
  const headers = { 'content-type': 'text/plain' }
  const answer = await api.call('POST', '/_sandbox/reset', { raw: '', headers })
  expect(answer.body).toEqual({ now: BEGINNING, seed: 'reset' })
  const refused = await api.call('POST', '/_sandbox/reset', { raw: 'now!', headers })
  expectRefusal(refused, 415, '4150')
  expectRefusal(await api.get('/_sandbox/reset'), 405, '4050')
})
