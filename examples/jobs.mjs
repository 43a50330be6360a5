// Jobs for the clients beside this file, one for each kind of scenario. Run one so:
//   sandramp run late-return -- node examples/careful-client.mjs offramp
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ADA = '11111111-1111-4111-8111-000000000001'
const HER_EUR_ACCOUNT = '22222222-2222-4222-8222-000000000001'
const CONSENT = '99999999-9999-4999-8999-000000000009'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * `sleep` waits, `deposit` sends crypto to an address as a customer does. Tests move the clock of the sandbox, so that
 * days take no time.
 */
export const jobs = {
  async pay({ client }) {
    const { amount, currency } = await client.payOrPayAgain(newPayout())
    return `paid ${amount} ${currency}`
  },

  async 'pay-often'({ client }) {
    for (let n = 0; n < 7; n++) await client.payOrPayAgain(newPayout())
    return 'paid 7 times'
  },

  /** The second payout meets an expired key. A person renews the key and goes on with that payout. */
  async 'pay-later'({ client, sleep }) {
    await client.payOrPayAgain(newPayout())
    await sleep(2 * MINUTE)
    const second = newPayout()
    try {
      await client.payOrPayAgain(second)
    } catch {
      await sleep(HOUR)
      await client.payOrPayAgain(second)
    }
    return 'paid twice'
  },

  async offramp({ client, deposit }) {
    const seen = await client.sell(ADA, HER_EUR_ACCOUNT, (address) => deposit(address, '100'))
    return `transfers: ${seen.join(', ')}`
  },

  /** A rule of the scenario sends the deposits. */
  async 'offramp-wait'({ client, sleep }) {
    const seen = await client.sell(ADA, HER_EUR_ACCOUNT, () => sleep(HOUR))
    return `transfers: ${seen.join(', ')}`
  },

  async wallet({ client }) {
    const { id } = await client.createUser(newUser())
    await client.openWallet(id, randomUUID())
    return 'wallet opened'
  },

  /** The second wallet meets a user who was paused in the meantime. A person tries again after a day. */
  async 'wallet-later'({ client, sleep }) {
    const { id } = await client.createUser(newUser())
    await client.openWallet(id, randomUUID()).catch(() => {})
    await sleep(15 * MINUTE)
    const second = randomUUID()
    try {
      await client.addWallet(id, second)
    } catch {
      await sleep(DAY)
      await client.addWallet(id, second)
    }
    return 'wallets opened'
  },
}

let payouts = 0

/** The file of a payout is written before its first request, so a restart after a crash repeats the id. */
const keepId = () => {
  const { SANDRAMP_CELL_DIR: folder } = process.env
  if (!folder) return randomUUID()
  const file = join(folder, `payout-${++payouts}`)
  if (!existsSync(file)) writeFileSync(file, randomUUID())
  return readFileSync(file, 'utf8')
}

const newPayout = () => ({
  user_id: ADA,
  customer_payout_id: keepId(),
  currency: 'NGN',
  amount: '1500.00',
  recipient_details: {
    bank_name: 'Marina Test Bank',
    account_holder_name: 'Ada Okafor',
    recipient_account_number: '0690000031',
  },
})

const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const newUser = () => ({
  first_name: 'Tola',
  last_name: 'Adeyemi',
  email_address: 'tola@example.com',
  phone_number: '+2348012345678',
  user_type: 'individual',
  date_of_birth: '1990-04-12',
  consent_id: CONSENT,
  sharing_consent: true,
  identity: {
    identity_country_code: 'NGA',
    identity_number: 'A07654321',
    identity_document_name: 'Passport',
    identity_document_front: IMAGE,
    identity_document_back: IMAGE,
  },
  address: {
    line1: '14 Marina Road',
    city: 'Lagos',
    sub_division: 'Lagos',
    country: 'NGA',
    postal_code: '101241',
  },
})

/** Runs the job that the command line names, in the sandbox of `sandramp run`. */
export const runJob = async (Client) => {
  const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key, SANDRAMP_CLOCK_URL: clock } = process.env
  const post = async (address, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const sleep = (ms) => post(`${clock}/advance`, { by: `${ms}ms` })
  const deposit = (address, amount) => post(`${url}/_sandbox/deposits`, { address, amount })
  const [job = 'pay'] = process.argv.slice(2)
  console.log(await jobs[job]({ client: new Client({ url, key, sleep }), sleep, deposit }))
}
