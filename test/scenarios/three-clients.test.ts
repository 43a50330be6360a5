import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bundledNames, readBundledScenario } from '../../src/scenarios/language/bundled.js'
import { keys } from '../support/fixture-ids.js'
import { createInner } from '../support/inner-sandbox.js'
import { VirtualTime } from './virtual-time.js'

type MakeClient = new (options: object) => object

const example = async (file: string) =>
  import(new URL(`../../examples/${file}`, import.meta.url).href)
const { CarefulClient }: { CarefulClient: MakeClient } = await example('careful-client.mjs')
const { BlindClient }: { BlindClient: MakeClient } = await example('blind-client.mjs')
const { LazyClient }: { LazyClient: MakeClient } = await example('lazy-client.mjs')

/** The environment of a job: a client, time, and a customer who sends crypto. */
interface Setting {
  readonly client: object
  readonly sleep: (ms: number) => Promise<void>
  readonly deposit: (address: string, amount: string) => unknown
}
const { jobs }: { jobs: Readonly<Record<string, (setting: Setting) => Promise<unknown>>> } =
  await example('jobs.mjs')

/** The job of a client per scenario; by default an offramp. */
const JOBS: Readonly<Record<string, string>> = {
  'account-paused': 'wallet-later',
  'committed-then-cut': 'pay',
  'deposit-twice': 'offramp-wait',
  'deposit-wrong-token': 'offramp-wait',
  'flaky-gateway': 'pay',
  'garbled-responses': 'pay',
  'happy-path': 'pay',
  'key-expires-midway': 'pay-later',
  'kyc-incomplete-then-approved': 'wallet',
  'kyc-rejected': 'wallet',
  'outage-and-recovery': 'pay',
  'payout-fails-and-refunds': 'pay',
  'payout-pending-then-processed': 'pay',
  'rate-limited': 'pay-often',
  'slow-responses': 'pay',
  'under-and-over-deposit': 'offramp-wait',
}
const jobFor = (name: string): string => JOBS[name] ?? 'offramp'

/** The failed expectations of a scenario after the job. */
const missesOf = async (name: string, Make: MakeClient): Promise<string[]> => {
  const time = new VirtualTime()
  const { delay, sleep, timeout } = time
  const sandbox = await createInner({
    clock: 'manual',
    seed: 'two clients',
    scenarios: [name],
    sleep: delay,
  })
  onTestFinished(() => sandbox.close())
  const fetch = time.fetchOf(sandbox)
  const show = () => {}
  const client = new Make({ url: '', key: keys.full, fetch, sleep, timeout, show })
  const deposit = (address: string, amount: string) =>
    sandbox.run('deposit.receive', { address, amount })
  const job = jobs[jobFor(name)]?.({ client, sleep, deposit }) ?? Promise.reject()
  await time.until(sandbox, job)
  const expected = readBundledScenario(name).expect.map(({ source: _, ...it }) => it)
  const { results } = await sandbox.verify(expected, { until: 'idle' })
  return results.filter(({ ok }) => !ok).map(({ sentence }) => sentence)
}

/** The scenarios that a client passes although it retries blindly, or never looks. The careful one passes all. */
const PASSED = {
  blind: ['bank-rejects', 'conversion-fails', 'deposit-wrong-token', 'happy-path'],
  lazy: ['deposit-wrong-token', 'happy-path', 'slow-responses'],
}

const names = bundledNames().filter((name) => name !== 'magic-values')

describe.each(names)('%s', (name) => {
  test('passes the careful client', async () => {
    expect(await missesOf(name, CarefulClient)).toEqual([])
  })

  test.each([
    ['blind', BlindClient],
    ['lazy', LazyClient],
  ] as const)('passes or fails the %s client as listed', async (kind, Make) => {
    const misses = await missesOf(name, Make)
    expect(misses.length === 0, misses.join('\n')).toBe(PASSED[kind].includes(name))
  })
})

test('docs/reference/scenarios.md lists the scenarios that each client passes', () => {
  const page = readFileSync(new URL('../../docs/reference/scenarios.md', import.meta.url), 'utf8')
  const words = page.replace(/\s+/g, ' ')
  for (const kind of ['blind', 'lazy'] as const) {
    const passed = PASSED[kind].map((name) => `\`${name}\``).join(', ')
    expect(words).toContain(`It passes only ${passed}.`)
  }
})
