import { expect, test } from 'vitest'
import { startCli } from '../cli/sandramp.js'
import { dataFile } from '../support/data-folder.js'
import { keys, ownId, users } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'

const WORKERS = 16
/** After so many answers of its round a process is killed, in the middle of others. */
const LAST_WORDS = [1, 150]

/** Starts a sandbox on the file; gives its address and what kills it. */
const startOn = async (file: string) => {
  const running = startCli(['--port', '0', '--log', 'silent', '--data', file])
  const url = await running.printed(/sandramp listening on (\S+)/)
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    running.child.kill(signal)
    return running.ended
  }
  return { url, end }
}

const post = async (url: string, path: string, body: unknown): Promise<void> => {
  const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([200, 201], await response.text()).toContain(response.status)
}

let made = 0

/** Pays by one request; notes what was answered. */
const pay = async (url: string, acknowledged: Set<string>): Promise<void> => {
  const id = ownId(++made)
  const body = { ...payoutRequest(), customer_payout_id: id, amount: '1.00' }
  await post(url, '/payment/api/v1/payout', body)
  acknowledged.add(id)
}

/** Loads the sandbox until it has answered so often, and kills it while more is under way. */
const loadAndKill = async (
  { url, end }: Awaited<ReturnType<typeof startOn>>,
  acknowledged: Set<string>,
  answers: number,
): Promise<void> => {
  let left = answers
  let ended: Promise<unknown> | undefined
  const work = async () => {
    while (!ended) {
      try {
        await pay(url, acknowledged)
      } catch (error) {
        // A connection that breaks is what a crash looks like from outside.
        if (!(error instanceof TypeError)) throw error
        return
      }
      if (--left === 0) ended = end('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  await ended
}

const read = async <T>(url: string, path: string): Promise<T> => {
  const response = await fetch(url + path)
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

const expectAll = async (url: string, acknowledged: Set<string>): Promise<void> => {
  const ids: string[] = []
  for (let page = 0; ids.length === page * 1_000; page++) {
    const path = `/_sandbox/payouts?size=1000&page=${page}`
    const { items } = await read<{ items: { customer_payout_id: string }[] }>(url, path)
    ids.push(...items.map((it) => it.customer_payout_id))
  }
  expect(new Set(ids).size, 'doubled').toBe(ids.length)
  expect([...acknowledged].filter((id) => !ids.includes(id))).toEqual([])
  expect(await read(url, '/_sandbox/audit')).toMatchObject({ ok: true, violations: [] })
}

test('keeps all that it has answered through two crashes under load', async () => {
  const file = dataFile()
  const acknowledged = new Set<string>()
  for (const [round, answers] of LAST_WORDS.entries()) {
    const running = await startOn(file)
    if (round === 0) {
      const credit = { currency: 'NGN', amount: '9000000.00' }
      await post(running.url, `/_sandbox/users/${users.ada}/balances`, credit)
    }
    await expectAll(running.url, acknowledged)
    await loadAndKill(running, acknowledged, answers)
  }
  const { url, end } = await startOn(file)
  await expectAll(url, acknowledged)
  expect((await end('SIGTERM')).code).toBe(0)
})
