import { expect, test } from 'vitest'
import { startCli } from '../cli/sandramp.js'
import { dataFile } from '../support/data-folder.js'
import { accounts, keys, ownId, users } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'

const WORKERS = 16
/** After so many answers of its round a process is killed, in the middle of others. */
const LAST_WORDS = [1, 150]
const STEP_MS = 2_000

interface Acknowledged {
  readonly payouts: Set<string>
  readonly transfers: Set<string>
}

const transferRequest = {
  user_id: users.ada,
  account_id: accounts.adaEur,
  source_currency: 'USD',
  source_amount: '1.50',
}

/** Starts a sandbox on the file; gives its address and what kills it. */
const startOn = async (file: string) => {
  // Sixty times as fast, so that timers come due all the while, also between two processes.
  const running = startCli(['--port', '0', '--log', 'silent', '--clock', '60x', '--data', file])
  const url = await running.printed(/sandramp listening on (\S+)/)
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    running.child.kill(signal)
    return running.ended
  }
  return { url, end }
}

const post = async (url: string, path: string, body: unknown) => {
  const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([200, 201], await response.clone().text()).toContain(response.status)
  return (await response.json()) as { id: string }
}

let made = 0

/** Changes the world by one request; notes what was answered. */
const change = async (url: string, acknowledged: Acknowledged): Promise<void> => {
  const n = ++made
  if (n % 4 === 0) {
    const { id } = await post(url, '/_sandbox/transfers', transferRequest)
    acknowledged.transfers.add(id)
    return
  }
  const id = ownId(n)
  const body = { ...payoutRequest(), customer_payout_id: id, amount: '1.00' }
  await post(url, '/payment/api/v1/payout', body)
  acknowledged.payouts.add(id)
}

/** Loads the sandbox until it has answered so often, and kills it while more is under way. */
const loadAndKill = async (
  { url, end }: Awaited<ReturnType<typeof startOn>>,
  acknowledged: Acknowledged,
  answers: number,
): Promise<void> => {
  let left = answers
  let ended: Promise<unknown> | undefined
  const work = async () => {
    while (!ended) {
      try {
        await change(url, acknowledged)
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

const all = async <T>(url: string, noun: string): Promise<T[]> => {
  const items: T[] = []
  for (let page = 0; ; page++) {
    const some = await read<{ items: T[] }>(url, `/_sandbox/${noun}?size=1000&page=${page}`)
    items.push(...some.items)
    if (some.items.length < 1_000) return items
  }
}

const expectAll = async (url: string, acknowledged: Acknowledged): Promise<void> => {
  const payouts = await all<{ customer_payout_id: string; status: string }>(url, 'payouts')
  const ids = payouts.map((it) => it.customer_payout_id)
  expect(new Set(ids).size, 'doubled').toBe(ids.length)
  expect([...acknowledged.payouts].filter((id) => !ids.includes(id))).toEqual([])
  const transfers = (await all<{ id: string }>(url, 'transfers')).map(({ id }) => id)
  expect(new Set(transfers).size, 'doubled').toBe(transfers.length)
  expect([...acknowledged.transfers].filter((id) => !transfers.includes(id))).toEqual([])
  expect(await read(url, '/_sandbox/audit')).toMatchObject({ ok: true, violations: [] })
}

test('keeps all that it has answered through two crashes under load, and its timers go on', async () => {
  const file = dataFile()
  const acknowledged: Acknowledged = { payouts: new Set(), transfers: new Set() }
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
  await post(url, '/_sandbox/clock/advance', { until: 'idle' })
  const transfers = await all<{ id: string; status: string; reached: Record<string, string> }>(
    url,
    'transfers',
  )
  for (const { id, status, reached } of transfers) {
    if (!acknowledged.transfers.has(id)) continue
    const times = Object.values(reached).map((time) => Date.parse(time))
    expect(status).toBe('PAYMENT_PROCESSED')
    // Each status at its own time, whichever process was there to see it.
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual(
      [0, 1, 2, 3, 4].map((n) => n * STEP_MS),
    )
  }
  expect((await end('SIGTERM')).code).toBe(0)
})
