// A small client of the Payments, custody wallet and onboarding service, written from its interface
// specification alone. Plain Node, no packages.

/** A response outside 2xx, with the service's code and message. */
export class ServiceError extends Error {
  constructor(operation, status, body) {
    super(`${operation}: ${status} ${body?.code ?? ''} ${body?.message ?? ''}`.trim())
    this.status = status
    this.code = body?.code
  }
}

const RETRIES = 3
const RETRIED = [429, 500, 502, 503]
const POLLS = 200

export class PaymentsClient {
  /** `wait` waits for this many milliseconds; a test may advance a clock instead. */
  constructor({ url, key, wait = sleep, poll_ms = 1_000 }) {
    this.url = url
    this.key = key
    this.wait = wait
    this.poll_ms = poll_ms
  }

  /** Records that a person accepted the terms, and returns the consent's id. */
  acceptTerms() {
    const tnc_data = { tnc_accepted: true, accepted_at: new Date().toISOString() }
    return this.post('/onboarding/api/v1/tnc', { tnc_data })
  }

  createUser(user) {
    return this.post('/onboarding/api/v1/users', user)
  }

  listUsers() {
    return this.get('/onboarding/api/v1/users/all')
  }

  /** The service has no read of one user, so this searches the list. */
  async untilActive(id) {
    return this.until(async () => {
      const user = (await this.listUsers()).find((it) => it.id === id)
      if (user?.status === 'rejected') throw new Error(`user ${id} was rejected`)
      return user?.status === 'active' ? user : undefined
    }, `user ${id} to become active`)
  }

  createWallet(wallet) {
    return this.post('/payment/api/v1/custody-wallet', wallet)
  }

  initiateOfframp(user_id, account_id) {
    return this.post('/payment/api/v1/offramp', { user_id, account_id })
  }

  /** Pays, and sends the same payout again when no response arrives: its id makes it idempotent. */
  createPayout(payout) {
    return this.post('/payment/api/v1/payout', payout)
  }

  offrampAudit(user_id, page = 0) {
    return this.get(`/payment/api/v1/offramp-audit/${user_id}?page=${page}`)
  }

  transferAudit(user_id, page = 0) {
    return this.get(`/payment/api/v1/fx-audit/${user_id}?page=${page}`)
  }

  transfer(id) {
    return this.get(`/payment/api/v1/fx-audit/status/${id}`)
  }

  untilPaid(id) {
    return this.until(async () => {
      const transfer = await this.transfer(id)
      if (['FAILED', 'CANCELLED'].includes(transfer.status))
        throw new Error(`transfer ${id} failed`)
      return transfer.status === 'PAYMENT_PROCESSED' ? transfer : undefined
    }, `transfer ${id} to be paid`)
  }

  totalBalances() {
    return this.get('/payment/api/v1/custody-wallet/total-balances')
  }

  cryptoBalance(crypto, blockchain, user_id) {
    return this.get(
      `/payment/api/v1/offramp-audit/crypto-balance/${crypto}/${blockchain}/${user_id}`,
    )
  }

  get(path) {
    return this.send('GET', path)
  }

  post(path, body) {
    return this.send('POST', path, body)
  }

  async send(method, path, body) {
    for (let attempt = 1; ; attempt++) {
      const response = await this.attempt(method, path, body)
      if (response?.ok) return response.json()
      const mayRetry = !response || RETRIED.includes(response.status)
      if (!mayRetry || attempt > RETRIES) {
        throw new ServiceError(`${method} ${path}`, response?.status, await response?.json())
      }
      await this.wait(this.poll_ms * attempt)
    }
  }

  /** Undefined when the connection broke. */
  async attempt(method, path, body) {
    const headers = { 'x-api-key': this.key, 'content-type': 'application/json' }
    try {
      return await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) })
    } catch {
      return undefined
    }
  }

  async until(look, what) {
    for (let n = 0; n < POLLS; n++) {
      const found = await look()
      if (found !== undefined) return found
      await this.wait(this.poll_ms)
    }
    throw new Error(`waited in vain for ${what}`)
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
