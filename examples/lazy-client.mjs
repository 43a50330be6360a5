// A client that sends one request and never looks what came of it. The shipped scenarios fail it; see
// careful-client.mjs for what it should have looked at:
//   sandramp run late-return -- node examples/lazy-client.mjs offramp
import { fileURLToPath } from 'node:url'
import { runJob } from './jobs.mjs'

export class LazyClient {
  #isDone = false

  constructor({ url, key, fetch = globalThis.fetch }) {
    Object.assign(this, { url, key, fetch })
  }

  async payOrPayAgain(payout) {
    await this.once('/payment/api/v1/payout', payout)
    return payout
  }

  async sell(userId, accountId, waitForDeposits) {
    const offramp = { user_id: userId, account_id: accountId }
    const { address } = await this.once('/payment/api/v1/offramp', offramp)
    await waitForDeposits(address)
    return []
  }

  createUser(user) {
    return this.once('/onboarding/api/v1/users', user)
  }

  /** Bug: never comes back to a user. */
  async openWallet() {}

  async addWallet() {}

  /** Bug: takes every response for a success. */
  async once(path, body) {
    if (this.#isDone) return {}
    this.#isDone = true
    try {
      const response = await this.fetch(this.url + path, {
        method: 'POST',
        headers: { 'x-api-key': this.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return await response.json()
    } catch {
      return {}
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runJob(LazyClient)
