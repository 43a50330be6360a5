// A job that pays two bills and sells crypto once. Each file beside this one changes one habit of its careful client.
//   sandramp sweep -- node examples/clients/new-id.mjs
// The state is in a file, as that of an application is in its database.
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key, SANDRAMP_CELL_DIR: dir } = process.env
const TIMEOUT_MS = Number(process.env.CLIENT_TIMEOUT ?? 1000)
const ADA = '11111111-1111-4111-8111-000000000001'
const HER_EUR_ACCOUNT = '22222222-2222-4222-8222-000000000001'
const FINAL = ['PAYMENT_PROCESSED', 'FAILED', 'CANCELLED']

const control = async (path, body) => {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/_sandbox${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return answer.json()
}
/** Moves the clock of the world instead of waiting. */
export const sleep = (ms) => control('/clock/advance', { by: `${ms}ms` })

const file = dir && join(dir, 'state.json')
export const state = file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
export const save = () => file && writeFileSync(file, JSON.stringify(state))

export class GaveUp extends Error {}

export class Client {
  /** The id of a bill's payment: drawn once, and kept before it is used. */
  idOf(bill, round) {
    const name = `${bill.name}/${round}`
    if (!state[name]) {
      state[name] = randomUUID()
      save()
    }
    return state[name]
  }

  /** Sends one request. `whole` is true if a complete JSON body came. */
  async attempt(method, path, body) {
    try {
      const response = await fetch(url + path, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const after = response.headers.get('retry-after')
      const text = await response.text()
      const { status } = response
      try {
        return {
          status,
          data: JSON.parse(text),
          whole: true,
          after_ms: after && Number(after) * 1000,
        }
      } catch {
        return { status, whole: false, after_ms: after && Number(after) * 1000 }
      }
    } catch (error) {
      return { error, whole: false }
    }
  }

  isFinal({ status, whole }) {
    return whole && status !== undefined && status < 500 && status !== 429
  }

  pause(n, { after_ms }) {
    return sleep(after_ms ?? Math.min(1000 * 2 ** n, 60_000))
  }

  /** Repeats a request until its outcome is known. */
  async send(method, path, makeBody = () => undefined, attempts = 8) {
    for (let n = 0; n < attempts; n++) {
      const answer = await this.attempt(method, path, makeBody(n))
      if (this.isFinal(answer)) {
        if (answer.status < 300) return answer.data
        throw new GaveUp(`${method} ${path}: ${answer.status} ${answer.data?.message ?? ''}`)
      }
      await this.pause(n, answer)
    }
    throw new GaveUp(`${method} ${path}: outcome unknown`)
  }

  bodyOf(bill, round) {
    const { user_id = ADA, amount, recipient } = bill
    return {
      user_id,
      currency: 'NGN',
      amount,
      customer_payout_id: this.idOf(bill, round),
      recipient_details: {
        bank_name: 'Access Bank',
        account_holder_name: 'Ada Okafor',
        recipient_account_number: recipient,
      },
    }
  }

  post(bill, round) {
    return this.send('POST', '/payment/api/v1/payout', () => this.bodyOf(bill, round))
  }

  /** Pays a bill, and once more under a new id if the bank refused it for certain. */
  async pay(bill) {
    for (let round = 0; round < 2; round++) {
      let { status } = await this.post(bill, round)
      for (let n = 0; n < 12 && status !== 'PAYOUT_PROCESSED' && status !== 'PAYOUT_FAILED'; n++) {
        await sleep(60_000 * 2 ** n)
        status = (await this.post(bill, round)).status
      }
      if (status === 'PAYOUT_PROCESSED') return 'paid'
      if (status !== 'PAYOUT_FAILED') return 'pending'
    }
    return 'failed'
  }

  isOver(status) {
    return FINAL.includes(status)
  }

  async transfers() {
    const { transactions } = await this.send('GET', `/payment/api/v1/fx-audit/${ADA}?size=50`)
    return transactions.map(({ id }) => id)
  }

  async sell(amount) {
    state.known ??= await this.transfers()
    save()
    const { address } = await this.send('POST', '/payment/api/v1/offramp', () => ({
      user_id: ADA,
      account_id: HER_EUR_ACCOUNT,
    }))
    if (!state.deposited) await control('/deposits', { address, amount })
    state.deposited = true
    save()
    let id
    for (let n = 0; n < 8 && !id; n++) {
      id = (await this.transfers()).find((it) => !state.known.includes(it))
      if (!id) await sleep(10_000 * 2 ** n)
    }
    if (!id) return 'pending'
    for (let n = 0; n < 30; n++) {
      const { status } = await this.send('GET', `/payment/api/v1/fx-audit/status/${id}`)
      if (this.isOver(status))
        return status === 'FAILED' || status === 'CANCELLED' ? 'failed' : 'paid'
      await sleep(1000 * 2 ** Math.min(n, 12))
    }
    return 'pending'
  }

  /** Only a sweep sets the variable: it compares the claim with the books. */
  claim(bill, says) {
    const again = says === 'refunded' ? undefined : state[`${bill.name}/1`]
    const id = again ?? state[`${bill.name}/0`]
    const { SANDRAMP_CLAIMS } = process.env
    if (SANDRAMP_CLAIMS && id) appendFileSync(SANDRAMP_CLAIMS, `${says} ${id}\n`)
  }

  async settle(bill) {
    const says = await this.pay(bill)
    console.log(`${bill.name}: ${says}`)
    this.claim(bill, says)
  }

  async payday() {
    let code = 0
    const or = async (what, run) => {
      try {
        await run()
      } catch (error) {
        code = 1
        console.log(`${what}: a person has to look: ${error.message}`)
      }
    }
    await or('rent', () =>
      this.settle({ name: 'rent', amount: '1500.00', recipient: '0690000031' }),
    )
    await or('power', () =>
      this.settle({ name: 'power', amount: '250.00', recipient: '0690000032' }),
    )
    await or('sale', async () => console.log(`sale: ${await this.sell('100')}`))
    process.exitCode = code
  }
}
