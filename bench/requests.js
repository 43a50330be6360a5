import { load, median, startBare, startSandramp, stopServer } from './processes.js'

const KEY = 'SandrampFullAccessKey00000000001'
const USER = '11111111-1111-4111-8111-000000000001'
const STATUS = '/payment/api/v1/fx-audit/status/66666666-6666-4666-8666-000000000001'
const PAYOUT = '/payment/api/v1/payout'
const ROUNDS = 5
const SECONDS = 2

const payoutBody = JSON.stringify({
  user_id: USER,
  currency: 'NGN',
  customer_payout_id: '$uuid',
  amount: '1.00',
  recipient_details: {
    bank_name: 'Access Bank',
    account_holder_name: 'Ada Okafor',
    recipient_account_number: '0690000031',
  },
})

const get = { method: 'GET', path: STATUS, headers: { 'x-api-key': KEY } }
const post = {
  method: 'POST',
  path: PAYOUT,
  headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
  body: payoutBody,
}

/** Requests per second as a share of the bare server's, in turns: A B A B … */
export const benchRequests = async () => {
  const ours = await startSandramp()
  await fund(ours.url)
  const bare = await startBare(await answer(ours.url, get), await answer(ours.url, post))
  const results = []
  for (const request of [get, post]) {
    for (const connections of [1, 32]) {
      results.push(await compare(bare, ours, request, connections))
    }
  }
  await Promise.all([stopServer(ours), stopServer(bare)])
  return results
}

const compare = async (bare, ours, request, connections) => {
  const options = { ...request, connections, seconds: SECONDS }
  const pairs = []
  for (let round = 0; round < ROUNDS; round++) {
    const a = await load({ ...options, port: bare.port })
    const b = await load({ ...options, port: ours.port })
    pairs.push({ a, b })
  }
  return {
    name: `${request.method}, ${connections} connection${connections > 1 ? 's' : ''}`,
    bare: median(pairs.map(({ a }) => a)),
    ours: median(pairs.map(({ b }) => b)),
    ratio: median(pairs.map(({ a, b }) => b / a)),
  }
}

/** Enough for millions of payouts. */
const fund = async (url) => {
  const credit = await fetch(`${url}/_sandbox/users/${USER}/balances`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ currency: 'NGN', amount: '9000000000000.00' }),
  })
  if (!credit.ok) throw new Error(await credit.text())
}

const answer = async (url, { method, path, headers, body }) => {
  const text = body?.replace('$uuid', crypto.randomUUID())
  const response = await fetch(url + path, { method, headers, ...(text && { body: text }) })
  if (!response.ok) throw new Error(await response.text())
  return response.text()
}
