import { expect, test } from 'vitest'
import { dataFile } from '../support/data-folder.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'
import { openPersistent, retry, stateOf } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'

test('a reset that cannot be stored while the journal is compacted returns 503, and the world is as before', async () => {
  const file = dataFile()
  const disk = new MemoryDisk()
  const api = await openPersistent(file, disk, { compactAt: 1 })
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let isFull = false
  disk.meanwhile = (operation, name) => {
    if (operation === 'write' && name === 'state.json.new') return held
    if (isFull && operation === 'write') noSpace()
  }
  await api.call('POST', '/payment/api/v1/payout', payoutRequest())
  await expect.poll(() => disk.done.filter((it) => it === 'write state.json.new').length).toBe(2)
  const before = stateOf(api.sandbox.main)
  isFull = true
  expect((await api.call('POST', '/_sandbox/reset')).status).toBe(503)
  isFull = false
  goOn()
  await retry(api)
  expect((await api.call('GET', '/_sandbox/payouts')).status).toBe(200)
  expect(stateOf(api.sandbox.main)).toEqual(before)
})
