import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.js'
import { bundledNames, readBundledScenario } from '../../src/scenarios/language/bundled.js'
import { accounts, keys, users } from '../support/fixture-ids.js'
import { payoutRequest, userRequest } from '../support/requests.js'
import { VirtualTime } from '../support/virtual-time.js'

interface Client {
  payOrPayAgain(payout: object): Promise<unknown>
  initiate(userId: string, accountId: string): Promise<{ readonly address: string }>
  follow(transferId: string): Promise<unknown>
  openWallet(user: object, reference: string): Promise<unknown>
  addWallet(userId: string, reference: string): Promise<unknown>
}
type MakeClient = new (options: object) => Client

const example = async (file: string) =>
  import(new URL(`../../examples/${file}`, import.meta.url).href)
const { CarefulClient }: { CarefulClient: MakeClient } = await example('careful-client.mjs')
const { BlindClient }: { BlindClient: MakeClient } = await example('blind-client.mjs')

/** The environment of a job: a client, its sandbox, and time. */
interface Setting {
  readonly client: Client
  readonly sandbox: Sandbox
  readonly sleep: (ms: number) => Promise<void>
}
type Job = (setting: Setting) => Promise<unknown>

const newPayout = () => ({ ...payoutRequest(), customer_payout_id: randomUUID() })
const HOUR = 3_600_000

const pay: Job = ({ client }) => client.payOrPayAgain(newPayout())

const paySeven: Job = async ({ client }) => {
  for (let n = 0; n < 7; n++) await client.payOrPayAgain(newPayout()).catch(() => {})
}

/** The second payout meets an expired key; a person goes on with it when the key is renewed. */
const payAgainLater: Job = async ({ client, sleep }) => {
  await client.payOrPayAgain(newPayout())
  await sleep(2 * 60_000)
  const second = newPayout()
  try {
    await client.payOrPayAgain(second)
  } catch {
    await sleep(HOUR)
    await client.payOrPayAgain(second)
  }
}

/** An offramp, whose customer sends crypto unless a rule does. */
const sell =
  (amount?: string): Job =>
  async ({ client, sandbox, sleep }) => {
    const { address } = await client.initiate(users.ada, accounts.adaEur)
    if (amount !== undefined) sandbox.run('deposit.receive', { address, amount })
    else await sleep(HOUR)
    const ids = sandbox.tables.transfers.all().filter(({ kind }) => kind === 'offramp')
    for (const { id } of ids.slice(-3)) await client.follow(id)
  }

const openWallet: Job = ({ client }) => client.openWallet(userRequest(), randomUUID())

/** A second wallet, when the user is paused. */
const openAnotherLater: Job = async ({ client, sandbox, sleep }) => {
  await client.openWallet(userRequest(), randomUUID()).catch(() => {})
  await sleep(HOUR / 4)
  const user = sandbox.tables.users.all().at(-1)
  await client.addWallet(user?.id ?? '', randomUUID())
}

/** The job of a client per scenario; by default an offramp of 100 USDC. */
const JOBS: Readonly<Record<string, Job>> = {
  'account-paused': openAnotherLater,
  'committed-then-cut': pay,
  'deposit-twice': sell(),
  'deposit-wrong-token': sell(),
  'flaky-gateway': pay,
  'garbled-responses': pay,
  'happy-path': pay,
  'key-expires-midway': payAgainLater,
  'kyc-incomplete-then-approved': openWallet,
  'kyc-rejected': openWallet,
  'outage-and-recovery': pay,
  'payout-fails-and-refunds': pay,
  'payout-pending-then-processed': pay,
  'rate-limited': paySeven,
  'slow-responses': pay,
  'under-and-over-deposit': sell(),
}

/** The failed expectations of a scenario after the job. */
const missesOf = async (name: string, Make: MakeClient): Promise<string[]> => {
  const time = new VirtualTime()
  const { delay, sleep, timeout } = time
  const sandbox = await createSandbox({
    clock: 'manual',
    seed: 'two clients',
    scenarios: [name],
    sleep: delay,
  })
  onTestFinished(() => sandbox.close())
  const fetch = time.fetchOf(sandbox)
  const client = new Make({ url: '', key: keys.full, fetch, sleep, timeout })
  const job = JOBS[name] ?? sell('100')
  await time.until(sandbox, job({ client, sandbox, sleep }))
  const expected = readBundledScenario(name).expect.map(({ source: _, ...it }) => it)
  const { results } = await sandbox.verify(expected, { until: 'idle' })
  return results.filter(({ ok }) => !ok).map(({ sentence }) => sentence)
}

/** Scenarios that a client with blind retries fails. */
const CAUGHT = [
  'account-paused',
  'committed-then-cut',
  'flaky-gateway',
  'garbled-responses',
  'key-expires-midway',
  'kyc-incomplete-then-approved',
  'kyc-rejected',
  'outage-and-recovery',
  'payout-fails-and-refunds',
  'payout-pending-then-processed',
  'rate-limited',
  'slow-responses',
  'slow-settlement',
  'stuck-in-conversion-processed',
  'stuck-in-funds-received',
  'stuck-in-payment-submitted',
  'stuck-in-pending',
]

const names = bundledNames().filter((name) => name !== 'magic-values')

describe.each(names)('%s', (name) => {
  test('passes the careful client', async () => {
    expect(await missesOf(name, CarefulClient)).toEqual([])
  })

  test(`${CAUGHT.includes(name) ? 'fails' : 'passes'} the blind client`, async () => {
    const misses = await missesOf(name, BlindClient)
    if (CAUGHT.includes(name)) expect(misses).not.toEqual([])
    else expect(misses).toEqual([])
  })
})

test('docs/reference/scenarios.md has the results of both clients', () => {
  const page = readFileSync(new URL('../../docs/reference/scenarios.md', import.meta.url), 'utf8')
  const rows = names.map(
    (name) =>
      `| [${name}](#${name}) | ${CAUGHT.includes(name) ? '**fails**' : 'passes'} | passes |`,
  )
  expect(page).toContain(['| scenario | blind | careful |', '|---|---|---|', ...rows].join('\n'))
})
