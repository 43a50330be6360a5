import { expect, test } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/index.js'
import { keys } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

/** Everything that two runs could differ in: answers with their headers, refusals, other worlds, the journal. */
const play = async (options: SandboxOptions): Promise<string[]> => {
  const sandbox = await createSandbox(options)
  const reported: string[] = []
  const ask = async (path: string, key: string | undefined, body?: object) => {
    const headers = { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) }
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await sandbox.fetch(path, { ...init, headers })
    reported.push(JSON.stringify([...answer.headers]), await answer.text())
  }
  const world = 'SandboxWorldOfATestAlone00000001'
  for (const key of [keys.full, world, undefined]) {
    await ask('/payment/api/v1/payout', key, payoutRequest())
    await ask('/payment/api/v1/payout', key, { ...payoutRequest(), currency: 'XXX' })
    await ask('/onboarding/api/v1/users/all', key)
  }
  await ask('/_sandbox/clock/advance', keys.full, { by: '1h' })
  await ask('/_sandbox/journal?size=1000', keys.full)
  await sandbox.close()
  return reported
}

test('two runs with one seed and a manual clock are byte-equal, request ids included', async () => {
  const options = { seed: 's', clock: 'manual' }
  const [first, second] = [await play(options), await play(options)]
  expect(second).toEqual(first)
  const ids = first.flatMap((text) => /"x-request-id","([^"]*)"/.exec(text)?.[1] ?? [])
  expect(new Set(ids).size).toBe(ids.length)
})

/** The journal after payouts, clock changes, a restored snapshot and a reset. */
const journalOverPort = async (): Promise<string> => {
  const api = await openOwnSandbox({ seed: 's', over: 'port' })
  await api.post('/payment/api/v1/payout', payoutRequest())
  await api.make('/_sandbox/clock/advance', { by: '1h' })
  await api.call('PUT', '/_sandbox/clock', { body: { mode: 'manual' } })
  await api.make('/_sandbox/snapshots', { name: 'a' })
  await api.make('/_sandbox/snapshots/a/restore')
  await api.make('/_sandbox/reset')
  await api.post('/payment/api/v1/payout', payoutRequest())
  const journal = await api.carry('/_sandbox/journal?size=1000', {})
  return journal.text()
}

test('two runs over a port with one seed and a manual clock have byte-equal journals', async () => {
  const journal = await journalOverPort()
  expect(journal).toContain('"command":"snapshot.restore"')
  expect(await journalOverPort()).toBe(journal)
})

test.each([{ clock: 'manual' }, { seed: 's' }])(
  'request ids differ from run to run with %j alone',
  async (options) => {
    const idOf = async () => /"x-request-id","([^"]*)"/.exec((await play(options))[0] ?? '')?.[1]
    expect(await idOf()).not.toBe(await idOf())
  },
)
