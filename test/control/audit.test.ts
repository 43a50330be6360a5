import { expect, onTestFinished, test, vi } from 'vitest'
import type { Verified } from '../../generated/api-types.js'
import type { Client } from '../support/client.js'
import { ConsoleVisit } from '../support/console-visit.js'
import { users } from '../support/fixture-ids.js'
import type { InnerSandbox } from '../support/inner-sandbox.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { worldKey } from '../support/worlds.js'

type Prove<T> = (api: Client) => Promise<T>

const credit = ({ sandbox }: Client) =>
  sandbox.run('balance.credit', { user_id: users.ada, currency: 'NGN', amount: '1' })

/** Begins to prove a long ledger in slices of fifty steps; answers once the second slice is under way. */
const begin = async <T>(api: Client, prove: Prove<T>): Promise<{ proved: Promise<T> }> => {
  // The first call loads the code.
  await prove(api)
  for (let i = 0; i < 1_000; i++) credit(api)
  let ms = 0
  const now = vi.spyOn(performance, 'now')
  onTestFinished(() => now.mockRestore())
  const underWay = new Promise<void>((resolve) => {
    now.mockImplementation(() => {
      if (ms === 70) resolve()
      return ms++
    })
  })
  const proved = prove(api)
  await Promise.race([underWay, proved])
  return { proved }
}

const auditOf = (api: Client) => api.read<ReturnType<InnerSandbox['audit']>>('/_sandbox/audit')
const verifyAudit = (api: Client) =>
  api.make<Verified>('/_sandbox/verify', { expect: [{ audit: 'clean' }] })
const ledgerPage = async ({ sandbox }: Client) =>
  (await new ConsoleVisit(sandbox).look('/ledger')).text

test.each<[string, Prove<unknown>]>([
  ['GET /_sandbox/audit', auditOf],
  ['POST /_sandbox/verify with audit: clean', verifyAudit],
])('during %s other worlds are served, and requests of the same world wait', async (_, prove) => {
  const api = await openOwnSandbox()
  const order: string[] = []
  const note = async (name: string, answer: Promise<unknown>) => {
    await answer
    order.push(name)
  }
  const { proved } = await begin(api, prove)
  await Promise.all([
    note('end', proved),
    note('end', api.get('/_sandbox/clock')),
    note('meanwhile', api.get('/_sandbox/health')),
    note('meanwhile', api.get('/_sandbox/clock', { key: worldKey('other') })),
  ])
  expect(order).toEqual(['meanwhile', 'meanwhile', 'end', 'end'])
})

test('GET /_sandbox/audit, verify and the ledger page find what sandbox.audit finds', async () => {
  const api = await openOwnSandbox()
  const { proved } = await begin(api, auditOf)
  const report = await proved
  expect(report.ok).toBe(true)
  expect(report).toEqual(api.sandbox.audit())
  expect(await verifyAudit(api)).toEqual(await api.sandbox.verify([{ audit: 'clean' }]))
  expect(await ledgerPage(api)).toContain('Ledger balances')
})

test.each<[string, (api: Client) => unknown]>([
  ['writes to its world', credit],
  ['resets its world', ({ sandbox }) => sandbox.reset()],
])('an audit during which a program %s reports the world afterwards', async (_, change) => {
  const api = await openOwnSandbox()
  const { proved } = await begin(api, auditOf)
  const before = api.sandbox.audit()
  change(api)
  const after = api.sandbox.audit()
  expect(after).not.toEqual(before)
  expect(await proved).toEqual(after)
})
