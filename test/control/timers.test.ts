import { expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { startTransfer } from '../support/control.js'
import { BEGINNING } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'

interface Timer {
  readonly id: string
  readonly subject: string
}

const open = async () => {
  const api = await openSandbox()
  const timers = async () => (await api.read<{ next: Timer[] }>('/_sandbox/clock')).next
  const { id } = await startTransfer(api)
  const [timer] = await timers()
  expect(timer?.subject).toBe(id)
  const status = async () =>
    (await api.read<{ status: string }>(`/_sandbox/transfers/${id}`)).status
  return { api, id, timer: timer?.id ?? '', timers, status }
}

test('fires a timer at the present time, which is undone as one step', async () => {
  const { api, id, timer, timers, status } = await open()
  const before = await timers()
  const { now, count, fired } = await api.make<{ now: string; count: number; fired: unknown[] }>(
    `/_sandbox/timers/${timer}/fire`,
  )
  expect([now, count]).toEqual([BEGINNING, 1])
  expect(fired).toMatchObject([{ at: BEGINNING, cause: { kind: 'timer', timer } }])
  expect(await status()).toBe('FUNDS_RECEIVED')
  const { entries } = await api.read<{ entries: { sentence: string }[] }>(
    `/_sandbox/records/${id}/why`,
  )
  expect(entries[1]?.sentence).toContain('A control call fired a planned step')
  await api.make('/_sandbox/undo')
  expect(await status()).toBe('PENDING')
  expect(await timers()).toEqual(before)
})

test('cancels a timer and its later steps, until that is undone', async () => {
  const { api, timer, timers, status } = await open()
  const before = await timers()
  const { body } = await api.call('DELETE', `/_sandbox/timers/${timer}`)
  expect(body).toEqual(before[0])
  await api.make('/_sandbox/clock/advance', { until: 'idle' })
  expect(await status()).toBe('PENDING')
  for (let n = 0; n < 2; n++) await api.make('/_sandbox/undo')
  expect(await timers()).toEqual(before)
})

test('fires a step that waits for status requests', async () => {
  const api = await openSandbox()
  const text =
    'name: polled\ntitle: Polled\nrules:\n  - when: transfer.created\n    then: [{ after_reads: 2, move: FUNDS_RECEIVED }]\n'
  await api.call('POST', '/_sandbox/scenarios?activate=true', {
    raw: text,
    headers: { 'content-type': 'application/yaml' },
  })
  const { id } = await startTransfer(api)
  const { next } = await api.read<{ next: Timer[] }>('/_sandbox/clock')
  const waiting = next.find(({ subject }) => subject === id)
  expect(waiting).toMatchObject({ due: null })
  await api.make(`/_sandbox/timers/${waiting?.id}/fire`)
  const { status } = await api.read<{ status: string }>(`/_sandbox/transfers/${id}`)
  expect(status).toBe('FUNDS_RECEIVED')
})

test.each([
  ['POST', '/fire'],
  ['DELETE', ''],
])('%s of a timer that is not pending is 404', async (method, path) => {
  const { api } = await open()
  const answer = await api.call(method, `/_sandbox/timers/999.0${path}`)
  expectRefusal(answer, 404, '4040', 'no pending timer has the id 999.0', 'GET /_sandbox/clock')
})
