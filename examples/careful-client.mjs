// A client of the service that is safe to retry. Compare blind-client.mjs. Run it against a scenario:
//   sandramp run committed-then-cut -- node examples/careful-client.mjs
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { runJob } from './jobs.mjs'

const ATTEMPTS = 12
const TIMEOUT_MS = 10_000
const LONGEST_WAIT_MS = 60_000
const POLLS = 80
const LONGEST_POLL_MS = 3_600_000
const RETURN_DAYS = 7
const DAY_MS = 86_400_000

/** An error that no retry fixes: a person has to look, and may call the same method again later. */
export class NeedsPerson extends Error {}

export class CarefulClient {
  /** Tests replace time: `sleep` waits, `timeout` returns a signal that aborts after that time. */
  constructor({
    url,
    key,
    fetch = globalThis.fetch,
    sleep = wait,
    timeout = AbortSignal.timeout,
    show = console.log,
  }) {
    Object.assign(this, { url, key, fetch, sleep, timeout, show })
  }

  /**
   * Pays once. The caller stores `payout.customer_payout_id` before the first request: every attempt repeats
   * it, also after a restart. While the payout is pending the same request reads its status.
   */
  async pay(payout) {
    for (let poll = 0; poll < POLLS; poll++) {
      const { status } = await this.send('POST', '/payment/api/v1/payout', payout)
      if (status === 'PAYOUT_PROCESSED') return payout
      // An unknown status is pending: a second payment needs certainty.
      if (status === 'PAYOUT_FAILED') return { ...payout, failed: true }
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

  /** Offers a deposit address, and follows every transfer that deposits start. Returns their last statuses. */
  async sell(userId, accountId, waitForDeposits) {
    const known = await this.listTransfers(userId)
    const { address } = await this.initiate(userId, accountId)
    await waitForDeposits(address)
    const all = await this.listTransfers(userId)
    const statuses = []
    for (const id of all.filter((it) => !known.includes(it))) {
      const { status } = await this.follow(id)
      statuses.push(status === 'PAYMENT_PROCESSED' ? await this.watchForReturn(id) : status)
    }
    return statuses
  }

  /** Polls a transfer until its final status, less and less often. */
  async follow(transferId) {
    for (let poll = 0; poll < POLLS; poll++) {
      const transfer = await this.readTransfer(transferId)
      if (['PAYMENT_PROCESSED', 'FAILED', 'CANCELLED'].includes(transfer.status)) return transfer
      await this.sleep(pollMs(poll))
    }
    throw new NeedsPerson(`transfer ${transferId} does not move`)
  }

  /** Reads a processed transfer once a day: a bank can still return it. Returns its status. */
  async watchForReturn(transferId) {
    for (let day = 0; day < RETURN_DAYS; day++) {
      await this.sleep(DAY_MS)
      const { status } = await this.readTransfer(transferId)
      if (status !== 'PAYMENT_PROCESSED') return status
    }
    return 'PAYMENT_PROCESSED'
  }

  readTransfer(transferId) {
    return this.send('GET', `/payment/api/v1/fx-audit/status/${transferId}`)
  }

  async listTransfers(userId) {
    const ids = []
    for (let page = 0, pages = 1; page < pages; page++) {
      const list = await this.send('GET', `/payment/api/v1/fx-audit/${userId}?page=${page}`)
      ids.push(...list.transactions.map(({ id }) => id))
      pages = list.pagination.total_pages
    }
    return ids
  }

  initiate(userId, accountId) {
    const offramp = { user_id: userId, account_id: accountId }
    return this.send('POST', '/payment/api/v1/offramp', offramp)
  }

  createUser(user) {
    return this.send('POST', '/onboarding/api/v1/users', user)
  }

  /** Opens a wallet after the review has approved the user. Shows what the user has to send again. */
  async openWallet(userId, reference) {
    let shown = ''
    for (let poll = 0; poll < POLLS; poll++) {
      const users = await this.send('GET', '/onboarding/api/v1/users/all')
      const { status, requirements, rejection_reasons } = users.find(({ id }) => id === userId)
      if (status === 'active') return this.addWallet(userId, reference)
      if (status === 'rejected') {
        throw new NeedsPerson(`user ${userId} was rejected: ${JSON.stringify(rejection_reasons)}`)
      }
      const missing = requirements?.join(', ') ?? ''
      if (missing !== shown) this.show(`missing of user ${userId}: ${missing || 'nothing'}`)
      shown = missing
      await this.sleep(pollMs(poll))
    }
    throw new NeedsPerson(`user ${userId} is still under review`)
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
  await runJob(CarefulClient).catch((error) => {
    if (!(error instanceof NeedsPerson)) throw error
    console.log(`a person has to look: ${error.message}`)
  })
}
