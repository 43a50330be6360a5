// Prints how many MiB 100,000 transfers take. Run it with --expose-gc.
import { createSandbox } from '../dist/index.js'

const TRANSFERS = 100_000
const input = {
  user_id: '11111111-1111-4111-8111-000000000001',
  account_id: '22222222-2222-4222-8222-000000000001',
  source_currency: 'USD',
  source_amount: '100.00',
}

const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
const before = memory()
for (let i = 0; i < TRANSFERS; i++) sandbox.run('transfer.start', input)
sandbox.advance({ until: 'idle' })
const after = memory()
if (sandbox.tables.transfers.size < TRANSFERS) throw new Error('transfers are missing')
console.log((after - before) / 2 ** 20)

function memory() {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
