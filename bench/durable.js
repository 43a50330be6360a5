import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '../dist/index.js'
import { median, startBare, startBareFlushing, startSandramp, stopServer } from './processes.js'
import { answer, compare, fund, get, payoutOf, post, share } from './requests.js'

const PAYOUTS = 100_000
/** Payouts per batch: one flush covers them. */
const AT_ONCE = 500
const STARTS = 5

/**
 * Payouts that are flushed before the response: their rate as a share of a bare server that stores nothing,
 * as a share of one that only flushes request bodies (`flushed`), the same with 100,000 stored payouts as a
 * share of none, and seconds to start with those.
 */
export const benchDurable = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-bench-'))
  try {
    const many = join(folder, 'many.json')
    await fill(many)
    const starts = []
    for (let round = 0; round < STARTS; round++) starts.push(await startWith(many))
    const few = await startSandramp('--data', join(folder, 'few.json'))
    await fund(few.url)
    const made = await answer(few.url, post)
    const bare = await startBare(await answer(few.url, get), made)
    const { bare: theirs, ours, ratio } = await compare(bare, few, post, 32)
    const flushing = await startBareFlushing(join(folder, 'lines'), made)
    const { ratio: flushed } = await compare(flushing, few, post, 32)
    await Promise.all([bare, flushing].map((server) => stopServer(server)))
    const grown = await startSandramp('--data', many)
    const ratioOfGrown = await share(grown, few, post)
    await Promise.all([stopServer(few), stopServer(grown)])
    return { bare: theirs, ours, ratio, flushed, grown: ratioOfGrown, start_s: median(starts) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Writes a data file with this many payouts, as a closed sandbox leaves it. */
const fill = async (data) => {
  const sandbox = await createSandbox({ data, seed: 'bench' })
  const { user_id, currency } = payoutOf('')
  await sandbox.defaultWorld.credit(user_id, '9000000000000.00', currency)
  const { path, method, headers } = post
  const pay = () => {
    const body = JSON.stringify(payoutOf(crypto.randomUUID()))
    return sandbox.fetch(path, { method, headers, body })
  }
  for (let i = 0; i < PAYOUTS; i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, pay))
  await sandbox.close()
}

/** Seconds from process start until the sandbox reports ready. */
const startWith = async (data) => {
  const began = performance.now()
  const server = await startSandramp('--data', data)
  const elapsed_s = (performance.now() - began) / 1_000
  await stopServer(server)
  return elapsed_s
}
