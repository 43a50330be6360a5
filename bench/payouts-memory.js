// Prints the resident memory in MiB after 300,000 payouts. Run it with --expose-gc.
import { createSandbox } from '../dist/index.js'
import { payoutOf, post } from './requests.js'

const PAYOUTS = 300_000

const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
const { user_id, currency } = payoutOf('')
await sandbox.defaultWorld.credit(user_id, '9000000000000.00', currency)
for (let i = 0; i < PAYOUTS; i++) {
  const body = JSON.stringify(payoutOf(crypto.randomUUID()))
  const response = await sandbox.fetch(post.path, { method: 'POST', headers: post.headers, body })
  if (!response.ok) throw new Error(await response.text())
}
globalThis.gc()
console.log(process.memoryUsage.rss() / 2 ** 20)
