import { createSandbox } from '../dist/index.js'
import { startTransfers } from './requests.js'

const KEY = 'SandrampFullAccessKey00000000001'
const USER = '11111111-1111-4111-8111-000000000001'
const TRANSFERS = 100_000
const READS = 4_000
const ROUNDS = 7

/** Seconds to advance a world over 100,000 due timers, and the audit's cost there and in a small one. */
export const benchWorlds = async () => {
  const small = await worldOf(100)
  const large = await worldOf(TRANSFERS)
  const before = performance.now()
  const { count } = await large.defaultWorld.advance('2s')
  const advance_s = (performance.now() - before) / 1_000
  if (count !== TRANSFERS) throw new Error(`${count} timers fired, not ${TRANSFERS}`)
  const pairs = []
  for (let round = 0; round < ROUNDS; round++) {
    const a = await auditReads(small)
    const b = await auditReads(large)
    pairs.push({ a, b })
  }
  const ratios = pairs.map(({ a, b }) => b / a).sort((x, y) => x - y)
  const { ok: audit_ok } = await large.defaultWorld.audit()
  return { advance_s, audit_ratio: ratios[Math.floor(ROUNDS / 2)], audit_ok }
}

/** A world with so many transfers of one user, each waiting for its first timer. */
const worldOf = async (transfers) => {
  const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
  await startTransfers(sandbox, transfers)
  return sandbox
}

/** Milliseconds for a number of first pages of the transfer audit. */
const auditReads = async (sandbox) => {
  const began = performance.now()
  for (let i = 0; i < READS; i++) {
    const response = await sandbox.fetch(`/payment/api/v1/fx-audit/${USER}?page=1`, {
      headers: { 'x-api-key': KEY },
    })
    await response.text()
  }
  return performance.now() - began
}
