import { execFile, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  load,
  median,
  root,
  startBare,
  startPlainHono,
  startSandramp,
  stopServer,
} from './processes.js'

const KEY = 'SandrampFullAccessKey00000000001'
const USER = '11111111-1111-4111-8111-000000000001'
const STATUS = '/payment/api/v1/fx-audit/status/66666666-6666-4666-8666-000000000001'
const PAYOUT = '/payment/api/v1/payout'
const ROUNDS = 5
const SECONDS = 2

export const payoutOf = (customer_payout_id) => ({
  user_id: USER,
  currency: 'NGN',
  customer_payout_id,
  amount: '1.00',
  recipient_details: {
    bank_name: 'Access Bank',
    account_holder_name: 'Ada Okafor',
    recipient_account_number: '0690000031',
  },
})

const TRANSFER = {
  user_id: USER,
  account_id: '22222222-2222-4222-8222-000000000001',
  source_currency: 'USD',
  source_amount: '100.00',
}

/** Starts so many bank transfers in process. */
export const startTransfers = async (sandbox, count) => {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(TRANSFER) }
  for (let i = 0; i < count; i++) {
    const response = await sandbox.fetch('/_sandbox/transfers', init)
    if (!response.ok) throw new Error(await response.text())
  }
}

const payoutBody = JSON.stringify(payoutOf('$uuid'))

const WALLETS = `/payment/api/v1/offramp-audit/crypto-balance/USDC/polygon/${USER}`

export const get = { method: 'GET', path: STATUS, headers: { 'x-api-key': KEY } }
export const post = {
  method: 'POST',
  path: PAYOUT,
  headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
  body: payoutBody,
}

/**
 * Requests per second as a share of the bare server's, in turns: A B A B … `scale` holds the shares of a
 * minimal app, with 32 connections.
 */
export const benchRequests = async () => {
  const ours = await startSandramp()
  await fund(ours.url)
  const shown = await answer(ours.url, get)
  const bare = await startBare(shown, await answer(ours.url, post))
  const hono = await startPlainHono(shown)
  const results = []
  for (const request of [get, post]) {
    for (const connections of [1, 32]) {
      results.push(await compare(bare, ours, request, connections))
    }
  }
  const scale = []
  for (const request of [get, post]) scale.push(await compare(bare, hono, request, 32))
  const wrk = hasWrk() ? await compareByWrk(bare, ours) : []
  await Promise.all([ours, bare, hono].map((server) => stopServer(server)))
  return { results, scale, wrk }
}

export const compare = async (bare, ours, request, connections) => {
  const options = { ...request, connections, seconds: SECONDS }
  const pairs = []
  for (let round = 0; round < ROUNDS; round++) {
    const a = await load({ ...options, port: bare.port })
    const b = await load({ ...options, port: ours.port })
    pairs.push({ a, b })
  }
  return {
    name: `${request.method}, ${connections} connection${connections > 1 ? 's' : ''}`,
    bare: median(pairs.map(({ a }) => a.per_second)),
    ours: median(pairs.map(({ b }) => b.per_second)),
    ratio: median(pairs.map(({ a, b }) => b.per_second / a.per_second)),
    p99_ratio: median(pairs.map(({ a, b }) => b.p99_ms / a.p99_ms)),
  }
}

const hasWrk = () => spawnSync('wrk', ['-v']).error === undefined

/** The shares with 32 connections by wrk, which takes less of the processor than the load generator here. */
const compareByWrk = async (bare, ours) => {
  const shares = []
  for (const { method, path } of [get, post]) {
    const script = join(root, 'bench', `wrk-${method.toLowerCase()}.lua`)
    const pairs = []
    for (let round = 0; round < ROUNDS; round++) {
      const a = await runWrk(bare.url + path, script)
      pairs.push(a && (await runWrk(ours.url + path, script)) / a)
    }
    shares.push({ name: method, ratio: median(pairs) })
  }
  return shares
}

const runWrk = async (url, script) => {
  const args = ['-t1', '-c32', `-d${SECONDS}s`, '-s', script, url]
  const { stdout } = await promisify(execFile)('wrk', args)
  if (stdout.includes('Non-2xx')) throw new Error(stdout)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

/** Cost of all shipped scenarios for a request that no rule matches, and cost of the request log. */
export const benchExtras = async () => {
  const usual = await startSandramp()
  const all = await startSandramp(...everyScenario())
  const unlogged = await startSandramp('--request-log', '0')
  for (const { url } of [usual, all, unlogged]) await fund(url)
  await exhaust(all.url)
  const catalogue = await share(all, usual, { ...get, path: WALLETS })
  const logs = [await share(usual, unlogged, get), await share(usual, unlogged, post)]
  await Promise.all([usual, all, unlogged].map((server) => stopServer(server)))
  return { catalogue, log: Math.min(...logs) }
}

const everyScenario = () =>
  readdirSync(join(root, 'scenarios'))
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => ['--scenario', file.slice(0, -'.yaml'.length)])

/** Sends requests until the rules with a quota are exhausted, and outages are over. */
const exhaust = async (url) => {
  for (let rest = 100; rest > 0; rest--) {
    const response = await fetch(url + WALLETS, { headers: get.headers })
    if (response.ok && !response.headers.has('x-sandbox-fault')) return
    await fetch(`${url}/_sandbox/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"by":"10m"}',
    })
  }
  throw new Error(`rules never end on ${WALLETS}`)
}

/** Requests per second of one sandbox as a share of another's, in turns. */
export const share = async (ours, theirs, request) => {
  const options = { ...request, connections: 32, seconds: SECONDS }
  const ratios = []
  for (let round = 0; round < ROUNDS; round++) {
    const b = await load({ ...options, port: theirs.port })
    const a = await load({ ...options, port: ours.port })
    ratios.push(a.per_second / b.per_second)
  }
  return median(ratios)
}

/** Gives a world enough balance for millions of payouts. */
export const fund = async (url, key = KEY) => {
  const credit = await fetch(`${url}/_sandbox/users/${USER}/balances`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ currency: 'NGN', amount: '9000000000000.00' }),
  })
  if (!credit.ok) throw new Error(await credit.text())
}

export const answer = async (url, { method, path, headers, body }) => {
  const text = body?.replace('$uuid', crypto.randomUUID())
  const response = await fetch(url + path, { method, headers, ...(text && { body: text }) })
  if (!response.ok) throw new Error(await response.text())
  return response.text()
}
