import { expect, test } from 'vitest'
import { choose } from '../readings/chosen.js'
import { balanceOf } from '../support/balances.js'
import type { Client } from '../support/client.js'
import { keys, ownId, users } from '../support/fixture-ids.js'
import { logged } from '../support/logged.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { overlapping } from '../support/overlap.js'
import { payoutRequest } from '../support/requests.js'
import { scenarioFile } from '../support/scenario-file.js'
import type { Payout } from '../support/wire.js'

const PAYOUT = '/payment/api/v1/payout'
const pay = (api: Client, more: object = {}) =>
  api.post<Payout & { message?: string }>(PAYOUT, { ...payoutRequest(), ...more })

const open = async (before: 'commit' | 'answer', reading: string) => {
  const { options, play, send } = overlapping()
  const api = await openOwnSandbox(options)
  await play(api, before)
  await choose(api, 'repeat.in_flight', reading)
  return { api, send }
}

test('a conflict names the id that is in use and says how to go on', async () => {
  const { api, send } = await open('commit', 'conflict')
  const [, again] = await send(() => pay(api))
  const { customer_payout_id } = payoutRequest()
  expect(again.body.message).toContain(`customer_payout_id: got "${customer_payout_id}"`)
  expect(again.body.message).toContain('Wait for the answer')
})

test('a payout with another id waits for nobody', async () => {
  const { api, send } = await open('commit', 'conflict')
  const [first, other] = await send(
    () => pay(api),
    () => pay(api, { customer_payout_id: ownId(2) }),
  )
  expect(other.status).toBe(200)
  expect(other.body.id).not.toBe(first.body.id)
  expect(other.headers.get('x-sandbox-assumed')).not.toContain('repeat.in_flight')
})

/** A sandbox that delays every payout until the test ends the delay. */
const openDelayed = async () => {
  const delays: (() => void)[] = []
  const rule = '  - { when: request, if: { operation: createPayout }, then: [{ delay_ms: 500 }] }'
  const api = await openOwnSandbox({
    sleep: () => new Promise<void>((end) => delays.push(end)),
    scenarios: [scenarioFile('slow', rule)],
  })
  return { api, delays, arrived: (count: number) => expect.poll(() => delays).toHaveLength(count) }
}

test('repeats are delayed beside their wait, which is for the first command only', async () => {
  const { api, delays, arrived } = await openDelayed()
  const left = Number(await balanceOf(api, users.ada, 'NGN'))
  const [first, second, ...others] = Array.from({ length: 7 }, () => pay(api))
  await arrived(7)
  const [endFirst, endSecond, ...ends] = delays
  for (const end of [...ends, endFirst]) end?.()
  const answers = await Promise.all([first, ...others])
  endSecond?.()
  const ids = [...answers, await second].map((it) => it?.body.id)
  expect(ids).toEqual(Array(7).fill(expect.any(String)))
  expect(new Set(ids).size).toBe(1)
  expect(left - Number(await balanceOf(api, users.ada, 'NGN'))).toBe(1_550)
})

test('a repeat whose client leaves while it waits runs no command', async () => {
  const { api, delays, arrived } = await openDelayed()
  const left = await balanceOf(api, users.ada, 'NGN')
  const first = pay(api, { amount: '99999999.00' })
  await arrived(1)
  const client = new AbortController()
  const repeat = api.carry(PAYOUT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': keys.full },
    body: JSON.stringify(payoutRequest()),
    signal: client.signal,
  })
  await arrived(2)
  delays[1]?.()
  client.abort()
  await expect(repeat).rejects.toThrow('aborted')
  delays[0]?.()
  expect((await first).status).toBe(400)
  expect(await balanceOf(api, users.ada, 'NGN')).toBe(left)
  expect(await logged(api)).toMatchObject([
    { status: 409, aborted_ms: expect.any(Number) },
    { status: 400, aborted_ms: null },
  ])
})

test('a repeat that waited runs as the first when the first was refused', async () => {
  const { api, send } = await open('commit', 'waits')
  const [first, again] = await send(
    () => pay(api, { amount: '99999999.00' }),
    () => pay(api),
  )
  expect([first.status, again.status]).toEqual([400, 200])
})
