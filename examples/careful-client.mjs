// A client of the service that is safe to retry. Compare blind-client.mjs. Run it against a scenario:
//   sandramp run committed-then-cut -- node examples/careful-client.mjs
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

const ATTEMPTS = 12
const TIMEOUT_MS = 10_000
const LONGEST_WAIT_MS = 60_000
const POLLS = 60
const LONGEST_POLL_MS = 3_600_000

/** An error that no retry fixes: a person has to look, and may call the same method again later. */
export class NeedsPerson extends Error {}

export class CarefulClient {
  /** Tests replace time: `sleep` waits, `timeout` returns a signal that aborts after that time. */
  constructor({ url, key, fetch = globalThis.fetch, sleep = wait, timeout = AbortSignal.timeout }) {
    Object.assign(this, { url, key, fetch, sleep, timeout })
  }

  /**
   * Pays once. The caller stores `payout.customer_payout_id` before the first request: every attempt repeats
   * it, also after a restart. While the payout is pending the same request reads its status.
   */
  async pay(payout) {
    for (let poll = 0; poll < POLLS; poll++) {
      const { status } = await this.send('POST', '/payment/api/v1/payout', payout)
      if (status === 'PAYOUT_PROCESSED') return payout
      if (status !== 'PAYOUT_PENDING') return { ...payout, failed: true }
      await this.sleep(pollMs(poll))
    }
    throw new NeedsPerson(`payout ${payout.customer_payout_id} is still pending`)
  }

  /** Pays, and pays again under a new id only after the first payout has failed for certain. */
  async payOrPayAgain(payout) {
    const first = await this.pay(payout)
    if (!first.failed) return first
    const second = await this.pay({ ...payout, customer_payout_id: randomUUID() })
    if (second.failed) throw new NeedsPerson(`payout ${payout.customer_payout_id} failed twice`)
    return second
  }

  /** Polls a transfer until its final status, less and less often. */
  async follow(transferId) {
    for (let poll = 0; poll < POLLS; poll++) {
      const transfer = await this.send('GET', `/payment/api/v1/fx-audit/status/${transferId}`)
      if (['PAYMENT_PROCESSED', 'FAILED', 'CANCELLED'].includes(transfer.status)) return transfer
      await this.sleep(pollMs(poll))
    }
    throw new NeedsPerson(`transfer ${transferId} does not move`)
  }

  initiate(userId, accountId) {
    const offramp = { user_id: userId, account_id: accountId }
    return this.send('POST', '/payment/api/v1/offramp', offramp)
  }

  /** Opens a wallet for a new user after the review has approved the user. */
  async openWallet(user, reference) {
    const { id } = await this.send('POST', '/onboarding/api/v1/users', user)
    for (let poll = 0; poll < POLLS; poll++) {
      const users = await this.send('GET', '/onboarding/api/v1/users/all')
      const { status } = users.find((it) => it.id === id)
      if (status === 'active') return this.addWallet(id, reference)
      if (status === 'rejected') throw new NeedsPerson(`user ${id} was rejected`)
      await this.sleep(pollMs(poll))
    }
    throw new NeedsPerson(`user ${id} is still under review`)
  }

  addWallet(userId, reference) {
    const wallet = { user_id: userId, chain: 'polygon', customer_wallet_ref: reference }
    return this.send('POST', '/payment/api/v1/custody-wallet', wallet)
  }

  /** Repeats one request until its response is readable; waits as Retry-After says, or with backoff. */
  async send(method, path, body) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { status, data, retryAfterMs } = await this.attempt(method, path, body)
      if (status >= 200 && status < 300 && data !== undefined) return data
      const mayPass = status === undefined || status < 300 || status === 429 || status >= 500
      if (!mayPass) throw new NeedsPerson(`${method} ${path}: ${status} ${data?.message ?? ''}`)
      await this.sleep(retryAfterMs ?? Math.min(1_000 * 2 ** attempt, LONGEST_WAIT_MS))
    }
    throw new NeedsPerson(`${method} ${path}: no answer after ${ATTEMPTS} attempts`)
  }

  /** Sends one request. `data` is undefined unless the response is a complete JSON body. */
  async attempt(method, path, body) {
    try {
      const response = await this.fetch(this.url + path, {
        method,
        headers: { 'x-api-key': this.key, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
        signal: this.timeout(TIMEOUT_MS),
      })
      const seconds = response.headers.get('retry-after')
      const retryAfterMs = seconds === null ? undefined : Number(seconds) * 1_000
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const text = await response.text()
      return { status: response.status, retryAfterMs, data: isJson ? parsed(text) : undefined }
    } catch {
      return {}
    }
  }
}

const parsed = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const pollMs = (poll) => Math.min(1_000 * 2 ** poll, LONGEST_POLL_MS)
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key, SANDRAMP_CLOCK_URL: clock } = process.env
  // The test moves the world's clock instead of waiting.
  const sleep = (ms) =>
    fetch(`${clock}/advance`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ by: `${ms}ms` }),
    })
  const paid = await new CarefulClient({ url, key, sleep }).payOrPayAgain({
    user_id: '11111111-1111-4111-8111-000000000001',
    customer_payout_id: randomUUID(),
    currency: 'NGN',
    amount: '1500.00',
    recipient_details: {
      bank_name: 'Marina Test Bank',
      account_holder_name: 'Ada Okafor',
      recipient_account_number: '0690000031',
    },
  })
  console.log(`paid ${paid.amount} ${paid.currency}`)
}
