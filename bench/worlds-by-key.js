import { readFileSync } from 'node:fs'
import { createSandbox } from '../dist/index.js'
import { startSandramp, stopServer } from './processes.js'

const STATUS = '/payment/api/v1/fx-audit/status/66666666-6666-4666-8666-000000000001'
const WORLDS = 10_000
const WARM_WORLDS = 200
const AT_ONCE = 8
const SETTLE_MS = 3_000
const ROUNDS = 5
const PER_ROUND = 1_000

const payout = JSON.stringify({
  user_id: '11111111-1111-4111-8111-000000000001',
  currency: 'NGN',
  customer_payout_id: 'c0ffee00-0000-4000-8000-000000000001',
  amount: '1.00',
  recipient_details: {
    bank_name: 'Access Bank',
    account_holder_name: 'Ada Okafor',
    recipient_account_number: '0690000031',
  },
})

const keyOf = (n) => `SandboxWorld${String(n).padStart(20, '0')}`

/** MiB that 10,000 worlds add to an idle sandbox: opened by a read, and after a payout and another read. */
export const benchWorldsMemory = async () => {
  const server = await startSandramp('--worlds', String(WORLDS + WARM_WORLDS))
  // Load and compile lazily imported code before measuring.
  await eachWorld(WORLDS, WORLDS + WARM_WORLDS, (key) => use(server.url, key))
  const idle = await settledSize(server)
  await eachWorld(0, WORLDS, (key) => read(server.url, key))
  const opened = (await settledSize(server)) - idle
  await eachWorld(0, WORLDS, (key) => use(server.url, key))
  const used = (await settledSize(server)) - idle
  await stopServer(server)
  return { opened, used }
}

const eachWorld = async (from, to, act) => {
  let next = from
  const work = async () => {
    while (next < to) await act(keyOf(next++))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

const read = async (url, key) => {
  const answer = await fetch(url + STATUS, { headers: { 'x-api-key': key } })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.text()
}

const use = async (url, key) => {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/payment/api/v1/payout`, {
    method: 'POST',
    headers,
    body: payout,
  })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.text()
  await read(url, key)
}

const settledSize = async ({ child }) => {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Milliseconds by which the first read with a key is slower than the second. */
export const benchOpening = async () => {
  const sandbox = await createSandbox({ seed: 'bench' })
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const first = await timed(sandbox, round)
    rounds.push((first - (await timed(sandbox, round))) / PER_ROUND)
  }
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]
}

const timed = async (sandbox, round) => {
  const began = performance.now()
  for (let n = 0; n < PER_ROUND; n++) {
    const headers = { 'x-api-key': keyOf(round * PER_ROUND + n) }
    await (await sandbox.fetch(STATUS, { headers })).text()
  }
  return performance.now() - began
}
