// A client that retries blindly, as first drafts do. The shipped scenarios catch its mistakes; see
// careful-client.mjs for the fixes. Run it against a scenario and see it fail:
//   sandramp run committed-then-cut -- node examples/blind-client.mjs
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { runJob } from './jobs.mjs'

const ATTEMPTS = 10
const TIMEOUT_MS = 10_000
const POLLS = 150
const POLL_MS = 1_000

export class BlindClient {
  constructor({ url, key, fetch = globalThis.fetch, sleep = wait, timeout = AbortSignal.timeout }) {
    Object.assign(this, { url, key, fetch, sleep, timeout })
  }

  /** Bug: each attempt uses a new id, and a pending payout counts as failed. */
  async pay(payout) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const id = randomUUID()
      const body = { ...payout, customer_payout_id: id }
      const paid = await this.attempt('POST', '/payment/api/v1/payout', body)
      if (paid?.status === 'PAYOUT_PROCESSED') return body
    }
    throw new Error('the payout failed')
  }

  payOrPayAgain(payout) {
    return this.pay(payout)
  }

  /** Bug: expects one deposit for each address, and follows only the newest transfer. */
  async sell(userId, accountId, waitForDeposits) {
    const before = await this.newestTransfer(userId)
    const { address } = await this.initiate(userId, accountId)
    await waitForDeposits(address)
    const id = await this.newestTransfer(userId)
    return id === before ? [] : [(await this.follow(id)).status]
  }

  async newestTransfer(userId) {
    const { transactions } = await this.send('GET', `/payment/api/v1/fx-audit/${userId}?size=1`)
    return transactions[0]?.id
  }

  /** Bug: polls every second, and does not know that a transfer can be cancelled, or returned later. */
  async follow(transferId) {
    for (let poll = 0; poll < POLLS; poll++) {
      const transfer = await this.attempt('GET', `/payment/api/v1/fx-audit/status/${transferId}`)
      if (['PAYMENT_PROCESSED', 'FAILED'].includes(transfer?.status)) return transfer
      await this.sleep(POLL_MS)
    }
    throw new Error(`transfer ${transferId} takes too long`)
  }

  initiate(userId, accountId) {
    return this.send('POST', '/payment/api/v1/offramp', {
      user_id: userId,
      account_id: accountId,
    })
  }

  createUser(user) {
    return this.send('POST', '/onboarding/api/v1/users', user)
  }

  /** Bug: does not wait for the review. */
  async openWallet(userId, reference) {
    return this.addWallet(userId, reference)
  }

  addWallet(userId, reference) {
    const wallet = { user_id: userId, chain: 'polygon', customer_wallet_ref: reference }
    return this.send('POST', '/payment/api/v1/custody-wallet', wallet)
  }

  /** Bug: retries every error at once. */
  async send(method, path, body) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const data = await this.attempt(method, path, body)
      if (data) return data
    }
    throw new Error(`${method} ${path} failed`)
  }

  /** Bug: every failure looks the same: undefined. */
  async attempt(method, path, body) {
    try {
      const response = await this.fetch(this.url + path, {
        method,
        headers: { 'x-api-key': this.key, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
        signal: this.timeout(TIMEOUT_MS),
      })
      return response.ok ? await response.json() : undefined
    } catch {
      return undefined
    }
  }
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

if (process.argv[1] === fileURLToPath(import.meta.url)) await runJob(BlindClient)
